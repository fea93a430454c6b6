import { VELOCITY_FILTER } from '../../coupling/device-motion.js';
import { frictionParameter } from '../../friction/friction-parameters.js';
import type { Pose } from '../../math/pose.js';
import { checkOptions, optionsOf } from '../../settings/check-options.js';
import {
  contactParameter,
  couplingParameter,
  gravityParameter,
  timeStepParameter,
} from '../../settings/group-parameters.js';
import type { FadeOptions } from '../contact-fade.js';
import type { ContactRunnerOptions } from '../contact-runner.js';
import type { Clock } from '../method.js';
import { RENDERED_STIFFNESS } from '../scene-pairs.js';
import type { ToolBody } from '../tool-contacts.js';
import type { IntegratorKind } from './integrate.js';
import { modularParameters } from './modular-parameters.js';

/** Settings of the modular method. `null` leaves a number to the method, which then says below what it takes. */
export interface ModularOptions extends Required<ContactRunnerOptions> {
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
    /** N and N m at which the springs saturate; null for never. */
    readonly maxForce: number | null;
    readonly maxTorque: number | null;
    /** Time constant of the filter of the device's velocity, s; null to take that velocity as zero. */
    readonly velocityFilter: number | null;
  };
  readonly contact: FadeOptions & {
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
  /** Where the environment is; may change while the method runs. The origin of the world unless given. */
  readonly environmentPose?: Pose;
  /** For the times of the stages; without one they are 0. */
  readonly clock?: Clock | undefined;
}

const { stiffness, torsionalStiffness, damping, torsionalDamping, graspPoint, maxForce, maxTorque } =
  couplingParameter.keys;
const { integrator, clusters, linearised, contactDamping, distanceTolerance, fadeAfter, fadeTime } = modularParameters;
const { coefficient } = frictionParameter.keys;

/** The options of `modular` in a scene that says nothing. */
export const DEFAULT_MODULAR_OPTIONS: ModularOptions = {
  integrator: integrator.default,
  timeStep: timeStepParameter.default,
  coupling: {
    stiffness: stiffness.default,
    torsionalStiffness: torsionalStiffness.default,
    damping: damping.default,
    torsionalDamping: torsionalDamping.default,
    graspPoint: graspPoint.default,
    maxForce: maxForce.default,
    maxTorque: maxTorque.default,
    velocityFilter: VELOCITY_FILTER,
  },
  contact: {
    stiffness: RENDERED_STIFFNESS,
    damping: contactDamping.default,
    tolerance: distanceTolerance.default,
    clusters: clusters.default,
    linearised: linearised.default,
    heldJacobian: false,
    fadeAfter: fadeAfter.default,
    fadeTime: fadeTime.default,
    recovery: 0.05,
  },
  friction: { static: coefficient.default, kinetic: coefficient.default, stiffness: null, damping: null },
  gravity: gravityParameter.default,
  contactRatio: modularParameters.contactRatio.default,
  contactDelayed: modularParameters.contactDelayed.default,
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
  const { coupling, friction, timeStep, gravity } = options;
  const { stiffness: contactStiffness, damping: contactDamper, tolerance, recovery, ...contact } = options.contact;
  const ofContact = contactParameter.keys.stiffness;
  checkOptions([
    ...optionsOf('method', modularParameters, { ...options, ...contact }),
    ...optionsOf('coupling', couplingParameter.keys, coupling),
    ...optionsOf('friction', frictionParameter.keys, friction),
    ['contact.stiffness', ofContact, contactStiffness],
    ['method.contactDamping', contactDamping, contactDamper],
    ['method.distanceTolerance', distanceTolerance, tolerance],
    ['friction.stiffness', { ...ofContact, default: null }, friction.stiffness],
    ['friction.damping', contactDamping, friction.damping],
    ['coupling.velocityFilter', SECONDS, coupling.velocityFilter],
    ['contact.recovery', SECONDS, recovery],
    ['timeStep', timeStepParameter, timeStep],
    ['gravity', gravityParameter, gravity],
  ]);
}

/** Of times that no scene file states. */
const SECONDS = { kind: 'number', unit: 's', min: 0, max: 10, default: null, meaning: 'A time.' } as const;
