import {
  addCoupling,
  createViscoelasticCoupling,
  followDevice,
  forgetDevice,
  type ViscoelasticCoupling,
} from '../../coupling/viscoelastic-coupling.js';
import { FRICTION_NONE, FRICTION_SLIP, FRICTION_STICK } from '../../friction/friction-model.js';
import { copyPose, createPose, isFinitePose, type Pose, rotationMatrix } from '../../math/pose.js';
import { rotationBetween } from '../../math/rotation.js';
import { createRigidLoad, type RigidLoad } from '../../mechanics/point-load.js';
import { createRigidBody, STATE_L, STATE_P, STATE_SIZE, updateMotion } from '../../mechanics/rigid-motion.js';
import { MODEL_CAPPED, MODEL_COUNT, MODEL_DEPTH, MODEL_FOUND } from '../contact-model-header.js';
import type { ContactPicture } from '../contact-picture.js';
import { type MethodOutput, STATE_FREE, STATE_SLIP, STATE_STICK } from '../method.js';
import type { ToolBody } from '../tool-contacts.js';
import {
  addContact,
  beginContactStep,
  type ContactLoad,
  createContactLoad,
  endContactStep,
  forgetContactLoad,
} from './contact-load.js';
import {
  CLUSTER_DEPTH,
  CLUSTER_FRICTION,
  CLUSTER_NORMAL,
  CLUSTER_R,
  CLUSTER_SLOT,
  type ContactModel,
  clusterAt,
} from './contact-model.js';
import { createIntegrator, type Integrator, integrate, type LoadSource } from './integrate.js';
import { checkModularOptions, fillModularNumbers, type ModularOptions } from './modular-options.js';
import {
  createToolState,
  poseToState,
  stateToPose,
  TOOL_STATE_ENVIRONMENT,
  TOOL_STATE_TIME,
  TOOL_STATE_VELOCITY,
  type ToolState,
} from './tool-state.js';

/**
 * The haptic side of the modular method (Otaduy, Lin): rigid-body dynamics of the tool between the coupling to the device
 * and the newest contact model. It never waits for the contact side and costs the same whatever the size of the bodies.
 */
export interface ModularDynamics {
  /** State of the tool and of the environment, for the contact side. Up to date after every step. */
  readonly toolState: ToolState;
  readonly contact: ContactLoad;
  /** Steps that had no finite answer: the tool then stays where it was. */
  readonly faults: number;
  /** One cycle, all of `output` but its times. */
  step(output: MethodOutput, devicePose: Pose, model: ContactModel): void;
  reset(pose: Pose): void;
  /** Shows the clusters as they were in the last step. */
  draw(picture: ContactPicture, model: ContactModel): void;
}

interface State {
  readonly tool: ToolBody;
  readonly toolState: ToolState;
  /** y: the first numbers of `toolState`. */
  readonly y: Float64Array;
  readonly integrator: Integrator;
  readonly coupling: ViscoelasticCoupling;
  readonly contact: ContactLoad;
  /** Coupling alone, at the end of the step. */
  readonly felt: RigidLoad;
  readonly environment: Pose;
  readonly workspace: { readonly turn: Float64Array; readonly lastEnvironment: Pose; readonly rotation: Float64Array };
  readonly loads: LoadSource;
  model: ContactModel;
  faults: number;
}

/**
 * The haptic side of `modular`: the tool's rigid motion under coupling and contact model. Throws `option-invalid` for
 * options out of range.
 */
export function createModularDynamics(tool: ToolBody, options: ModularOptions): ModularDynamics {
  checkModularOptions(options);
  const state = createState(tool, options);
  const { contact, toolState } = state;
  return {
    toolState,
    contact,
    get faults() {
      return state.faults;
    },
    step: (output, devicePose, model) => stepDynamics(state, output, devicePose, model),
    reset: (pose) => resetDynamics(state, pose),
    draw: (picture, model) => drawClusters(picture, state, model),
  };
}

function createState(tool: ToolBody, options: ModularOptions): State {
  const body = createRigidBody(tool.mass, tool.inertia);
  const numbers = fillModularNumbers(tool, options);
  const integrator = createIntegrator(options.integrator, body, options.timeStep);
  const toolState = createToolState();
  const { coupling: link } = options;
  const coupling = createViscoelasticCoupling(
    { ...link, damping: numbers.couplingDamping, torsionalDamping: numbers.couplingTorsionalDamping },
    link.graspPoint ?? tool.centre,
    tool.centre,
  );
  const contact = createContactLoad(body, options.contact.clusters, {
    ...options.contact,
    tangentialStiffness: numbers.tangentialStiffness,
    tangentialDamping: numbers.tangentialDamping,
  });
  const weight = Float64Array.from(options.gravity, (g) => g * tool.mass);
  const environment = options.environmentPose ?? createPose();
  toolState.set(environment, TOOL_STATE_ENVIRONMENT);
  const loads: LoadSource = (load, y, motion, wantsJacobian) => {
    load.wrench.fill(0);
    for (let i = 0; i < 3; i += 1) load.wrench[i] = weight[i];
    if (wantsJacobian) load.jacobian.fill(0);
    addCoupling(load, coupling, y, motion, wantsJacobian);
    addContact(load, contact, state.model, y, motion, wantsJacobian);
  };
  const state: State = {
    tool,
    toolState,
    y: toolState.subarray(0, STATE_SIZE),
    integrator,
    coupling,
    contact,
    felt: createRigidLoad(),
    environment,
    workspace: { turn: new Float64Array(3), lastEnvironment: environment.slice(), rotation: new Float64Array(9) },
    loads,
    model: NO_MODEL,
    faults: 0,
  };
  return state;
}

/** A model without clusters. */
const NO_MODEL = new Float64Array(8);

/** One cycle. */
function stepDynamics(state: State, output: MethodOutput, devicePose: Pose, model: ContactModel): void {
  const { integrator, coupling, contact, y, environment } = state;
  const { motion, timeStep } = integrator;
  if (!isFinitePose(devicePose)) {
    holdStill(state, output);
    return;
  }
  state.model = model;
  followEnvironment(state);
  followDevice(coupling, devicePose, timeStep);
  updateMotion(motion, y);
  beginContactStep(contact, model, y, motion, environment, timeStep);
  if (!integrate(integrator, y, state.loads)) {
    state.faults += 1;
    holdStill(state, output);
    return;
  }
  updateMotion(motion, y);
  endContactStep(contact, model, y, motion);
  state.toolState[TOOL_STATE_TIME] += timeStep[0];
  report(state, output);
}

/** Without a pose to follow, or an answer, the tool stays, and the hand feels nothing. */
function holdStill({ y, tool, coupling }: State, output: MethodOutput): void {
  for (let i = 0; i < 3; i += 1) {
    y[STATE_P + i] = 0;
    y[STATE_L + i] = 0;
  }
  forgetDevice(coupling);
  stateToPose(output.toolPose, y, tool);
  output.wrench.fill(0);
}

/** The velocity of the environment, from its poses. */
function followEnvironment({ toolState, environment, workspace, integrator }: State): void {
  const { turn, lastEnvironment } = workspace;
  if (!isFinitePose(environment)) return;
  rotationBetween(turn, lastEnvironment, environment);
  const rate = 1 / integrator.timeStep[0];
  for (let i = 0; i < 3; i += 1) {
    toolState[TOOL_STATE_VELOCITY + i] = rate * (environment[i] - lastEnvironment[i]);
    toolState[TOOL_STATE_VELOCITY + 3 + i] = rate * turn[i];
  }
  for (let i = 0; i < 7; i += 1) {
    toolState[TOOL_STATE_ENVIRONMENT + i] = environment[i];
    lastEnvironment[i] = environment[i];
  }
}

function report({ y, tool, felt, coupling, integrator, contact, model }: State, output: MethodOutput): void {
  felt.wrench.fill(0);
  addCoupling(felt, coupling, y, integrator.motion, false);
  for (let i = 0; i < 6; i += 1) output.wrench[i] = -felt.wrench[i];
  stateToPose(output.toolPose, y, tool);
  output.contacts = model[MODEL_FOUND];
  output.maxPenetration = model[MODEL_DEPTH];
  output.capped = model[MODEL_CAPPED];
  output.frictionState = wholeState(contact, model);
}

/** Friction holds the tool when it holds every cluster that is pressed. */
function wholeState({ state }: ContactLoad, model: ContactModel): number {
  let pressed = false;
  for (let k = 0; k < model[MODEL_COUNT]; k += 1) {
    if (state[k] === FRICTION_SLIP) return STATE_SLIP;
    if (state[k] === FRICTION_STICK) pressed = true;
  }
  return pressed ? STATE_STICK : STATE_FREE;
}

function resetDynamics(state: State, pose: Pose): void {
  poseToState(state.y, pose, state.tool);
  state.toolState[TOOL_STATE_TIME] = 0;
  state.toolState.fill(0, TOOL_STATE_VELOCITY);
  copyPose(state.toolState, TOOL_STATE_ENVIRONMENT, state.environment, 0);
  state.workspace.lastEnvironment.set(state.environment);
  forgetDevice(state.coupling);
  forgetContactLoad(state.contact);
  state.faults = 0;
}

function drawClusters(picture: ContactPicture, { y, contact, workspace }: State, model: ContactModel): void {
  const count = Math.min(model[MODEL_COUNT], picture.capacity);
  const R = workspace.rotation;
  // The quaternion lies in the state where it lies in a pose.
  rotationMatrix(R, y);
  picture.numbers[0] = count;
  for (let k = 0; k < count; k += 1) {
    const at = clusterAt(k);
    for (let i = 0; i < 3; i += 1) {
      const r = at + CLUSTER_R;
      picture.position[3 * k + i] =
        y[i] + R[3 * i] * model[r] + R[3 * i + 1] * model[r + 1] + R[3 * i + 2] * model[r + 2];
      picture.normal[3 * k + i] = -model[at + CLUSTER_NORMAL + i];
      picture.friction[3 * k + i] = contact.friction[3 * k + i];
    }
    const sliding = contact.sliding[model[at + CLUSTER_SLOT] | 0];
    picture.depth[k] = model[at + CLUSTER_DEPTH];
    picture.normalForce[k] = contact.fade.gain[0] * contact.normalForce[k];
    picture.coefficient[k] = model[at + CLUSTER_FRICTION + sliding];
    picture.state[k] = contact.normalForce[k] > 0 ? contact.state[k] : FRICTION_NONE;
  }
}
