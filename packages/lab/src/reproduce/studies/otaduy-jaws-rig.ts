import { type AssetCache, cacheKey } from '@palpable/cli/internal';
import {
  cleanMesh,
  createPose,
  encodeAsset,
  type Pose,
  type PreparedBody,
  prepareBody,
  type TriangleMesh,
} from '@palpable/engine';
import { type HierarchyQuery, simplifyMesh, subdivideMesh, triangleCount } from '@palpable/engine/advanced';
import { eased } from '../../play/motion.js';
import { bisect } from '../../play/statistics.js';
import type { Lab } from '../study.js';
import { depthMeter, frictionOf, handMotion, hierarchyQuery, pairOf, solidTool, TIME_STEP } from './otaduy-rig.js';

/* The jaws of Otaduy and Lin, section VII-D, as often cut or simplified as wanted, and a motion of the upper over the lower. */
export type Jaws = Awaited<ReturnType<typeof prepareJaws>>;

/** The tool is the upper jaw; hierarchies are kept in the cache, since building them takes a minute. */
export async function prepareJaws(
  { scene, bodies, cache }: Pick<Lab, 'scene' | 'bodies' | 'cache'>,
  [upperTriangles, lowerTriangles]: readonly number[],
) {
  const [tool, environment] = pairOf(scene);
  const upper = await prepareJaw(bodies.get(tool)!.mesh, upperTriangles!, cache);
  const lower = await prepareJaw(bodies.get(environment)!.mesh, lowerTriangles!, cache);
  return {
    upper: upper.hierarchy!,
    lower: lower.hierarchy!,
    upperMesh: upper.mesh,
    lowerMesh: lower.mesh,
    friction: frictionOf(scene),
    /** Triangles of both. */
    triangles: [triangleCount(upper.mesh), triangleCount(lower.mesh)],
  };
}

async function prepareJaw(given: TriangleMesh, triangles: number, cache: AssetCache): Promise<PreparedBody> {
  const mesh = resized(given, triangles);
  const bytes = [mesh.positions, mesh.triangles].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  const key = cacheKey(bytes, 'convex hierarchy of a jaw');
  const known = await cache.get(key);
  if (known?.hierarchy) return known;
  const body = await prepareBody(mesh, { field: null, shell: null, hierarchy: {} });
  await cache.put(key, encodeAsset(body));
  return body;
}

/** The same shape with more triangles, or nearly the same with fewer. */
function resized(mesh: TriangleMesh, triangles: number): TriangleMesh {
  if (triangles >= triangleCount(mesh)) return subdivideMesh(mesh, triangles);
  return cleanMesh(simplifyMesh(mesh, { triangles })).mesh;
}

/** Deeper passages may be missed; about half a tooth's thickness. */
const MAX_DEPTH = 0.002;

/** With a tolerance that is a part of the smaller radius. */
export function jawQuery({ upper, lower }: Jaws, tolerance: number, distanceTolerance: number): HierarchyQuery {
  const length = tolerance * Math.min(upper.radius, lower.radius);
  return hierarchyQuery(upper, lower, { distanceTolerance, tolerance: length, maxDepth: MAX_DEPTH });
}

export interface JawMotion {
  readonly seed: number;
  readonly seconds: number;
  /** Of the swings over the lower jaw along and about x, y, z, m and rad. */
  readonly sizes: readonly number[];
  /** How far the device goes below the first contact, m. */
  readonly press: number;
}

/** Before it presses the upper jaw hangs this far above the first contact, m. */
const CLEARANCE = 0.004;
const CLOSING_SECONDS = 0.15;

/** Down to the lower jaw, then over it while pressing. */
export function jawMotion(jaws: Jaws, { press, ...hand }: JawMotion): Pose[] {
  const start = createPose();
  start[2] = firstContact(jaws) + CLEARANCE;
  const motion = handMotion(hand, start);
  return motion.map((pose, cycle) => {
    const part = eased(Math.min(1, (cycle * TIME_STEP) / CLOSING_SECONDS));
    const lowered = Float64Array.from(pose);
    lowered[2] = pose[2]! - part * (CLEARANCE + press);
    return lowered;
  });
}

const HIGHEST = 0.03;
const SEARCHES = 16;
/** Part of the radius. */
const FINEST = 0.0035;

/** Height at which the upper jaw, let down, touches the lower one at the finest level. */
function firstContact(jaws: Jaws): number {
  const depthAt = depthMeter(jawQuery(jaws, FINEST, 5e-4), solidTool(jaws.upperMesh, 0.01));
  const pose = createPose();
  const touches = (height: number) => {
    pose[2] = height;
    return depthAt(pose) > 0;
  };
  let high = HIGHEST;
  // From above in steps that cannot jump over a contact.
  while (high > -HIGHEST && !touches(high - 0.001)) high -= 0.001;
  return bisect(touches, high - 0.001, high, SEARCHES)[1];
}
