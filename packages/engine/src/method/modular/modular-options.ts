import { PalpableError } from '../../base/errors.js';
import type { Pose } from '../../math/pose.js';
import type { Clock } from '../method.js';
import type { ToolBody } from '../tool-contacts.js';
import type { IntegratorKind } from './integrate.js';

/** Settings of the modular method. `null` leaves a number to the method, which then says below what it takes. */
export interface ModularOptions {
  readonly integrator: IntegratorKind;
  /** s */
  readonly timeStep: number;
  readonly coupling: {
    /** k_c, N/m, and k_θ, N m/rad. Too stiff for the device, and it buzzes. */
    readonly stiffness: number;
    readonly torsionalStiffness: number;
    /** b_c, N s/m, and b_θ, N m s/rad; null for the critical damping of the tool. */
    readonly damping: number | null;
    readonly torsionalDamping: number | null;
    /** In the tool's body frame, m; null for the centre of mass. */
    readonly graspPoint: readonly [number, number, number] | null;
    /** N and N m at which the springs give way; `Infinity` for never. */
    readonly maxForce: number;
    readonly maxTorque: number;
    /** Time constant of the filter of the device's velocity, s; null to take that velocity as zero. */
    readonly velocityFilter: number | null;
  };
  readonly contact: {
    /** k of one cluster, N/m. */
    readonly stiffness: number;
    /** b, N s/m; null for half the critical damping of the tool on one cluster. */
    readonly damping: number | null;
    /** d, m: contacts push from this distance on. */
    readonly tolerance: number;
    /** K */
    readonly clusters: number;
    readonly linearised: boolean;
    /** Whether a force that is held (not `linearised`) still has its derivative in the implicit step. */
    readonly heldJacobian: boolean;
    /** s without a new contact model until contact fades, and the time constant of fading. */
    readonly fadeAfter: number;
    readonly fadeTime: number;
    /** s: contact comes back within twice this time. */
    readonly recovery: number;
  };
  readonly friction: {
    /** For sources of contacts that have none of their own. */
    readonly static: number;
    readonly kinetic: number;
    /** k_t, N/m, and b_t, N s/m; null for those of the contact. */
    readonly stiffness: number | null;
    readonly damping: number | null;
  };
  /** m/s², world frame. */
  readonly gravity: readonly [number, number, number];
  /** Contacts are found in every so many-th step. */
  readonly contactRatio: number;
  /** Whether what is found counts only when the next search begins, as if it had taken all that time. */
  readonly contactDelayed: boolean;
  /** Where the environment is; may change while the method runs. The origin of the world unless given. */
  readonly environmentPose?: Pose;
  /** For the times of the stages; without one they are 0. */
  readonly clock?: Clock | undefined;
}

export const DEFAULT_MODULAR_OPTIONS: ModularOptions = {
  integrator: 'implicit',
  timeStep: 0.001,
  coupling: {
    stiffness: 500,
    torsionalStiffness: 0.6,
    damping: null,
    torsionalDamping: null,
    graspPoint: null,
    maxForce: Number.POSITIVE_INFINITY,
    maxTorque: Number.POSITIVE_INFINITY,
    velocityFilter: 0.005,
  },
  contact: {
    stiffness: 5000,
    damping: null,
    tolerance: 0.001,
    clusters: 5,
    linearised: true,
    heldJacobian: false,
    fadeAfter: 0.1,
    fadeTime: 0.1,
    recovery: 0.05,
  },
  friction: { static: 0, kinetic: 0, stiffness: null, damping: null },
  gravity: [0, 0, 0],
  contactRatio: 1,
  contactDelayed: false,
};

/** The same with every `null` replaced. */
export interface ModularNumbers {
  readonly couplingDamping: number;
  readonly couplingTorsionalDamping: number;
  readonly contactDamping: number;
  readonly tangentialStiffness: number;
  readonly tangentialDamping: number;
}

export function fillModularNumbers({ mass, inertia }: ToolBody, options: ModularOptions): ModularNumbers {
  const { coupling, contact, friction } = options;
  const meanInertia = (inertia[0] + inertia[4] + inertia[8]) / 3;
  const contactDamping = contact.damping ?? Math.sqrt(contact.stiffness * mass);
  return {
    couplingDamping: coupling.damping ?? 2 * Math.sqrt(coupling.stiffness * mass),
    couplingTorsionalDamping: coupling.torsionalDamping ?? 2 * Math.sqrt(coupling.torsionalStiffness * meanInertia),
    contactDamping,
    tangentialStiffness: friction.stiffness ?? contact.stiffness,
    tangentialDamping: friction.damping ?? contactDamping,
  };
}

export function checkModularOptions(options: ModularOptions): void {
  const { coupling, contact, friction } = options;
  check(options.timeStep, 'timeStep', 's', 'above');
  check(coupling.stiffness, 'coupling.stiffness', 'N/m', 'above');
  check(coupling.torsionalStiffness, 'coupling.torsionalStiffness', 'N m/rad', 'above');
  check(coupling.damping ?? 0, 'coupling.damping', 'N s/m', 'from');
  check(coupling.torsionalDamping ?? 0, 'coupling.torsionalDamping', 'N m s/rad', 'from');
  check(coupling.velocityFilter ?? 0, 'coupling.velocityFilter', 's', 'from');
  checkLimit(coupling.maxForce, 'coupling.maxForce', 'N');
  checkLimit(coupling.maxTorque, 'coupling.maxTorque', 'N m');
  check(contact.stiffness, 'contact.stiffness', 'N/m', 'above');
  check(contact.damping ?? 0, 'contact.damping', 'N s/m', 'from');
  check(contact.tolerance, 'contact.tolerance', 'm', 'from');
  check(contact.fadeAfter, 'contact.fadeAfter', 's', 'from');
  check(contact.fadeTime, 'contact.fadeTime', 's', 'from');
  check(contact.recovery, 'contact.recovery', 's', 'from');
  check(friction.static, 'friction.static', 'no unit', 'from');
  check(friction.kinetic, 'friction.kinetic', 'no unit', 'from');
  check(friction.stiffness ?? 1, 'friction.stiffness', 'N/m', 'above');
  check(friction.damping ?? 0, 'friction.damping', 'N s/m', 'from');
  checkCount(contact.clusters, 'contact.clusters');
  checkCount(options.contactRatio, 'method.contactRatio');
}

function check(value: number, name: string, unit: string, range: 'above' | 'from'): void {
  if (Number.isFinite(value) && (range === 'above' ? value > 0 : value >= 0)) return;
  throw new PalpableError(
    'option-invalid',
    `${name} is ${value}, but must be ${range === 'above' ? 'above 0' : '0 or more'} (${unit}).`,
    name,
  );
}

function checkCount(value: number, name: string): void {
  if (Number.isInteger(value) && value > 0) return;
  throw new PalpableError('option-invalid', `${name} is ${value}, but must be a whole number above 0.`, name);
}

/** May be infinite. */
function checkLimit(value: number, name: string, unit: string): void {
  if (value > 0) return;
  throw new PalpableError('option-invalid', `${name} is ${value}, but must be above 0 (${unit}).`, name);
}
