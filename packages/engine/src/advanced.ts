/**
 * What the command line, the studio and the tests are built from: solvers, memory that threads share, recording
 * channels, tetrahedra, single stages of the methods. A minor version may change it.
 *
 * @module
 */

export { type BodyPart, bodyWithPart, joinParts, wantedParts } from './asset/body-parts.js';
export { preparationJobs } from './asset/preparation-jobs.js';
export type { BodyRegion, ElasticHooks, PreparedElasticOptions } from './asset/prepare-elastic.js';
export { serveJobs, shareable, type WorkerHost, type WorkerPort } from './base/parallel.js';
export { percentile } from './base/percentile.js';
export type { ProgressListener } from './base/progress.js';
export { createRandom, type RandomSource } from './base/random.js';
export { createRing, createRingReader, createRingWriter, type Ring, type RingReader } from './base/ring.js';
export { createTripleReader, createTripleWriter, resetTripleBuffer, type TripleReader } from './base/triple-buffer.js';
export { createConeGaussSeidel } from './complementarity/cone-gauss-seidel.js';
export { type ConeProblem, createConeProblem, layDense, writeContactMotion } from './complementarity/cone-problem.js';
export { coneResidual } from './complementarity/cone-residual.js';
export { decodeContactProblem, encodeContactProblem } from './complementarity/contact-problem-file.js';
export { type LcpOutcome, type LcpProblem, type LcpSolution, lcpResidual, solveLcp } from './complementarity/lcp.js';
export { isContactProblem, readContactProblem } from './complementarity/read-contact-problem.js';
export { type MatrixOrder, readSiconosLcp, siconosKind } from './complementarity/read-siconos.js';
export {
  type ConeSolveOptions,
  type ConeSolveResult,
  type ConeSolverName,
  coneSolvers,
  solveCone,
} from './complementarity/solve-cone.js';
export { bruteForceContacts } from './contact/brute-force.js';
export type { ShellOwner } from './contact/contact-query.js';
export { createHierarchyQuery } from './contact/convex/create-hierarchy-query.js';
export type { HierarchyQuery } from './contact/convex/hierarchy-query.js';
export { queryHierarchies } from './contact/convex/query-hierarchy.js';
export { findProximity } from './contact/proximity/find-proximity.js';
export { createProximitySet } from './contact/proximity/proximity-set.js';
export { createProximitySurface, refitSurface } from './contact/proximity/proximity-surface.js';
export { thinContacts } from './contact/proximity/thin-contacts.js';
export { appendContacts } from './contact/query-contacts.js';
export { LEDGER_PEAK } from './coupling/passivity.js';
export {
  createPortMemory,
  haltPort,
  openPortDevice,
  openPortHost,
  type PortHost,
  type PortMemory,
  portHaltFade,
} from './device/device-port.js';
export { HAPLY_MESSAGE_LIMIT, type HaplyReading, listHaplyDevices } from './device/haply.js';
export { createHaplyExchange, type HaplyExchange } from './device/haply-exchange.js';
export type { ElasticBody } from './elasticity/elastic-body.js';
export { createElasticDynamics } from './elasticity/elastic-dynamics.js';
export { estimateElasticBytes } from './elasticity/plan-elastic.js';
export { prepareElasticBody } from './elasticity/prepare-elastic-body.js';
export { createSurfaceStress, surfaceStress } from './elasticity/stress.js';
export { DEFAULT_RESOLUTION, type FieldStatistics } from './field/build-field.js';
export { brickCount, fieldBytes, fieldDimensions } from './field/distance-field.js';
export { sampleGradient, sampleVoxelLayer } from './field/sample-field.js';
export {
  createFrictionModel,
  DEFAULT_FRICTION_OPTIONS,
  iterationCap,
  MAX_SIDES,
  MIN_SIDES,
} from './friction/create-friction-model.js';
export { createFrictionResult, FRICTION_SLIP, FRICTION_STICK, type FrictionResult } from './friction/friction-model.js';
export {
  CONTACT_DYNAMIC,
  CONTACT_STATIC,
  createFrictionProblem,
  type FrictionProblem,
} from './friction/friction-problem.js';
export { decodeProblem, encodeProblem, isProblemFile } from './friction/problem-file.js';
export { frictionResidual } from './friction/residual.js';
export { buildConvexHierarchy, buildConvexHierarchyOnWorkers } from './hierarchy/build-hierarchy.js';
export type { ConvexHierarchy } from './hierarchy/convex-hierarchy.js';
export { useKernels } from './kernels/arena.js';
export { createMailbox, createMailboxReader, type Mailbox, postCommand } from './live/command-mailbox.js';
export { openPictures } from './live/contact-pictures.js';
export {
  type ContactThreadMemory,
  createContactThreadMemory,
  openContactExchange,
  openLoopExchange,
  watchContactThread,
} from './live/contact-thread-memory.js';
export {
  DELASSUS_CONTACTS,
  DELASSUS_SHOWN,
  type DelassusPicture,
  openDelassusPictures,
} from './live/delassus-pictures.js';
export { createLoopHeartbeat, HEARTBEAT_LOOK_MS } from './live/heartbeat.js';
export { type ContactThreadHands, type KeptContactThread, keepLoopContacts } from './live/keep-contact-thread.js';
export {
  createLiveMemory,
  type LiveMemory,
  openTelemetry,
  TELEMETRY_CYCLES,
  TELEMETRY_DROPPED,
  TELEMETRY_FAULTS_SEEN,
  TELEMETRY_MISSED,
  TELEMETRY_WORST_CYCLE_US,
  TELEMETRY_WORST_LATE_US,
} from './live/live-loop.js';
export { liveTime } from './live/live-session.js';
export { type LoopDevice, openLoopDevice } from './live/loop-device.js';
export { type LoopSamples, type LoopTurns, openTurns } from './live/loop-turns.js';
export { type MeasuredLoop, serveMeasuredLoop } from './live/measured-loop.js';
export { changedScene, LIVE_GROUPS } from './live/scene-change.js';
export { createSceneContactMemory } from './live/scene-contact-memory.js';
export { type ContactThreadSetup, type FromContactThread, serveContactSide } from './live/serve-contact-side.js';
export { type FromLoop, type LoopHand, type LoopSetup, serveLoop } from './live/serve-loop.js';
export { type BodyShape, openShapeReader } from './live/shape-memory.js';
export { cosOf, sinOf } from './math/portable.js';
export { composePose, normalizePose, rotationMatrix } from './math/pose.js';
export { rotationBetween, turnPose } from './math/rotation.js';
export type { CleanOptions } from './mesh/clean.js';
export type { MeshFormat } from './mesh/detect-format.js';
export type { UriResolver } from './mesh/gltf-buffers.js';
export { type MassProperties, massProperties } from './mesh/mass-properties.js';
export { simplifyMesh } from './mesh/simplify.js';
export { type StepReader, type StepResult, type StepTessellation, stepParameters } from './mesh/step-result.js';
export { subdivideMesh } from './mesh/subdivide.js';
export { type Bounds, meshBounds, triangleCount } from './mesh/triangle-mesh.js';
export { metresPerUnit } from './mesh/units.js';
export { MODEL_COUNT, MODEL_FIND_US, MODEL_FOUND, MODEL_SEQUENCE } from './method/contact-model-header.js';
export { type ContactPicture, contactPictureBytes, viewContactPicture } from './method/contact-picture.js';
export { createDeformableWorld, type DeformableWorld } from './method/deformable/deformable.js';
export { describeDeformableScene } from './method/deformable/deformable-scene.js';
export { DEFAULT_DEFORMABLE_OPTIONS, type DeformableSetup } from './method/deformable/deformable-setup.js';
export type { ProximityModel } from './method/deformable/proximity-model.js';
export { createProximitySide } from './method/deformable/proximity-side.js';
export type { ConstraintKind, GodObjectMethod } from './method/god-object/god-object.js';
export { createHeuristic, type Heuristic, resetHeuristic, stepHeuristic } from './method/god-object/heuristic.js';
export {
  PENALTY_DEPTH,
  PENALTY_KINETIC,
  PENALTY_MARGIN,
  PENALTY_SIZE,
  PENALTY_STATIC,
} from './method/god-object/penalty-sum.js';
export { STAGE_CONTACT, STAGE_FRICTION, STAGE_METHOD, STAGE_TOTAL } from './method/method.js';
export type { ContactParts } from './method/method-definition.js';
export { type MethodSettings, methodSettings } from './method/methods.js';
export { createContactModel } from './method/modular/contact-model.js';
export { createModularContactSide, type ModularContacts } from './method/modular/contact-side.js';
export { createHierarchyContacts } from './method/modular/hierarchy-contacts.js';
export type { IntegratorKind } from './method/modular/integrate.js';
export { createModularMethod, type ModularMethod } from './method/modular/modular.js';
export { createModularDynamics } from './method/modular/modular-dynamics.js';
export { DEFAULT_MODULAR_OPTIONS, type ModularOptions } from './method/modular/modular-options.js';
export { createShellContacts } from './method/modular/shell-contacts.js';
export { TOOL_STATE_SIZE } from './method/modular/tool-state.js';
export { bodyPose, coefficientsOf, frictionOfPair, planPairs } from './method/scene-pairs.js';
export type { StaticFrictionMethod } from './method/static-friction/static-friction.js';
export { withMass } from './method/tool-contacts.js';
export { formatLiveRow, liveHeader } from './record/format-live-row.js';
export { LIVE_COLUMNS, LIVE_WIDTH, writeLiveRow } from './record/live-row.js';
export { playCycle, type ScenePlay, startPlay, type TrajectoryHand } from './record/play-scene.js';
export { cellOf, faultWords, type LiveColumn, lengthOf, placeOf } from './record/read-live-row.js';
export {
  createRowMessages,
  eventChannel,
  infoEntries,
  type RecordingSubject,
  type RowMessages,
  recordingChannels,
  recordingSchemas,
} from './record/recording-channels.js';
export {
  CYCLE_SCHEMA,
  decodeCycle,
  END_METADATA,
  EVENT_TOPIC,
  INFO_METADATA,
  OPTIONS_ATTACHMENT,
  SCENE_ATTACHMENT,
} from './record/recording-schema.js';
export {
  nanosecondsOfMs,
  nanosecondsOfTime,
  type RecordingStart,
  readRecordingStart,
  recordingStart,
  UNKNOWN_START,
} from './record/recording-time.js';
export { formatResultCells, RESULT_WIDTH, resultHeader, STATE_NAMES, writeResultRow } from './record/result.js';
export { createPlayback, samplePose } from './record/sample-trajectory.js';
export { sceneError } from './scene/check-scene.js';
export { checkRunnable, describeSources } from './scene/create-scene-method.js';
export { describeKeysAsMarkdown } from './scene/describe-keys.js';
export { sceneJsonSchema } from './scene/json-schema.js';
export { listParameters } from './scene/list-parameters.js';
export { missingPart } from './scene/plan-preparation.js';
export { type SceneDevice, sceneDescription } from './scene/scene-description.js';
export { isKeyUsed } from './scene/used-keys.js';
export type { SceneMesh } from './settings/body-parameters.js';
export type {
  ChoiceParameter,
  FlagParameter,
  NumberParameter,
  NumberRange,
  Parameter,
  VectorParameter,
} from './settings/parameter.js';
export { auditTetrahedra, type TetrahedraAudit } from './tetrahedra/audit-tetrahedra.js';
export { describeTetrahedraAudit, tetrahedraProblems } from './tetrahedra/describe-tetrahedra.js';
export { type MeshedSolid, meshTetrahedra } from './tetrahedra/mesh-tetrahedra.js';
export type { MaterialHint } from './tetrahedra/raw-tetrahedra.js';
export { isTetrahedraName, type ReadTetrahedraOptions, readTetrahedra } from './tetrahedra/read-tetrahedra.js';
export { nodesInBox } from './tetrahedra/select-nodes.js';
export { surfaceOf } from './tetrahedra/surface-of.js';
export { checkTetrahedraSize } from './tetrahedra/tetrahedra-size.js';
export { createTetrahedralMesh, type TetrahedralMesh } from './tetrahedra/tetrahedral-mesh.js';
