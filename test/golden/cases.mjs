// What is pinned: every scene of the gallery, and one small scene for each method and friction model. A case is a scene,
// the direction in which the hand goes until it touches (m), and the seed of its wandering.

/** @typedef {{ name: string, scene: object | string, towards: readonly number[], wander: number, seed: number, cycles?: number, isHeavy?: boolean }} GoldenCase */

/** Directions in which the tools of the gallery touch, m, and how far the hand wanders sideways then, m. */
const GALLERY = /** @type {Record<string, readonly [towards: readonly number[], wander: number]>} */ ({
  'block-plate': [[0, 0, -0.01], 0.01],
  'bunny-knock': [[0, 0, -0.06], 0.004],
  'bunny-sheets': [[0, 0, -0.04], 0.004],
  'bunny-teapot': [[0, 0, -0.06], 0.004],
  'clip-pipe': [[0, 0, -0.018], 0.001],
  'clip-soft-pipe': [[0, 0, -0.018], 0.001],
  'clip-two-hands': [[0, 0, -0.018], 0.001],
  'corner-cube': [[-0.01, -0.01, -0.01], 0.004],
  'corner-god-object': [[-0.01, -0.01, -0.01], 0.004],
  'cube-holds': [[-0.01, -0.01, -0.01], 0.004],
  'door-window-motor': [[0, -0.03, 0], 0.004],
  'engine-starter': [[0, 0, -0.02], 0.004],
  gears: [[0, 0, -0.014], 0.002],
  jaws: [[0, 0, -0.012], 0.002],
  'nut-bolt': [[0, 0, -0.008], 0.001],
  'peg-blind-hole': [[0.01, 0, -0.03], 0.002],
  'peg-hole': [[0, 0, -0.06], 0.004],
  'peg-snake': [[0, 0, -0.06], 0.004],
  'spoon-cup': [[0, 0, -0.15], 0.004],
  'starter-blocked': [[0, 0, -0.03], 0.004],
  'table-floor': [[0, 0, -0.024], 0.002],
  'thin-sheet': [[0, 0, -0.04], 0.004],
});

/** A cycle of these takes about a millisecond. */
const SLOW = { cycles: 800 };
const isSlow = (/** @type {string} */ name) => /clip|table|deformable|staggered|gauss-seidel/.test(name);

/** Their bodies take ten seconds and more to prepare: in Chromium they are played by `npm run test:all` alone. */
const isHeavy = (/** @type {string} */ name) => /clip|table|engine|door|jaws|gears|nut/.test(name);

/** Names of the gallery's scenes, as files of `scenes/`. */
export const galleryNames = Object.keys(GALLERY);

const METHODS = /** @type {Record<string, object>} */ ({
  penalty: { method: { kind: 'penalty' } },
  'static-friction, printed separation': { method: { kind: 'static-friction', separation: 'printed' } },
  'static-friction, several tools': { method: { kind: 'static-friction' }, tool: ['block', 'other'] },
  'god-object, heuristic': { method: { kind: 'god-object', constraint: 'heuristic' } },
  'god-object, printed': {
    method: { kind: 'god-object', constraint: 'heuristic', correction: 'printed', sampling: 'voxels', filter: false },
  },
  'god-object, manifold': { method: { kind: 'god-object', constraint: 'manifold' } },
  'god-object, no friction': { method: { kind: 'god-object', constraint: 'heuristic' }, friction: { model: 'none' } },
  'modular, shell': { method: { kind: 'modular' } },
  'modular, thirteen unknowns': { method: { kind: 'modular', integrator: 'implicit-13' } },
  'modular, Euler': { method: { kind: 'modular', integrator: 'euler', mass: 1 } },
  'modular, Runge-Kutta': { method: { kind: 'modular', integrator: 'runge-kutta', mass: 1 } },
  'modular, hierarchy': { method: { kind: 'modular', detection: 'hierarchy' } },
  'modular, late contacts': { method: { kind: 'modular', contactRatio: 7, contactDelayed: true } },
  'deformable, rigid': { method: { kind: 'deformable' } },
  'deformable, elastic': { method: { kind: 'deformable' }, bends: true },
  'deformable, diagonal': { method: { kind: 'deformable', localSolver: 'diagonal' }, bends: true },
});

const FRICTION = /** @type {Record<string, object>} */ ({
  none: { model: 'none' },
  cone: { model: 'cone' },
  'cone, frictionless slip': { model: 'cone', slip: 'frictionless' },
  pyramid: { model: 'pyramid', sides: 4 },
  quadratic: { model: 'quadratic' },
  springs: { model: 'springs' },
  staggered: { model: 'staggered' },
  'gauss-seidel': { model: 'gauss-seidel' },
});

/**
 * A block above a plate beside a wall, with the given keys.
 *
 * @param {any} keys
 */
function smallScene({ bends = false, spacing = 0.006, tool = 'block', friction = {}, ...keys }) {
  return {
    palpable: 1,
    bodies: {
      plate: { mesh: { box: [0.2, 0.2, 0.04] }, position: [0, 0, -0.02], field: { resolution: 64 } },
      wall: {
        mesh: { cylinder: [0.02, 0.1] },
        position: [0.056, 0, 0.03],
        rotation: [0.1, 0.05, 0.2, 1],
        field: { resolution: 64 },
      },
      block: {
        mesh: { box: [0.06, 0.04, 0.03] },
        position: [0, 0, 0.017],
        shell: { spacing },
        field: { resolution: 32 },
        ...(bends && { deformable: { young: 2e5, elementSize: 0.008, gripRadius: 0.012 } }),
      },
      ...(Array.isArray(tool) && {
        other: { mesh: { torus: [0.02, 0.006] }, position: [-0.05, 0, 0.01], shell: { spacing: 0.004 } },
      }),
    },
    tool,
    friction: { coefficient: 0.5, ...friction },
    ...keys,
  };
}

/** @returns {GoldenCase[]} */
export function goldenCases() {
  const small = { towards: [0.008, 0.002, -0.005], wander: 0.004 };
  return [
    ...Object.entries(GALLERY).map(([name, [towards, wander]], seed) => ({
      name: `scene ${name}`,
      scene: `${name}.json`,
      towards,
      wander,
      seed: seed + 1,
      isHeavy: isHeavy(name),
      ...(isSlow(name) && SLOW),
    })),
    ...Object.entries(METHODS).map(([name, keys]) => ({
      name: `method ${name}`,
      scene: smallScene(keys),
      ...small,
      seed: 101,
      ...(isSlow(name) && SLOW),
    })),
    ...Object.entries(FRICTION).map(([name, friction]) => ({
      name: `friction ${name}`,
      // Some sweep over all contacts hundreds of times.
      scene: smallScene({ friction, method: { kind: 'static-friction' }, spacing: isSlow(name) ? 0.02 : 0.006 }),
      ...small,
      seed: 102,
      ...(isSlow(name) && SLOW),
    })),
  ];
}
