/** A few words on the stage that always face the eye and keep their size on the screen. */
import { CanvasTexture, LinearFilter, Sprite, SpriteMaterial, SRGBColorSpace, type Vector3 } from 'three';

/** Pixels of the image that the words are drawn into; twice what is seen, for sharp screens. */
const WIDTH = 256;
const HEIGHT = 56;
const FONT = '600 30px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
/** Height of the label at a distance of 1, for a camera of 32°: about 26 pixels of a stage of 800. */
const SEEN_HEIGHT = 0.019;

export interface LabelColours {
  readonly ink: string;
  readonly paper: string;
}

export function createLabelSprite(renderOrder: number) {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d')!;
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = LinearFilter;
  texture.generateMipmaps = false;
  const material = new SpriteMaterial({
    map: texture,
    sizeAttenuation: false,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  });
  const object = new Sprite(material);
  object.scale.set((SEEN_HEIGHT * WIDTH) / HEIGHT, SEEN_HEIGHT, 1);
  object.renderOrder = renderOrder;
  let colours: LabelColours = { ink: '#000000', paper: '#ffffff' };
  let drawn = '';

  const draw = (text: string, frame: string) => {
    context.clearRect(0, 0, WIDTH, HEIGHT);
    context.font = FONT;
    const width = Math.min(WIDTH, context.measureText(text).width + 32);
    context.beginPath();
    context.roundRect((WIDTH - width) / 2 + 2, 4, width - 4, HEIGHT - 8, 14);
    context.fillStyle = colours.paper;
    context.fill();
    context.lineWidth = 4;
    context.strokeStyle = frame;
    context.stroke();
    context.fillStyle = colours.ink;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(text, WIDTH / 2, HEIGHT / 2 + 2, WIDTH - 20);
    texture.needsUpdate = true;
  };
  return {
    object,
    /** Draws again only when something differs from the last time. */
    show(text: string, frame: string, at: Vector3) {
      object.position.copy(at);
      const wanted = `${text}|${frame}|${colours.ink}`;
      if (wanted === drawn) return;
      drawn = wanted;
      draw(text, frame);
    },
    setColours(next: LabelColours) {
      colours = next;
    },
  };
}
