/**
 * What you need to prepare bodies, check and play scenes, and render them to a device. Parts of the engine that its own
 * tools are built from are in `@palpable/engine/advanced`.
 *
 * @module
 */

export {
  decodeAsset,
  encodeAsset,
  type PreparedBody,
  type PrepareOptions,
  prepareBody,
} from './asset/prepared-body.js';
export { type BodyFile, cleanBody, readBodyMesh } from './asset/read-body-mesh.js';
export { type ErrorCode, isPalpableError, PalpableError } from './base/errors.js';
export type { BuildHooks } from './base/progress.js';
export {
  CAPPED_CONTACTS,
  CAPPED_VISITED,
  type ContactQuery,
  type ContactQueryOptions,
} from './contact/contact-query.js';
export { type ContactSet, createContactSet } from './contact/contact-set.js';
export { createContactQuery } from './contact/create-contact-query.js';
export { queryContacts } from './contact/query-contacts.js';
export type { WrenchLimits } from './coupling/limit-wrench.js';
export { DEFAULT_PASSIVITY, type PassivityOptions } from './coupling/passivity.js';
export type { Device, DeviceLimits } from './device/device.js';
export { createReplayDevice, type DeviceSamples } from './device/replay-device.js';
export { createSimulatedHand, type SimulatedHand } from './device/simulated-hand.js';
export type { SimulatedHandOptions } from './device/simulated-hand-options.js';
export { BASES, mapDevice, type WorkspaceOptions } from './device/workspace.js';
export { buildField, type FieldOptions } from './field/build-field.js';
export type { DistanceField } from './field/distance-field.js';
export { sampleDistance } from './field/sample-field.js';
export { frictionModels } from './friction/create-friction-model.js';
export type { FrictionModel, FrictionModelName, FrictionModelOptions } from './friction/friction-model.js';
export type { LiveCommand } from './live/command-mailbox.js';
export {
  commandLive,
  createLiveSession,
  type HandDevice,
  type LiveEvent,
  type LiveOptions,
  type LiveSession,
  stepLive,
} from './live/live-session.js';
export { createPose, type Pose, relativePose, transformPoint } from './math/pose.js';
export { auditMesh, type MeshAudit } from './mesh/audit.js';
export { cleanMesh } from './mesh/clean.js';
export { describeAudit } from './mesh/describe-audit.js';
export { type MeshFile, type ReadMeshOptions, readMesh } from './mesh/read-mesh.js';
export { createBox, createCapsule, createCylinder, createSphere, createTorus } from './mesh/shapes.js';
export { createMesh, type TriangleMesh } from './mesh/triangle-mesh.js';
export type { LengthUnit } from './mesh/units.js';
export {
  CAPPED_ITERATIONS,
  type Clock,
  createMethodOutput,
  type Method,
  type MethodOutput,
  STATE_FREE,
  STATE_SLIP,
  STATE_STICK,
} from './method/method.js';
export { defineMethod, type MethodDefinition } from './method/method-definition.js';
export { type MethodKind, methodOf, methods } from './method/methods.js';
export { createPenaltyMethod, type PenaltyOptions } from './method/penalty/penalty.js';
export { type ContactPair, createContactPair, createToolBody, type ToolBody } from './method/tool-contacts.js';
export {
  type Hand,
  handAlong,
  handOfTrajectory,
  type PlayedScene,
  type Probe,
  playScene,
  type Stage,
} from './record/play-scene.js';
export { RESULT_COLUMNS, readResult } from './record/result.js';
export { readTrajectory, type Trajectory } from './record/trajectory.js';
export { buildSceneMesh } from './scene/build-scene-mesh.js';
export {
  type CheckedScene,
  type CheckSceneOptions,
  checkScene,
  checkSceneValue,
  readScene,
} from './scene/check-scene.js';
export {
  createSceneMethod,
  type SceneMethod,
  type SceneMethodOptions,
  sceneWithMethod,
} from './scene/create-scene-method.js';
export { planPreparation } from './scene/plan-preparation.js';
export type { Scene } from './scene/scene-description.js';
export { describeSinking, describeStartOverlap } from './scene/start-overlap.js';
export { FAULT_DEVICE_JUMPED, FAULT_DEVICE_SILENT, FAULT_SAMPLE_BAD } from './servo/sample-guard.js';
export {
  changeMethod,
  createServo,
  FAULT_EMERGENCY_STOP,
  FAULT_LOOP_STALLED,
  FAULT_METHOD_NOT_FINITE,
  pauseServo,
  resumeServo,
  type Servo,
  type ServoOptions,
  stepServo,
} from './servo/servo.js';
export type { SceneBody } from './settings/body-parameters.js';
export type { SceneProblem } from './settings/problem-list.js';
export { buildShell } from './shell/build-shell.js';
export type { PointShell, ShellOptions } from './shell/point-shell.js';
