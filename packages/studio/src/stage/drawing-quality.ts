/**
 * How much work a frame may be. Where no graphics card draws, the processor does, and takes its time from the loop:
 * edges and shadows are then hard, and frames leave room for cycles between them.
 */
export type DrawingQuality = Readonly<typeof FINE>;

const FINE = {
  antialias: true,
  /** Light by corner instead of by pixel, and no gloss. */
  hasPlainSurfaces: false,
  /** Shadows with soft edges cost four times the whole rest of a frame when the processor draws them. */
  hasSoftShadows: true,
  /** Pixels along a side of the shadow map. */
  shadowMapSize: 1024,
  /** From one frame to the next, at least, milliseconds. */
  leastGapMs: 0,
  /** How long a frame may be waited for beyond that, milliseconds. */
  waits: { tooSlowMs: 45, quickEnoughMs: 14 },
};
const PLAIN: DrawingQuality = {
  antialias: false,
  hasPlainSurfaces: true,
  hasSoftShadows: false,
  shadowMapSize: 512,
  leastGapMs: 40,
  waits: { tooSlowMs: 14, quickEnoughMs: 5 },
};

/** As `?drawing=fine` or `plain` in the address says; else what suits this machine. */
export function chooseDrawingQuality(): DrawingQuality {
  const wish = new URLSearchParams(location.search).get('drawing');
  if (wish === 'fine') return FINE;
  if (wish === 'plain') return PLAIN;
  return hasGraphicsCard() ? FINE : PLAIN;
}

/** What drivers call themselves that draw by software: Chromium's and Mesa's, and that of Windows. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

function hasGraphicsCard(): boolean {
  const context = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  if (!context) return false;
  const names = context.getExtension('WEBGL_debug_renderer_info');
  const renderer = String(context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return !SOFTWARE.test(renderer);
}
