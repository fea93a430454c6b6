import { createBox, createTorus, type Pose, type TriangleMesh } from '@palpable/engine';
import { createRandom } from '@palpable/engine/advanced';
import {
  aboutAxis,
  COUPLING,
  createWedge,
  FRICTION,
  type PhysicsCase,
  type PhysicsMethod,
  type PhysicsPlay,
  playPhysics,
  poseOf,
  preparePhysics,
  rotate,
  TIME_STEP,
  type Vector,
} from './physics-rig.js';

/** m: the block of all tests, and the plate that it lies on. */
const BLOCK = [0.06, 0.06, 0.03] as const;
const PLATE = [0.3, 0.3, 0.02] as const;
const HALF_HEIGHT = BLOCK[2] / 2;
/** N, with which the device presses. */
const PRESS = 5;
const SINK = PRESS / COUPLING.stiffness;

export interface PhysicsVariant {
  /** Of the shell and of the orientation of everything in the world. */
  readonly seed: number;
  /** Points of the shell. */
  readonly points?: number;
  /** Voxels along the longest side. */
  readonly resolution?: number;
}

/** What came out, what a formula says, and how far off the flagship may be. */
export interface Measured {
  readonly name: string;
  readonly unit: string;
  /** In `unit`, as the two below. */
  readonly value: number;
  readonly truth: number;
  readonly tolerance: number;
}

type Run = (method: PhysicsMethod, variant: PhysicsVariant) => Promise<readonly Measured[]>;

const measured = (name: string, unit: string, value: number, tolerance: number, truth = 0): Measured => ({
  name,
  unit,
  value,
  truth,
  tolerance,
});

export const isWithin = ({ value, truth, tolerance }: Measured) => Math.abs(value - truth) <= tolerance;

function rotationOf(seed: number): [number, number, number, number] {
  if (seed === 0) return [0, 0, 0, 1];
  const random = createRandom(seed);
  const q = [0, 0, 0, 0].map(() => random() + random() + random() - 1.5);
  const size = Math.hypot(...q);
  return q.map((x) => x / size) as [number, number, number, number];
}

function settingOf(
  tool: TriangleMesh,
  others: PhysicsCase['others'],
  { seed, points = 600, resolution = 128 }: PhysicsVariant,
  friction = FRICTION,
): PhysicsCase {
  return { tool, others, friction, points, resolution, seed: seed + 1, turned: rotationOf(seed) };
}

const blockOnPlate = (variant: PhysicsVariant, thickness: number = PLATE[2]) =>
  settingOf(
    createBox(...BLOCK),
    [{ mesh: createBox(PLATE[0], PLATE[1], thickness), pose: poseOf([0, 0, -thickness / 2]) }],
    variant,
  );

function set(out: Pose, position: Vector, q: readonly number[] = [0, 0, 0, 1]): void {
  out.set(position);
  out.set(q, 3);
}

const moved = (play: PhysicsPlay, a: number, b: number) =>
  Math.hypot(...[0, 1, 2].map((i) => play.tool(b)[i]! - play.tool(a)[i]!));

/** Pressed, then pulled slowly until it slips: error of the limit, %, and the speed at 90 % of it, m/s. */
const slipLimit: Run = async (method, variant) => {
  const setting = blockOnPlate(variant);
  const made = await preparePhysics(setting, method);
  const angle = 0.7 * variant.seed;
  const [cx, cy] = [Math.cos(angle), Math.sin(angle)];
  const pull = (cycle: number) => Math.max(0, cycle - 300) * 2e-6;
  const play = playPhysics(made, setting, 2300, (device, cycle) => {
    set(device, [cx * pull(cycle), cy * pull(cycle), HALF_HEIGHT - SINK * Math.min(1, cycle / 200)]);
  });
  let most = 0;
  for (let cycle = 300; cycle < play.cycles; cycle += 1) {
    const [x, y, z] = play.force(cycle);
    if (moved(play, 299, cycle) > 2e-4) break;
    most = Math.max(most, Math.hypot(x, y) / z);
  }
  const hold = playPhysics(made, setting, 2500, (device, cycle) => {
    const x = 0.9 * FRICTION * SINK * Math.min(1, Math.max(0, cycle - 300) / 200);
    set(device, [cx * x, cy * x, HALF_HEIGHT - SINK * Math.min(1, cycle / 200)]);
  });
  return [
    measured('slip limit', '%', 100 * (most / FRICTION - 1), 0.5),
    measured('drift at 90 %', 'nm/s', 1e9 * moved(hold, 1499, 2499), 1),
  ];
};

/** Dragged on a circle of 6 mm: error of the friction, %, and of its direction, degrees. */
const circle: Run = async (method, variant) => {
  const setting = blockOnPlate(variant);
  const made = await preparePhysics(setting, method);
  const result: Measured[] = [];
  for (const [turns, name] of [
    [1, '38 mm/s'],
    [5, '188 mm/s'],
  ] as const) {
    const play = playPhysics(made, setting, 300 + 1500 / turns, (device, cycle) => {
      const angle = 2 * Math.PI * turns * TIME_STEP * Math.max(0, cycle - 300);
      set(device, [
        0.006 * (Math.cos(angle) - 1),
        0.006 * Math.sin(angle),
        HALF_HEIGHT - SINK * Math.min(1, cycle / 200),
      ]);
    });
    let size = 0;
    let bias = 0;
    let count = 0;
    for (let cycle = play.cycles - 1000 / turns; cycle < play.cycles; cycle += 1) {
      const [fx, fy, fz] = play.force(cycle);
      const [a, b] = [play.tool(cycle - 1), play.tool(cycle)];
      const [vx, vy] = [b[0]! - a[0]!, b[1]! - a[1]!];
      size += Math.hypot(fx, fy) / (FRICTION * fz);
      const angle = (180 / Math.PI) * Math.atan2(vx * fy - vy * fx, -(vx * fx + vy * fy));
      bias += angle;
      count += 1;
    }
    result.push(measured(`circle, ${name}`, '%', 100 * (size / count - 1), 1));
    result.push(measured(`its direction, ${name}`, '°', bias / count, 0.5));
  }
  return result;
};

/** A wedge dragged along a groove, its half angle 45° and 30°: error against μ N / sin, %. */
const groove: Run = async (method, variant) => {
  const result: Measured[] = [];
  for (const degrees of [45, 30]) {
    const half = (degrees * Math.PI) / 180;
    const wall = (side: 1 | -1) => {
      const q = aboutAxis([0, 1, 0], -side * (Math.PI / 2 - half));
      return { mesh: createBox(0.2, 0.3, 0.02), pose: poseOf(rotate(poseOf([0, 0, 0], q), [0, 0, -0.01]), q) };
    };
    const setting = settingOf(createWedge(half, 0.04, 0.06), [wall(1), wall(-1)], variant);
    const made = await preparePhysics(setting, method);
    const play = playPhysics(made, setting, 1500, (device, cycle) => {
      set(device, [0, Math.max(0, cycle - 300) * 2e-5, -SINK * Math.min(1, cycle / 200)]);
    });
    let ratio = 0;
    for (let cycle = 1000; cycle < play.cycles; cycle += 1) {
      const [, y, z] = play.force(cycle);
      ratio += -y / z / 500;
    }
    result.push(measured(`groove of ${degrees}°`, '%', 100 * ((ratio * Math.sin(half)) / FRICTION - 1), 1));
  }
  return result;
};

/** Of a face of 60 × 60 mm under even pressure, spun at 10 rad/s and dragged at 20 mm/s. */
const SPUN_PERCENT = 5.9;
const SPUN_ARM_MM = 22.8;

/** Spun at 10 rad/s and dragged at 20 mm/s: force along the path, % of μN (5.9 with even pressure). */
const spin: Run = async (method, variant) => {
  const setting = blockOnPlate(variant);
  const made = await preparePhysics(setting, method);
  const play = playPhysics(made, setting, 1000, (device, cycle) => {
    const t = TIME_STEP * Math.max(0, cycle - 300);
    set(device, [0.02 * t, 0, HALF_HEIGHT - SINK * Math.min(1, cycle / 200)], aboutAxis([0, 0, 1], 10 * t));
  });
  let along = 0;
  let torque = 0;
  for (let cycle = 500; cycle < play.cycles; cycle += 1) {
    const [x, , z] = play.force(cycle);
    along -= x / (FRICTION * z) / 500;
    torque -= play.torque(cycle)[2] / (FRICTION * z) / 500;
  }
  return [
    measured('spun and dragged', '% of μN', 100 * along, 3, SPUN_PERCENT),
    measured('torque arm', 'mm', 1000 * torque, 0.05 * SPUN_ARM_MM, SPUN_ARM_MM),
  ];
};

/** Driven onto a thin plate, 50 mm further than its top: the deepest corner of the block, mm. */
const thinPlate: Run = async (method, variant) => {
  const result: Measured[] = [];
  for (const [thickness, speed] of [
    [0.001, 0.5],
    [0.0005, 2],
  ] as const) {
    const setting = blockOnPlate(variant, thickness);
    const made = await preparePhysics(setting, method);
    const play = playPhysics(made, setting, 600, (device, cycle) => {
      set(device, [0.001, 0.002, HALF_HEIGHT + 0.01 - Math.min(0.06, speed * TIME_STEP * cycle)]);
    });
    let lowest = Number.POSITIVE_INFINITY;
    for (let cycle = 0; cycle < play.cycles; cycle += 1) lowest = Math.min(lowest, lowestCorner(play.tool(cycle)));
    const name = `plate of ${1000 * thickness} mm, ${speed} m/s`;
    result.push(measured(name, 'mm', Math.max(0, -1000 * lowest), 0.3));
  }
  return result;
};

function lowestCorner(pose: Pose): number {
  return Math.min(...cornersOf(pose, BLOCK).map(([, , z]) => z));
}

function cornersOf(pose: Pose, size: readonly [number, number, number]): Vector[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((corner): Vector => {
    const [x, y, z] = rotate(
      pose,
      [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? 0.5 : -0.5) * size[axis]!) as unknown as Vector,
    );
    return [pose[0]! + x, pose[1]! + y, pose[2]! + z];
  });
}

/** Dragged over the built-in torus, which has 48 facets around the tube, and over one of 32. */
const torus: Run = async (method, variant) => [
  ...(await dragOver(createTorus(0.06, 0.02), 'torus', method, variant)),
  ...(await dragOver(createTorus(0.06, 0.02, 64, 32), 'torus of 32 facets', method, variant)),
];

/** Rms of the second differences of the force, N, and its largest change in a cycle, N. */
const dragOver = async (mesh: TriangleMesh, name: string, ...[method, variant]: Parameters<Run>): ReturnType<Run> => {
  const setting = settingOf(createBox(...BLOCK), [{ mesh, pose: poseOf([0, 0, -0.02]) }], variant);
  const made = await preparePhysics(setting, method);
  const play = playPhysics(made, setting, 2000, (device, cycle) => {
    const angle = (0.03 / 0.06) * TIME_STEP * Math.max(0, cycle - 300);
    set(device, [0.06 * Math.cos(angle), 0.06 * Math.sin(angle), HALF_HEIGHT - SINK * Math.min(1, cycle / 200)]);
  });
  let noise = 0;
  let jump = 0;
  let count = 0;
  for (let cycle = 400; cycle < play.cycles; cycle += 1) {
    const [a, b, c] = [play.force(cycle - 2), play.force(cycle - 1), play.force(cycle)];
    noise += [0, 1, 2].reduce((sum, i) => sum + (c[i]! - 2 * b[i]! + a[i]!) ** 2, 0);
    jump = Math.max(jump, Math.hypot(c[0] - b[0], c[1] - b[1], c[2] - b[2]));
    count += 1;
  }
  return [
    measured(`${name}, noise`, 'N', Math.sqrt(noise / count), 0.02),
    measured(`${name}, largest jump`, 'N', jump, 0.5),
  ];
};

/** A step of 1 mm towards a plate that is pressed already: how far the force goes beyond where it ends, %. */
const step: Run = async (method, variant) => {
  const setting = blockOnPlate(variant);
  const made = await preparePhysics(setting, method);
  const play = playPhysics(made, setting, 1000, (device, cycle) => {
    set(device, [0, 0, HALF_HEIGHT - (cycle < 300 ? 0.001 * Math.min(1, cycle / 100) : 0.002)]);
  });
  const before = play.force(299)[2];
  const after = play.force(999)[2];
  let most = 0;
  for (let cycle = 300; cycle < 1000; cycle += 1) most = Math.max(most, play.force(cycle)[2]);
  return [measured('step, overshoot', '%', 100 * ((most - before) / (after - before) - 1), 2)];
};

/** A tilted cube pressed into a corner of three plates and dragged along it: its deepest corner, mm. */
const corner: Run = async (method, variant) => {
  const wall = (axis: 0 | 1 | 2) => {
    const size = [0.2, 0.2, 0.2];
    const place: [number, number, number] = [0.09, 0.09, 0.09];
    size[axis] = 0.02;
    place[axis] = -0.01;
    return { mesh: createBox(size[0]!, size[1]!, size[2]!), pose: poseOf(place) };
  };
  const setting = settingOf(createBox(SIDE, SIDE, SIDE), [wall(0), wall(1), wall(2)], variant, 0.3);
  const made = await preparePhysics(setting, method);
  const tilt = aboutAxis([1, -0.4, 0.2], 0.12);
  const play = playPhysics(made, setting, 1000, (device, cycle) => {
    const [near, along] = [Math.min(1, cycle / 300), Math.max(0, cycle - 400) / 600];
    const sunk = SIDE / 2 + 0.01 - 0.014 * near;
    set(device, [sunk + 0.04 * along, sunk, sunk], tilt);
  });
  let deepest = 0;
  for (let cycle = 0; cycle < play.cycles; cycle += 1) {
    for (const point of cornersOf(play.tool(cycle), [SIDE, SIDE, SIDE]))
      deepest = Math.max(deepest, ...point.map((x) => -x));
  }
  return [measured('tilted cube in a corner', 'mm', 1000 * deepest, 0.1)];
};
const SIDE = 0.05;

export const PHYSICS_TESTS: readonly Run[] = [slipLimit, circle, groove, spin, thinPlate, torus, step, corner];
