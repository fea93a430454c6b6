import {
  buildSceneMesh,
  checkSceneValue,
  createLiveSession,
  createPose,
  planPreparation,
  prepareBody,
  stepLive,
} from '@palpable/engine';

/** Two hands that touch each other, cycle after cycle: prints how many bytes the median stretch adds to the heap. */
const STRETCHES = 10;
const STRETCH = 1000;
const WARM_UP = 20_000;

// The plainest method, so that it is the loop that is measured.
const value = {
  palpable: 1,
  bodies: {
    left: { mesh: { sphere: 0.03 }, position: [-0.05, 0, 0], shell: { count: 200 } },
    right: { mesh: { sphere: 0.03 }, position: [0.05, 0, 0], field: { resolution: 32 } },
  },
  tool: ['left', 'right'],
  method: { kind: 'penalty' },
};

/** @param {number} x */
function createDevice(x) {
  const pose = createPose(x);
  return {
    limits: { force: 9.5, torque: 0.35 },
    pose,
    /** @param {Float64Array} out */
    read(out) {
      out.set(pose);
      return true;
    },
    write() {},
  };
}

const { scene } = checkSceneValue(value);
if (!scene || !globalThis.gc) throw new Error('The scene has problems, or Node was started without --expose-gc.');
const bodies = new Map();
for (const [name, options] of planPreparation(scene)) {
  const mesh = buildSceneMesh(scene.bodies[name]);
  if (mesh) bodies.set(name, await prepareBody(mesh, options));
}
const devices = [createDevice(-0.05), createDevice(0.05)];
const session = createLiveSession(value, bodies, [
  { tool: 'left', device: devices[0] },
  { tool: 'right', device: devices[1] },
]);
const path = Float64Array.from({ length: 1000 }, (_, k) => 0.0025 * Math.sin((k * Math.PI) / 500));
let cycle = 0;
let touched = 0;

/** @param {number} cycles */
function run(cycles) {
  for (const end = cycle + cycles; cycle < end; cycle += 1) {
    const near = path[cycle % path.length];
    devices[0].pose[0] = -0.03 + near;
    devices[1].pose[0] = 0.03 - near;
    stepLive(session, 0);
    if (session.hands[0].servo.output.contacts > 0) touched += 1;
  }
}

run(WARM_UP);
globalThis.gc();
const growths = [];
for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
  const before = process.memoryUsage().heapUsed;
  run(STRETCH);
  growths.push((process.memoryUsage().heapUsed - before) / STRETCH);
}
growths.sort((a, b) => a - b);
console.log(JSON.stringify({ touched, bytesPerCycle: growths[STRETCHES / 2] }));
