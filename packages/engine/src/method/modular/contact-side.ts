import { type ContactSet, createContactSet } from '../../contact/contact-set.js';
import { copyPose, createPose, type Pose } from '../../math/pose.js';
import {
  createRigidBody,
  createRigidMotion,
  differentiateMotion,
  STATE_SIZE,
  updateMotion,
} from '../../mechanics/rigid-motion.js';
import {
  MODEL_CAPPED,
  MODEL_DEPTH,
  MODEL_FIND_US,
  MODEL_FOUND,
  MODEL_SEQUENCE,
  MODEL_TIME,
} from '../contact-model-header.js';
import { deepestContact, type ToolBody } from '../tool-contacts.js';
import { type ContactClusters, clusterContacts, createContactClusters, forgetClusters } from './cluster-contacts.js';
import { type ContactModel, createModelWriter, writeContactModel } from './contact-model.js';
import { checkModularOptions, fillModularNumbers, type ModularOptions } from './modular-options.js';
import {
  stateToPose,
  TOOL_STATE_ENVIRONMENT,
  TOOL_STATE_TIME,
  TOOL_STATE_VELOCITY,
  type ToolState,
} from './tool-state.js';

/** Where contacts come from: convex pieces, shell against field, or anything that can fill a `ContactSet`. */
export interface ModularContacts {
  /** Most contacts that `find` can write. */
  readonly capacity: number;
  /**
   * Fills `set` with the contacts of the tool at `toolPose` (body frame): `position` on the tool, `normal` the way it is
   * pushed out, `depth`, negative down to −d. `centre` is the centre of mass in the world.
   */
  find(set: ContactSet, toolPose: Pose, centre: Float64Array): void;
  /** Of a source whose environment moves: written before every `find`. */
  readonly environmentPose?: Pose;
  /** Static and kinetic coefficient of friction of each contact found; those of the options for a source without. */
  readonly coefficients?: Float64Array;
  /** Bits of the caps that the last `find` met. */
  readonly capped?: number;
}

/** The slower of the two threads: from a state of the tool to the linearised contact model. */
export interface ModularContactSide {
  /** Contacts and clusters of the last update, to look at. */
  readonly set: ContactSet;
  readonly clusters: ContactClusters;
  /** Finds, clusters, writes `model`. Neither allocates nor throws. */
  update(model: ContactModel, toolState: ToolState): void;
  reset(): void;
}

/**
 * The side of `modular` that finds contacts and writes their linear model. Throws `option-invalid` for options out of
 * range.
 */
export function createModularContactSide(
  tool: ToolBody,
  contacts: ModularContacts,
  options: ModularOptions,
): ModularContactSide {
  checkModularOptions(options);
  const body = createRigidBody(tool.mass, tool.inertia);
  const set = createContactSet(contacts.capacity);
  const clusters = createContactClusters(options.contact.clusters, options.contact.tolerance, contacts.capacity);
  const coefficients = contacts.coefficients ?? evenCoefficients(contacts.capacity, options.friction);
  const motion = createRigidMotion(body);
  const writer = createModelWriter({
    ...options.contact,
    damping: fillModularNumbers(tool, options).contactDamping,
  });
  const y = new Float64Array(STATE_SIZE);
  const centre = new Float64Array(3);
  const pose = createPose();
  const environment = createPose();
  const velocity = new Float64Array(6);
  const { clock } = options;
  let sequence = 0;

  return {
    set,
    clusters,
    update(model, toolState) {
      const start = clock ? clock() : 0;
      readToolState(toolState, y, environment, velocity);
      for (let i = 0; i < 3; i += 1) centre[i] = y[i];
      stateToPose(pose, y, tool);
      if (contacts.environmentPose) contacts.environmentPose.set(environment);
      contacts.find(set, pose, centre);
      clusterContacts(clusters, set, coefficients);
      updateMotion(motion, y);
      differentiateMotion(motion, y);
      writeContactModel(model, writer, clusters, y, motion, environment, velocity);
      sequence += 1;
      model[MODEL_SEQUENCE] = sequence;
      model[MODEL_TIME] = toolState[TOOL_STATE_TIME];
      model[MODEL_FOUND] = set.count;
      model[MODEL_DEPTH] = deepestContact(set);
      model[MODEL_CAPPED] = contacts.capped ?? 0;
      model[MODEL_FIND_US] = clock ? 1000 * (clock() - start) : 0;
    },
    reset() {
      set.count = 0;
      forgetClusters(clusters);
    },
  };
}

function evenCoefficients(capacity: number, friction: ModularOptions['friction']): Float64Array {
  return new Float64Array(2 * capacity).map((_, n) => (n % 2 === 0 ? friction.static : friction.kinetic));
}

function readToolState(toolState: ToolState, y: Float64Array, environment: Pose, velocity: Float64Array): void {
  for (let i = 0; i < STATE_SIZE; i += 1) y[i] = toolState[i];
  copyPose(environment, 0, toolState, TOOL_STATE_ENVIRONMENT);
  for (let i = 0; i < 6; i += 1) velocity[i] = toolState[TOOL_STATE_VELOCITY + i];
}
