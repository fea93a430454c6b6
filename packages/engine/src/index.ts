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
export { queryContacts } from './contact/query-contacts.js';
export { limitWrench, type WrenchLimits } from './coupling/limit-wrench.js';
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
export { createMethodOutput, type Method, type MethodOutput } from './method/method.js';
export { createPenaltyMethod, type PenaltyOptions } from './method/penalty.js';
export { createServo, type Servo, stepServo } from './servo/servo.js';
export { buildShell } from './shell/build-shell.js';
export type { PointShell, ShellOptions } from './shell/point-shell.js';
export { validateShell } from './shell/validate-shell.js';
