import { type Pose, placePoint } from '../../math/pose.js';
import { STATE_L, STATE_P, STATE_Q, STATE_SIZE } from '../../mechanics/rigid-motion.js';
import type { ToolBody } from '../tool-contacts.js';

/**
 * What the haptic side tells the contact side, as one flat block that can lie in shared memory: the state y of the tool
 * in the first 13 numbers, the time, and where the environment is and how it moves.
 */
export type ToolState = Float64Array;

/** s, counted by the haptic side. */
export const TOOL_STATE_TIME = STATE_SIZE;
/** Pose of the environment. */
export const TOOL_STATE_ENVIRONMENT = STATE_SIZE + 1;
/** Velocity of the environment's origin, then its angular velocity. */
export const TOOL_STATE_VELOCITY = TOOL_STATE_ENVIRONMENT + 7;
/** How many numbers a tool state has. */
export const TOOL_STATE_SIZE = TOOL_STATE_VELOCITY + 6;

export function createToolState(): ToolState {
  const state = new Float64Array(TOOL_STATE_SIZE);
  state[STATE_Q + 3] = 1;
  state[TOOL_STATE_ENVIRONMENT + 6] = 1;
  return state;
}

/** Pose of the body frame of a tool in state y. */
export function stateToPose(pose: Pose, y: Float64Array, { centre }: ToolBody): void {
  for (let i = 0; i < 3; i += 1) {
    pose[i] = 0;
    pose[3 + i] = y[STATE_Q + i];
  }
  pose[6] = y[STATE_Q + 3];
  placePoint(pose, pose, centre);
  for (let i = 0; i < 3; i += 1) pose[i] = y[i] - pose[i];
}

/** The state of a tool that stands at `pose`. */
export function poseToState(y: Float64Array, pose: Pose, { centre }: ToolBody): void {
  placePoint(y, pose, centre);
  for (let i = 0; i < 4; i += 1) y[STATE_Q + i] = pose[3 + i];
  for (let i = 0; i < 3; i += 1) {
    y[STATE_P + i] = 0;
    y[STATE_L + i] = 0;
  }
}
