import {
  buildSceneMesh,
  checkSceneValue,
  createMethodOutput,
  createPose,
  createSceneMethod,
  planPreparation,
  prepareBody,
  STATE_SLIP,
  sceneWithMethod,
} from '@palpable/engine';
import { createProximitySide, describeDeformableScene } from '@palpable/engine/advanced';

/**
 * A soft block pressed on a plate and dragged about, cycle after cycle: prints how many bytes the median stretch adds to
 * the heap. With the argument `linked` proximity is behind a link, as when it runs in a thread of its own; with `finely` the
 * tolerance is so small that sweeps alone do not meet it, and Newton steps follow.
 */
const STRETCHES = 10;
const STRETCH = 500;
const WARM_UP = 5000;

const checked = checkSceneValue({
  palpable: 1,
  bodies: {
    plate: { mesh: { box: [0.1, 0.1, 0.01] }, position: [0, 0, -0.005] },
    block: {
      mesh: { box: [0.02, 0.02, 0.02] },
      position: [0, 0, 0.011],
      deformable: {
        young: 1e5,
        elementSize: 0.007,
        modes: 6,
        fixed: [{ min: [-0.02, -0.02, 0.005], max: [0.02, 0.02, 0.02] }],
      },
    },
  },
  tool: 'block',
  method: {
    kind: 'deformable',
    solvedContacts: 16,
    ...(process.argv[2] === 'finely' && { solverTolerance: 1e-11 }),
  },
});
if (!checked.scene || !globalThis.gc) {
  throw new Error('The scene has problems, or Node was started without --expose-gc.');
}
const { scene } = checked;
const bodies = new Map();
for (const [name, options] of planPreparation(scene)) {
  const mesh = buildSceneMesh(scene.bodies[name]);
  if (mesh) bodies.set(name, await prepareBody(mesh, options));
}

function createLink() {
  const setup = describeDeformableScene(sceneWithMethod(scene, 'deformable'), bodies, ['block']);
  const side = createProximitySide(setup);
  // As long as that of a world without a link.
  const model = new Float64Array(createSceneMethod(scene, bodies).method.contactModel?.length ?? 0);
  return {
    model: () => model,
    /** @param {Float64Array} state */
    tell(state) {
      side.update(model, state);
    },
  };
}

const isLinked = process.argv[2] === 'linked';
const { method } = createSceneMethod(scene, bodies, isLinked ? { contactLink: createLink() } : {});
const output = createMethodOutput();
const motion = Array.from({ length: 1000 }, (_, n) => {
  const turn = (n * Math.PI) / 500;
  return createPose(0.004 * Math.sin(turn), 0.004 * Math.cos(2 * turn), 0.0102 - 0.002 * Math.sin(3 * turn) ** 2);
});
method.reset(motion[0]);
let cycle = 0;
let touched = 0;
let slid = 0;

/** @param {number} cycles */
function run(cycles) {
  for (const end = cycle + cycles; cycle < end; cycle += 1) {
    method.step(output, motion[cycle % motion.length]);
    if (output.contacts > 0) touched += 1;
    if (output.frictionState === STATE_SLIP) slid += 1;
  }
}

run(WARM_UP);
touched = 0;
slid = 0;
globalThis.gc();
const growths = [];
for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
  const before = process.memoryUsage().heapUsed;
  run(STRETCH);
  growths.push((process.memoryUsage().heapUsed - before) / STRETCH);
}
growths.sort((a, b) => a - b);
console.log(JSON.stringify({ cycles: STRETCHES * STRETCH, touched, slid, bytesPerCycle: growths[STRETCHES / 2] }));
