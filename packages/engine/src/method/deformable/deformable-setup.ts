import type { ElasticBody } from '../../elasticity/elastic-body.js';
import type { ElasticMaterial } from '../../elasticity/elastic-dynamics.js';
import type { DistanceField } from '../../field/distance-field.js';
import type { Pose } from '../../math/pose.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { checkOptions, optionsOf } from '../../settings/check-options.js';
import { couplingParameter, gravityParameter, timeStepParameter } from '../../settings/group-parameters.js';
import type { FadeOptions } from '../contact-fade.js';
import type { ContactRunnerOptions } from '../contact-runner.js';
import { modularParameters } from '../modular/modular-parameters.js';
import type { ToolBody } from '../tool-contacts.js';
import { deformableParameters } from './deformable-parameters.js';
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

/** The bodies of a deformable world, which of them touch, which are held, and how contacts are solved. */
export interface DeformableSetup {
  readonly bodies: readonly DeformableBodySetup[];
  readonly pairs: readonly DeformablePairSetup[];
  /** Bodies that are held, in the order of the hands. */
  readonly hands: readonly number[];
  readonly options: DeformableOptions;
}

export interface DeformableOptions extends FadeOptions, Pick<ContactRunnerOptions, 'contactRatio'> {
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
}

const { alarmDistance, solvedContacts, localSolver, solverTolerance, maxSweeps } = deformableParameters;
const { contactRatio, fadeAfter, fadeTime } = modularParameters;
const { stiffness, torsionalStiffness, damping, torsionalDamping, graspPoint } = couplingParameter.keys;

/** Contacts closer together than this part of the alarm distance say the same. */
export const SPACING_SHARE = 0.5;

/** The options of `deformable` in a scene that says nothing. */
export const DEFAULT_DEFORMABLE_OPTIONS: DeformableOptions = {
  timeStep: timeStepParameter.default,
  coupling: {
    stiffness: stiffness.default,
    torsionalStiffness: torsionalStiffness.default,
    damping: damping.default,
    torsionalDamping: torsionalDamping.default,
    graspPoint: graspPoint.default,
  },
  gravity: gravityParameter.default,
  alarmDistance: alarmDistance.default,
  contacts: solvedContacts.default,
  spacing: SPACING_SHARE * alarmDistance.default,
  local: localSolver.default,
  tolerance: solverTolerance.default,
  maxSweeps: maxSweeps.default,
  contactRatio: contactRatio.default,
  fadeAfter: fadeAfter.default,
  fadeTime: fadeTime.default,
  recovery: 0.05,
};

/** Throws `option-invalid` with all that is wrong. */
export function checkDeformableOptions(options: DeformableOptions): void {
  checkOptions([
    ...optionsOf('coupling', couplingParameter.keys, options.coupling),
    ...optionsOf('method', { alarmDistance, maxSweeps, contactRatio, fadeAfter, fadeTime }, options),
    // A scene's bound is that of a cycle's time; who steps a world by himself may take longer.
    ['method.solvedContacts', { ...solvedContacts, max: 100_000 }, options.contacts],
    ['method.localSolver', localSolver, options.local],
    ['method.solverTolerance', solverTolerance, options.tolerance],
    ['timeStep', timeStepParameter, options.timeStep],
    ['gravity', gravityParameter, options.gravity],
  ]);
}
