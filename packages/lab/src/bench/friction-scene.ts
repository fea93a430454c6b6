import { type Clock, createSceneMethod, type Scene } from '@palpable/engine';
import {
  createFrictionProblem,
  type FrictionProblem,
  type ProgressListener,
  type StaticFrictionMethod,
} from '@palpable/engine/advanced';
import { type LoadedScene, loadGalleryScene } from '../play/load-scene.js';

/** The corner and the cube with as many points on the corner as wanted; more points are more contacts. */
export interface CornerScene extends LoadedScene {
  readonly points: number;
}

/** With so many points on the corner, as in Zhao, Li, Barbič, section 5.4, the cube touches about 98 of them. */
export const POINTS_OF_PAPER = 7772;

const FILE = 'corner-cube.json';
/** Room for the largest of the scenes; the cap is not to be met. */
const MAX_CONTACTS = 4000;
/** N/m: soft, so that many points touch. */
const CONTACT_STIFFNESS = 5000;

export async function loadCorner(points: number, onProgress: ProgressListener): Promise<CornerScene> {
  const change = (read: Scene): Scene => {
    const corner = read.bodies.corner!;
    return {
      ...read,
      contact: { ...read.contact, stiffness: CONTACT_STIFFNESS, maxContacts: MAX_CONTACTS },
      bodies: { ...read.bodies, corner: { ...corner, shell: { ...corner.shell!, count: points, spacing: null } } },
    };
  };
  return { ...(await loadGalleryScene(FILE, { change, onProgress })), points };
}

/** Without a clock it neither reads one nor allocates. */
export function createCornerMethod({ scene, bodies }: CornerScene, clock?: Clock): StaticFrictionMethod {
  return createSceneMethod(scene, bodies, { ...(clock && { clock }) }).method as StaticFrictionMethod;
}

/** A copy that stays as it is while the method goes on. */
export function copyProblem(problem: FrictionProblem): FrictionProblem {
  const { count } = problem;
  const copy = createFrictionProblem(count);
  copy.count = count;
  copy.mass = problem.mass;
  copy.length = problem.length;
  copy.contactStiffness = problem.contactStiffness;
  for (const name of ['wrench', 'stiffness', 'couplingWrench', 'couplingStiffness', 'inertia'] as const) {
    copy[name].set(problem[name]);
  }
  for (const [name, size] of PER_CONTACT) copy[name].set(problem[name].subarray(0, size * count));
  return copy;
}

const PER_CONTACT = [
  ['arm', 3],
  ['normal', 3],
  ['tangent', 6],
  ['normalForce', 1],
  ['normalStiffness', 1],
  ['coefficient', 1],
  ['role', 1],
  ['stretch', 2],
] as const;
