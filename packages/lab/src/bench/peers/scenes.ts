import { resolve } from 'node:path';
import { mapBodies, openAssetCache, prepareScene } from '@palpable/cli/internal';
import {
  checkSceneValue,
  createCapsule,
  createMesh,
  createPose,
  type Pose,
  type PreparedBody,
  type Scene,
  type TriangleMesh,
  transformPoint,
} from '@palpable/engine';
import { meshBounds, sceneError } from '@palpable/engine/advanced';
import { type LoadedScene, loadGalleryScene } from '../../play/load-scene.js';
import { motionThrough } from '../../play/motion.js';
import { COUPLING, preparePhysics, TIME_STEP } from '../physics-rig.js';
import { createOverlap } from './overlap.js';
import type { Piece, Triple } from './peer.js';
import { createSolid } from './solid.js';

/*
 * The scenes that all systems are led through, each the same motion for all. Lengths in m, friction the same at rest and in
 * motion, coupling 1000 N/m and 5 N m/rad, cycles of 1 ms, no gravity.
 */

/** One of our methods, as scene files name it. */
export type MethodSettings = Readonly<Record<string, unknown>> & { readonly kind: string };

export interface PeerScene {
  readonly name: string;
  readonly title: string;
  readonly friction: number;
  /** Exact convex pieces, in the frames of the parts; null where there are none, or nobody knows. */
  readonly pieces: { readonly tool: readonly Piece[] | null; readonly body: readonly Piece[] | null };
  /** Prepared for a method. */
  readonly load: (method: MethodSettings) => Promise<LoadedScene>;
  readonly course: (parts: SceneParts, isQuick: boolean) => Course;
  /** Whether the lowest vertex of the tool is reported: where it ends, or the lowest of all cycles. */
  readonly lowest?: 'last' | 'ever';
}

export interface SceneParts {
  readonly tool: PreparedBody;
  readonly body: PreparedBody;
  readonly toolPose: Pose;
  readonly bodyPose: Pose;
}

/** From one cycle to before another. */
export type Span = readonly [from: number, to: number];

/** The device, cycle by cycle, and what is measured when; a span counts cycles. */
export interface Course {
  /** Played one after the other, each from the start; the spans below count through all. */
  readonly plays: readonly (readonly Pose[])[];
  /** Held under load: drift from the first to the last of these cycles. */
  readonly still?: Span;
  /** The same while the load swings; both ends at the same phase. */
  readonly cyclic?: Span;
  /** Pulled along x until it slides, held against y and z. */
  readonly pull?: Span;
  /** Where the noise is taken; everywhere unless given. */
  readonly steady?: Span;
  /** Of each play: where the tool's origin is when the meshes touch on the path of the press, and where that leads. */
  readonly touches?: readonly { readonly at: Triple; readonly direction: Triple }[];
}

/** Seconds, then the place: x, y, z, rotation vector. */
type Leg = readonly [seconds: number, x: number, y: number, z: number, rx?: number, ry?: number, rz?: number];

class Route {
  readonly poses: Pose[] = [];
  private at: readonly number[];
  private readonly standing: Pose;

  constructor(standing: Pose, x: number, y: number, z: number) {
    this.standing = standing;
    this.at = [x, y, z, 0, 0, 0];
  }

  /** Slowly at both ends of each leg. */
  through(...legs: readonly Leg[]): Span {
    const from = this.poses.length;
    for (const [seconds, x, y, z, rx = 0, ry = 0, rz = 0] of legs) {
      const place = [x, y, z, rx, ry, rz];
      this.poses.push(...motionThrough([seconds, ...place], this.at, this.standing, TIME_STEP));
      this.at = place;
    }
    return [from, this.poses.length];
  }
}

const box = (half: Triple, centre: Triple = [0, 0, 0]): Piece => ({ kind: 'box', half, centre });

/** The box between two corners. */
function between(min: Triple, max: Triple): Piece {
  const middle = (i: 0 | 1 | 2) => 0.5 * (min[i] + max[i]);
  const half = (i: 0 | 1 | 2) => 0.5 * (max[i] - min[i]);
  return box([half(0), half(1), half(2)], [middle(0), middle(1), middle(2)]);
}

/** A scene of the gallery with the friction, coupling and method that all share. */
function gallery(file: string, friction: number): PeerScene['load'] {
  return (method) =>
    loadGalleryScene(file, {
      change: (scene) => {
        const settings = { static: friction, kinetic: friction, coefficient: friction };
        const { palpable, bodies, tool } = scene;
        return checked({ palpable, bodies, tool, method, friction: settings });
      },
    });
}

function checked(value: object): Scene {
  const { scene, problems } = checkSceneValue({ coupling: COUPLING, timeStep: TIME_STEP, ...value });
  if (!scene) throw sceneError('scene', problems);
  return scene;
}

/** Presses the cube 4 mm into two faces: 4 N on each. */
const CUBE_PRESSED = 0.004;
const CUBE_FRICTION = 0.5;

const cube: PeerScene = {
  name: 'cube',
  title: 'Cube of 0.1 m against two faces of a corner, μ 0.5, pulled at 70 % of what friction holds',
  friction: CUBE_FRICTION,
  pieces: {
    tool: [box([0.05, 0.05, 0.05])],
    body: [
      between([-0.02, -0.02, -0.02], [0.6, 0.6, 0]),
      between([-0.02, -0.02, 0], [0.6, 0, 0.6]),
      between([-0.02, 0, 0], [0, 0.6, 0.6]),
    ],
  },
  load: gallery('corner-cube.json', CUBE_FRICTION),
  course({ toolPose }, isQuick) {
    const [x, pressed, apart] = [0.2, 0.05 - CUBE_PRESSED, 0.051];
    const limit = CUBE_FRICTION * 2 * CUBE_PRESSED;
    const seconds = isQuick ? 1 : 10;
    const route = new Route(toolPose, x, apart, apart);
    const leg = (time: number, part: number): Leg => [time, x + part * limit, pressed, pressed];
    route.through(leg(0.2, 0), leg(0.1, 0), leg(0.2, 0.7), leg(0.3, 0.7));
    const still = route.through(leg(seconds, 0.7));
    const swings = Array.from({ length: seconds }, () => [leg(0.5, 0), leg(0.5, 0.7)]).flat();
    route.through(leg(0.5, 0), leg(0.5, 0.7));
    const cyclic = route.through(...swings);
    route.through(leg(0.5, 0));
    const pull = route.through(leg(3, 1.5));
    return { plays: [route.poses], still, cyclic, pull };
  },
};

const LOW_FRICTION = 0.2;

const bunny: PeerScene = {
  name: 'bunny',
  title: 'Bunny on teapot, pressed 10 mm past touch at three places and dragged',
  friction: LOW_FRICTION,
  pieces: { tool: null, body: null },
  load: gallery('bunny-teapot.json', LOW_FRICTION),
  course: pressAndDrag,
};

const peg: PeerScene = {
  name: 'peg',
  title: 'Peg in a blind hole with 0.4 mm of clearance, floor at −190 mm',
  friction: LOW_FRICTION,
  pieces: {
    tool: [box([0.0246, 0.0246, 0.09])],
    body: [
      between([-0.05, -0.05, -0.2], [0.05, 0.05, -0.19]),
      between([-0.05, -0.05, -0.19], [-0.025, 0.05, 0]),
      between([0.025, -0.05, -0.19], [0.05, 0.05, 0]),
      between([-0.025, -0.05, -0.19], [0.025, -0.025, 0]),
      between([-0.025, 0.025, -0.19], [0.025, 0.05, 0]),
    ],
  },
  load: gallery('peg-blind-hole.json', LOW_FRICTION),
  lowest: 'last',
  course({ toolPose }) {
    const route = new Route(toolPose, 0, 0, 0.1);
    route.through([0.2, 0, 0, 0.095], [0.3, 0, 0, 0.08], [1, 0.003, 0.001, -0.09], [0.2, 0, 0, -0.105]);
    route.through([0.3, 0.005, 0, -0.105], [0.3, -0.005, 0.005, -0.105], [0.3, 0, -0.005, -0.1]);
    route.through([0.3, 0.003, 0, -0.1, 0.05, 0.05, 0.1], [0.3, 0, 0, -0.105], [0.2, 0, 0, -0.105]);
    return { plays: [route.poses] };
  },
};

const SHEET_SPEED = 1;
const SHEET_PRESSED = 0.02;
/** Over the last of its path the device slows down evenly. */
const SLOWING = 0.01;

const sheet: PeerScene = {
  name: 'sheet',
  title: 'Bunny on a sheet of 0.5 mm at 1 m/s, pressed 20 mm, held and dragged; the sheet’s upper face is at 0',
  friction: LOW_FRICTION,
  pieces: { tool: null, body: [box([0.2, 0.2, 0.00025])] },
  load: gallery('thin-sheet.json', LOW_FRICTION),
  lowest: 'ever',
  course({ tool, toolPose }) {
    const touch = -lowestVertex(tool.mesh, toolPose);
    const end = toolPose[2]! + touch - SHEET_PRESSED;
    const fall: Pose[] = [];
    const at = (z: number) => {
      const pose = toolPose.slice();
      pose.set([0, 0, z]);
      fall.push(pose);
    };
    const step = SHEET_SPEED * TIME_STEP;
    for (let z = end + SHEET_PRESSED + 0.02; z > end + SLOWING; z -= step) at(z);
    const slowing = (2 * SLOWING) / SHEET_SPEED;
    for (let left = slowing; left > 0; left -= TIME_STEP) at(end + SLOWING * (left / slowing) ** 2);
    const route = new Route(toolPose, 0, 0, end);
    route.poses.push(...fall);
    route.through([0.1, 0, 0, end]);
    const [from] = route.through([0.3, 0, 0, end]);
    const [, to] = route.through([0.5, 0.06, 0.02, end], [0.2, 0.06, 0.02, end]);
    return { plays: [route.poses], steady: [from, to] };
  },
};

const RADIUS = 0.015;
const HALF = 0.03;
const GROOVE_HALF = 0.12;

/** The cross-section of half a block with a groove of 90°, convex; its mirror is the other half. */
const HALF_GROOVE = [
  [0, -0.04],
  [0.08, -0.04],
  [0.08, 0.06],
  [0.06, 0.06],
  [0, 0],
] as const;

const groove: PeerScene = {
  name: 'groove',
  title: 'Capsule in a groove of 90°, pressed, dragged along and rotated; for the others a capsule and two prisms',
  friction: LOW_FRICTION,
  pieces: {
    tool: [{ kind: 'capsule', radius: RADIUS, half: HALF }],
    body: [1, -1].map((side) => ({ kind: 'hull', points: prism(side) })),
  },
  load: async (method) =>
    preparePhysics(
      {
        tool: createCapsule(RADIUS, 2 * HALF),
        others: [{ mesh: grooveMesh(), pose: createPose() }],
        friction: LOW_FRICTION,
        points: 4000,
        resolution: 200,
        seed: 1,
        turned: [0, 0, 0, 1],
      },
      { name: method.kind, method },
    ),
  course({ toolPose }) {
    const touch = Math.SQRT2 * RADIUS;
    const pressed = touch - 0.005;
    const route = new Route(toolPose, 0, touch + 0.003, -0.03);
    route.through([0.2, 0, pressed, -0.03], [0.2, 0, pressed, -0.03], [0.5, 0, pressed, 0.04]);
    route.through([0.4, 0, pressed, 0.04, 0, 0, 0.5], [0.4, 0.003, pressed, 0, 0, 0, -0.5]);
    route.through([0.3, 0, pressed, 0, 0.05, 0, 0], [0.3, -0.003, pressed, 0], [0.2, 0, touch + 0.003, 0]);
    return { plays: [route.poses] };
  },
};

function prism(side: number): Float64Array {
  return Float64Array.from(HALF_GROOVE.flatMap(([x, y]) => [side * x, y, -GROOVE_HALF, side * x, y, GROOVE_HALF]));
}

function grooveMesh(): TriangleMesh {
  const right = HALF_GROOVE.map(([x, y]) => [x, y] as const);
  const left = HALF_GROOVE.slice(1, -1).map(([x, y]) => [-x, y] as const);
  // Around the outline: bottom middle, right side, valley, left side.
  const outline = [...right, ...left.reverse()];
  const count = outline.length;
  const positions = [-GROOVE_HALF, GROOVE_HALF].flatMap((z) => outline.flatMap(([x, y]) => [x, y, z]));
  const valley = right.length - 1;
  const cap = [
    ...fan(0, ...Array.from({ length: valley }, (_, n) => n + 1)),
    ...fan(0, ...Array.from({ length: count - valley }, (_, n) => valley + n)),
  ];
  const triangles = cap.flatMap(([a, b, c]) => [a, c, b, a + count, b + count, c + count]);
  for (let n = 0; n < count; n += 1) {
    const next = (n + 1) % count;
    triangles.push(n, next, next + count, n, next + count, n + count);
  }
  return createMesh(Float64Array.from(positions), Uint32Array.from(triangles));
}

function fan(first: number, ...others: readonly number[]): (readonly [number, number, number])[] {
  return others.slice(1).map((each, n) => [first, others[n]!, each]);
}

export const PEER_SCENES: readonly PeerScene[] = [cube, bunny, peg, sheet, groove];

/** The motion of the bunny for meshes of one's own. */
export function ownMeshes(tool: string, body: string): PeerScene {
  const value = (method: MethodSettings) => ({
    palpable: 1,
    bodies: { tool: { mesh: resolve(tool) }, body: { mesh: resolve(body) } },
    tool: 'tool',
    method,
    friction: { coefficient: LOW_FRICTION },
  });
  return {
    name: 'own',
    title: `${tool} on ${body}, pressed 10 mm past touch at three places and dragged`,
    friction: LOW_FRICTION,
    pieces: { tool: null, body: null },
    async load(method) {
      const scene = checked(value(method));
      const prepared = await prepareScene(scene, resolve('scene.json'), { cache: openAssetCache() });
      return { scene, bodies: mapBodies(prepared) };
    },
    course: pressAndDrag,
  };
}

/** Directions of the three presses, of length 1 to a hundredth. */
const DIRECTIONS: readonly Triple[] = [
  [0, 0, -1],
  [0.94, 0.19, -0.28],
  [-0.34, 0.84, -0.42],
];
const PRESSED = 0.01;
const APART = 0.005;
/** How far it is dragged, at most, and as a share of the smaller part's diagonal. */
const DRAGGED = 0.02;
const DRAGGED_SHARE = 0.1;

function pressAndDrag(parts: SceneParts, isQuick: boolean): Course {
  const { tool, body, toolPose } = parts;
  const drag = Math.min(DRAGGED, DRAGGED_SHARE * Math.min(diagonal(tool.mesh), diagonal(body.mesh)));
  const directions = DIRECTIONS.slice(0, isQuick ? 1 : DIRECTIONS.length);
  const touches = directions.map((direction) => ({ at: touchAlong(direction, parts), direction }));
  const plays = touches.map(({ at: [x, y, z], direction: [dx, dy, dz] }) => {
    // Sideways, and square to both.
    const flat = Math.hypot(dx, dy);
    const [ux, uy] = flat > 0.1 ? [-dy / flat, dx / flat] : [1, 0];
    const [vx, vy, vz] = [-dz * uy, dz * ux, dx * uy - dy * ux];
    const leg = (seconds: number, depth: number, u = 0, v = 0): Leg => [
      seconds,
      x + depth * dx + u * ux + v * vx,
      y + depth * dy + u * uy + v * vy,
      z + depth * dz + v * vz,
    ];
    const [, ...start] = leg(0, -APART);
    const route = new Route(toolPose, start[0]!, start[1]!, start[2]!);
    route.through(leg(0.3, PRESSED), leg(0.15, PRESSED), leg(0.3, PRESSED, drag), leg(0.3, PRESSED, 0, drag));
    route.through(leg(0.1, PRESSED, 0, drag), leg(0.2, -APART, 0, drag));
    return route.poses;
  });
  return { plays, touches };
}

/** Where the tool stands when it first touches the body on its path along a direction, middle towards middle. */
function touchAlong(direction: Triple, { tool, body, toolPose, bodyPose }: SceneParts): Triple {
  const overlap = createOverlap(createSolid(tool.mesh), createSolid(body.mesh));
  const [from, to] = [middleOf(tool.mesh, toolPose), middleOf(body.mesh, bodyPose)];
  const reach = diagonal(tool.mesh) + diagonal(body.mesh);
  const pose = toolPose.slice();
  const placeAt = (travel: number): Triple => {
    const coordinate = (i: 0 | 1 | 2) => toolPose[i]! + to[i] - from[i] + (travel - reach) * direction[i];
    return [coordinate(0), coordinate(1), coordinate(2)];
  };
  const touches = (travel: number) => {
    pose.set(placeAt(travel));
    return overlap.touches(pose, bodyPose);
  };
  let [free, hit] = [0, 0];
  while (!touches(hit)) {
    free = hit;
    hit += 0.005 * reach;
    if (hit > 2 * reach) throw new Error('The tool does not meet the body on its path.');
  }
  while (hit - free > 1e-6) {
    const middle = 0.5 * (free + hit);
    if (touches(middle)) hit = middle;
    else free = middle;
  }
  return placeAt(free);
}

function diagonal(mesh: TriangleMesh): number {
  const { min, max } = meshBounds(mesh);
  return Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

/** Of the box around a mesh, in the world. */
function middleOf(mesh: TriangleMesh, pose: Pose): Triple {
  const { min, max } = meshBounds(mesh);
  const [x, y, z] = transformPoint(
    new Float64Array(3),
    pose,
    0.5 * (min[0] + max[0]),
    0.5 * (min[1] + max[1]),
    0.5 * (min[2] + max[2]),
  );
  return [x!, y!, z!];
}

/** Of all vertices, the least height in the world, m. */
export function lowestVertex({ positions }: TriangleMesh, pose: Pose): number {
  const at = new Float64Array(3);
  let lowest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < positions.length; n += 3) {
    transformPoint(at, pose, positions[n]!, positions[n + 1]!, positions[n + 2]!);
    lowest = Math.min(lowest, at[2]!);
  }
  return lowest;
}
