export {
  decodeAsset,
  encodeAsset,
  type PreparedBody,
  type PrepareOptions,
  prepareBody,
} from './asset/prepared-body.js';
export { type ErrorCode, isPalpableError, PalpableError } from './base/errors.js';
export {
  type AnyJob,
  type Job,
  JobPool,
  serveJobs,
  shareable,
  type WorkerHost,
  type WorkerPort,
} from './base/parallel.js';
export type { BuildHooks, CancelSignal, ProgressListener } from './base/progress.js';
export { createRandom, type RandomSource } from './base/random.js';
export { bruteForceContacts } from './contact/brute-force.js';
export {
  CAPPED_CONTACTS,
  CAPPED_VISITED,
  type ContactCounters,
  type ContactQuery,
  type ContactQueryOptions,
  type ShellOwner,
} from './contact/contact-query.js';
export { type ContactSet, createContactSet } from './contact/contact-set.js';
export { createContactQuery } from './contact/create-contact-query.js';
export { appendContacts, queryContacts } from './contact/query-contacts.js';
export {
  createWrenchLimiter,
  limitWrench,
  limitWrenchAndRate,
  type SlewLimits,
  type WrenchLimiter,
  type WrenchLimits,
} from './coupling/limit-wrench.js';
export type { Device } from './device/device.js';
export {
  buildField,
  type FieldHooks,
  type FieldOptions,
  type FieldStatistics,
  MAX_RESOLUTION,
} from './field/build-field.js';
export {
  brickCount,
  type DistanceField,
  type FieldGrid,
  fieldBytes,
  fieldDimensions,
} from './field/distance-field.js';
export { fieldJobs } from './field/field-job.js';
export { fieldMoments } from './field/field-moments.js';
export { sampleDistance, sampleGradient, sampleVoxelLayer } from './field/sample-field.js';
export {
  createFrictionModel,
  DEFAULT_FRICTION_OPTIONS,
  frictionModels,
  iterationCap,
  MAX_SIDES,
  MIN_SIDES,
} from './friction/create-friction-model.js';
export {
  createFrictionResult,
  FRICTION_NONE,
  FRICTION_SLIP,
  FRICTION_STICK,
  type FrictionModel,
  type FrictionModelName,
  type FrictionModelOptions,
  type FrictionResult,
} from './friction/friction-model.js';
export {
  CONTACT_DYNAMIC,
  CONTACT_SEPARATING,
  CONTACT_STATIC,
  createFrictionProblem,
  type FrictionProblem,
} from './friction/friction-problem.js';
export { decodeProblem, encodeProblem, isProblemFile } from './friction/problem-file.js';
export { type FrictionResidual, frictionResidual } from './friction/residual.js';
export {
  createPose,
  type Matrix3,
  normalizePose,
  type Pose,
  relativePose,
  rotationMatrix,
  transformPoint,
} from './math/pose.js';
export { auditMesh, type MeshAudit, type MeshComponent } from './mesh/audit.js';
export { type CleanedMesh, type CleanOptions, cleanMesh } from './mesh/clean.js';
export { describeAudit } from './mesh/describe-audit.js';
export { detectFormat, type MeshFormat } from './mesh/detect-format.js';
export type { GltfHost, MeshoptDecoder, UriResolver } from './mesh/gltf-buffers.js';
export {
  type MassProperties,
  massProperties,
  massPropertiesFromMoments,
  meshMoments,
  type SolidMoments,
} from './mesh/mass-properties.js';
export { orientMesh } from './mesh/orient.js';
export { type MeshFile, type ReadMeshOptions, readMesh } from './mesh/read-mesh.js';
export { createBox, createCapsule, createCylinder, createSphere, createTorus } from './mesh/shapes.js';
export {
  meshFromStepResult,
  type StepReader,
  type StepResult,
  type StepTessellation,
  stepParameters,
} from './mesh/step-result.js';
export { subdivideMesh } from './mesh/subdivide.js';
export {
  type Bounds,
  createMesh,
  meshBounds,
  type TriangleMesh,
  triangleCount,
  vertexCount,
} from './mesh/triangle-mesh.js';
export { type LengthUnit, metresPerUnit } from './mesh/units.js';
export { weldMesh } from './mesh/weld.js';
export type { Separation } from './method/contact-roles.js';
export {
  CORRECTION_COHERENCE,
  CORRECTION_LAMBDA,
  CORRECTION_LEVER,
  CORRECTION_PENETRATION,
  CORRECTION_THETA,
  type Correction,
  type CorrectionRule,
} from './method/god-object/correction.js';
export {
  type ConstraintKind,
  createGodObjectMethod,
  type GodObjectMethod,
  type GodObjectOptions,
} from './method/god-object/god-object.js';
export {
  createHeuristic,
  FRICTION_KINETIC,
  FRICTION_STATIC,
  FRICTION_TURN_KINETIC,
  FRICTION_TURN_STATIC,
  type Heuristic,
  type HeuristicOptions,
  REGION_A,
  REGION_B,
  REGION_C,
  resetHeuristic,
  stepHeuristic,
} from './method/god-object/heuristic.js';
export type { Manifold } from './method/god-object/manifold.js';
export {
  PENALTY_DEPTH,
  PENALTY_FORCE,
  PENALTY_KINETIC,
  PENALTY_LEVER,
  PENALTY_MARGIN,
  PENALTY_SIZE,
  PENALTY_SPREAD,
  PENALTY_STATIC,
  PENALTY_TORQUE,
  PENALTY_TOTAL,
  type PenaltySum,
  type Sampling,
} from './method/god-object/penalty-sum.js';
export {
  CAPPED_ITERATIONS,
  type Clock,
  createMethodOutput,
  type Method,
  type MethodOutput,
  STAGE_CONTACT,
  STAGE_FRICTION,
  STAGE_METHOD,
  STAGE_TOTAL,
  STATE_FREE,
  STATE_SLIP,
  STATE_STICK,
} from './method/method.js';
export { createPenaltyMethod, type PenaltyOptions } from './method/penalty.js';
export {
  createStaticFrictionMethod,
  type StaticFrictionMethod,
  type StaticFrictionOptions,
} from './method/static-friction.js';
export {
  type ContactPair,
  createContactPair,
  createToolBody,
  type ToolBody,
  type ToolContacts,
} from './method/tool-contacts.js';
export { type BuiltInModel, buildModel, builtInModels } from './model/models.js';
export {
  formatResultCells,
  RESULT_COLUMNS,
  RESULT_WIDTH,
  type Result,
  readResult,
  resultHeader,
  STATE_NAMES,
} from './record/result.js';
export { createPlayback, type Playback, samplePose } from './record/sample-trajectory.js';
export { createSceneRun, type RunCounters, runCycles, type SceneRun } from './record/scene-run.js';
export { formatTrajectory, readTrajectory, type Trajectory } from './record/trajectory.js';
export { buildSceneMesh } from './scene/build-scene-mesh.js';
export {
  type CheckedScene,
  type CheckSceneOptions,
  checkScene,
  checkSceneValue,
  readScene,
  sceneError,
} from './scene/check-scene.js';
export {
  bodyPose,
  checkRunnable,
  createSceneMethod,
  type SceneMethod,
  type SceneMethodOptions,
  type ScenePair,
} from './scene/create-scene-method.js';
export { describeKeysAsMarkdown } from './scene/describe-keys.js';
export { type JsonSchema, sceneJsonSchema } from './scene/json-schema.js';
export { type ListedParameter, listParameters } from './scene/list-parameters.js';
export type * from './scene/parameter.js';
export type { Place } from './scene/parse-json.js';
export { type PlannedPair, planPairs, planPreparation } from './scene/plan-pairs.js';
export {
  type FrictionPair,
  type Scene,
  type SceneBody,
  type SceneMesh,
  sceneDescription,
} from './scene/scene-description.js';
export type { SceneProblem } from './scene/scene-problem.js';
export { createServo, type Servo, stepServo } from './servo/servo.js';
export { buildShell } from './shell/build-shell.js';
export type { PointShell, ShellOptions } from './shell/point-shell.js';
export { validateShell } from './shell/validate-shell.js';
