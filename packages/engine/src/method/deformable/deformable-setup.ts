import type { ElasticBody } from '../../elasticity/elastic-body.js';
import type { ElasticMaterial } from '../../elasticity/elastic-dynamics.js';
import type { DistanceField } from '../../field/distance-field.js';
import type { Pose } from '../../math/pose.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import type { ToolBody } from '../tool-contacts.js';
import type { GripCoupling } from './rigid-part.js';

/** One body of a world of deformable and rigid bodies. */
export interface DeformableBodySetup {
  /** The rest surface in the body's frame: that of the elastic body, if it is one. */
  readonly surface: TriangleMesh;
  /** Null for a rigid body. */
  readonly elastic: { readonly body: ElasticBody; readonly material: Omit<ElasticMaterial, 'poisson'> } | null;
  /** Of a rigid body: contacts are found on its distances instead of its triangles. */
  readonly field: DistanceField | null;
  /** Of a body that a hand holds; null for one that stands still. */
  readonly tool: ToolBody | null;
  /** Where the body frame is at first. */
  readonly pose: Pose;
}

/** Two bodies that may touch; at least one of them can move or bend. */
export interface DeformablePairSetup {
  /** Indices of bodies. */
  readonly first: number;
  readonly second: number;
  readonly staticCoefficient: number;
  readonly kineticCoefficient: number;
}

export interface DeformableSetup {
  readonly bodies: readonly DeformableBodySetup[];
  readonly pairs: readonly DeformablePairSetup[];
  /** Bodies that are held, in the order of the hands. */
  readonly hands: readonly number[];
  readonly options: DeformableOptions;
}

export interface DeformableOptions {
  /** s */
  readonly timeStep: number;
  readonly coupling: GripCoupling;
  /** m/s², world frame. */
  readonly gravity: readonly [number, number, number];
  /** Features closer than this are contacts, m. */
  readonly alarmDistance: number;
  /** Most contacts that are solved in a cycle. */
  readonly contacts: number;
  /** Contacts closer than this to a kept one are left out when there are too many, m. */
  readonly spacing: number;
  readonly local: 'exact' | 'diagonal';
  /** The solver ends when no contact was moved further than this by a sweep, m. */
  readonly tolerance: number;
  readonly maxSweeps: number;
  /** Contacts are found in every so many-th step. */
  readonly contactRatio: number;
  /** s without a new model until the force fades, the time constant of fading, and s in half of which it comes back. */
  readonly fadeAfter: number;
  readonly fadeTime: number;
  readonly recovery: number;
}

export const DEFAULT_DEFORMABLE_OPTIONS: DeformableOptions = {
  timeStep: 0.001,
  coupling: {
    stiffness: 1000,
    torsionalStiffness: 5,
    damping: null,
    torsionalDamping: null,
    graspPoint: null,
  },
  gravity: [0, 0, 0],
  alarmDistance: 0.002,
  contacts: 40,
  spacing: 0.001,
  local: 'exact',
  tolerance: 1e-6,
  maxSweeps: 60,
  contactRatio: 1,
  fadeAfter: 0.1,
  fadeTime: 0.1,
  recovery: 0.05,
};
