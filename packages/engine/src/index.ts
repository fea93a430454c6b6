export type { BodyRegion, ElasticHooks, PreparedElasticOptions } from './asset/prepare-elastic.js';
export {
  decodeAsset,
  encodeAsset,
  type PreparedBody,
  type PreparedHierarchyOptions,
  type PrepareOptions,
  prepareBody,
} from './asset/prepared-body.js';
export { type BodyFile, readBodyMesh } from './asset/read-body-mesh.js';
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
export {
  createRing,
  createRingReader,
  createRingWriter,
  type Ring,
  type RingReader,
  type RingWriter,
} from './base/ring.js';
export {
  createTripleReader,
  createTripleWriter,
  resetTripleBuffer,
  type TripleReader,
  type TripleWriter,
} from './base/triple-buffer.js';
export {
  type ConeGaussSeidel,
  type ConeGaussSeidelOptions,
  createConeGaussSeidel,
} from './complementarity/cone-gauss-seidel.js';
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
export {
  CAPPED_CONTACTS,
  CAPPED_VISITED,
  type ContactCounters,
  type ContactQuery,
  type ContactQueryOptions,
  type ShellOwner,
} from './contact/contact-query.js';
export { type ContactSet, createContactSet } from './contact/contact-set.js';
export { createHierarchyQuery } from './contact/convex/create-hierarchy-query.js';
export {
  CAPPED_HIERARCHY_CONTACTS,
  CAPPED_HIERARCHY_PAIRS,
  type HierarchyCounters,
  type HierarchyQuery,
  type HierarchyQueryOptions,
} from './contact/convex/hierarchy-query.js';
export { appendHierarchyContacts, queryHierarchies } from './contact/convex/query-hierarchy.js';
export { createContactQuery } from './contact/create-contact-query.js';
export { findFieldProximity } from './contact/proximity/find-field-proximity.js';
export { findProximity } from './contact/proximity/find-proximity.js';
export {
  BAD_PROXIMITY,
  CAPPED_PROXIMITY_CONTACTS,
  CAPPED_PROXIMITY_NEAR,
  CAPPED_PROXIMITY_TESTS,
  createProximitySet,
  EDGE_EDGE,
  FACE_VERTEX,
  type ProximitySet,
  type ProximitySetOptions,
  VERTEX_FACE,
  VERTEX_FIELD,
} from './contact/proximity/proximity-set.js';
export {
  createProximitySurface,
  type ProximitySurface,
  type ProximitySurfaceOptions,
  refitSurface,
} from './contact/proximity/proximity-surface.js';
export { thinContacts } from './contact/proximity/thin-contacts.js';
export { appendContacts, queryContacts } from './contact/query-contacts.js';
export {
  createWrenchLimiter,
  limitWrench,
  limitWrenchAndRate,
  type SlewLimits,
  type WrenchLimiter,
  type WrenchLimits,
} from './coupling/limit-wrench.js';
export {
  createPassivity,
  DEFAULT_PASSIVITY,
  keepPassive,
  LEDGER_BALANCE,
  LEDGER_DAMPING,
  LEDGER_ENERGY,
  LEDGER_GAIN,
  LEDGER_PEAK,
  LEDGER_WITHHELD,
  observeEnergy,
  type Passivity,
  type PassivityOptions,
} from './coupling/passivity.js';
export type { Device, DeviceLimits } from './device/device.js';
export {
  createPortMemory,
  haltPort,
  openPortDevice,
  openPortHost,
  type PortHost,
  type PortMemory,
  portHaltFade,
} from './device/device-port.js';
export {
  createHaplySession,
  HAPLY_LEAST_FORCE,
  HAPLY_MESSAGE_LIMIT,
  type HaplyProblem,
  type HaplyReading,
  type HaplySession,
  type HaplySessionOptions,
  listHaplyDevices,
} from './device/haply.js';
export { createReplayDevice, type DeviceSamples } from './device/replay-device.js';
export { createSimulatedHand, type HandEnergy, type SimulatedHand } from './device/simulated-hand.js';
export type { HandIntent, SimulatedHandOptions } from './device/simulated-hand-options.js';
export { BASES, DEFAULT_WORKSPACE, mapDevice, type WorkspaceOptions } from './device/workspace.js';
export type { ElasticBody, ElasticOptions } from './elasticity/elastic-body.js';
export {
  createElasticDynamics,
  type ElasticDynamics,
  type ElasticDynamicsOptions,
  type ElasticMaterial,
} from './elasticity/elastic-dynamics.js';
export { type ElasticEstimate, estimateElasticBytes } from './elasticity/plan-elastic.js';
export { prepareElasticBody } from './elasticity/prepare-elastic-body.js';
export {
  createSurfaceStress,
  type SurfaceStress,
  strainEnergy,
  surfaceStress,
  tetrahedronStress,
  vonMises,
} from './elasticity/stress.js';
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
export type { FrictionPair, FrictionSettings } from './friction/friction-parameters.js';
export {
  CONTACT_DYNAMIC,
  CONTACT_SEPARATING,
  CONTACT_STATIC,
  createFrictionProblem,
  type FrictionProblem,
} from './friction/friction-problem.js';
export { decodeProblem, encodeProblem, isProblemFile } from './friction/problem-file.js';
export { type FrictionResidual, frictionResidual } from './friction/residual.js';
export { buildConvexHierarchy, type HierarchyOptions } from './hierarchy/build-hierarchy.js';
export type { ConvexHierarchy } from './hierarchy/convex-hierarchy.js';
export {
  type HierarchyArray,
  type HierarchyContent,
  type PackedHierarchy,
  packHierarchy,
  unpackHierarchy,
} from './hierarchy/pack-hierarchy.js';
export {
  createMailbox,
  createMailboxReader,
  type LiveCommand,
  type Mailbox,
  postCommand,
} from './live/command-mailbox.js';
export { openPictures, type PictureMemory, type PictureReader } from './live/contact-pictures.js';
export {
  type ContactExchange,
  type ContactThreadMemory,
  type ContactThreadWatch,
  createContactThreadMemory,
  type LoopExchange,
  openContactExchange,
  openLoopExchange,
  watchContactThread,
} from './live/contact-thread-memory.js';
export {
  DELASSUS_CONTACTS,
  DELASSUS_SHOWN,
  type DelassusMemory,
  type DelassusPicture,
  type DelassusReader,
  openDelassusPictures,
} from './live/delassus-pictures.js';
export { createLoopHeartbeat, HEARTBEAT_LOOK_MS, type Heartbeat, type LoopHeartbeat } from './live/heartbeat.js';
export {
  type BegunThread,
  type ContactThreadHands,
  type KeptContactThread,
  keepContactThread,
  keepLoopContacts,
} from './live/keep-contact-thread.js';
export {
  createLiveMemory,
  type LiveMemory,
  type LoopEnd,
  openTelemetry,
  runLiveLoop,
  TELEMETRY_CYCLES,
  TELEMETRY_DROPPED,
  TELEMETRY_FAULTS_SEEN,
  TELEMETRY_MISSED,
  TELEMETRY_WORST_CYCLE_US,
  TELEMETRY_WORST_LATE_US,
} from './live/live-loop.js';
export {
  commandLive,
  createLiveSession,
  type HandDevice,
  type LiveEvent,
  type LiveHand,
  type LiveOptions,
  type LiveSession,
  liveTime,
  stepLive,
} from './live/live-session.js';
export { type LoopDevice, openLoopDevice } from './live/loop-device.js';
export { type LoopSamples, type LoopTurns, openTurns, type TurnsHost } from './live/loop-turns.js';
export { type MeasuredLoop, type MeasuredLoopHost, serveMeasuredLoop } from './live/measured-loop.js';
export { awaitCycle, createPacer, type Pacer, restartPacer } from './live/pacer.js';
export { changedScene, LIVE_GROUPS } from './live/scene-change.js';
export { createSceneContactMemory } from './live/scene-contact-memory.js';
export {
  type ContactServer,
  type ContactThreadHost,
  type ContactThreadSetup,
  createContactServer,
  type FromContactThread,
  serveContactSide,
} from './live/serve-contact-side.js';
export {
  type FromLoop,
  type LoopHand,
  type LoopHost,
  type LoopSetup,
  openSession,
  serveLoop,
} from './live/serve-loop.js';
export {
  type BodyShape,
  openShapeReader,
  type ShapedBody,
  type ShapeMemory,
} from './live/shape-memory.js';
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
export { type SimplifyOptions, simplifyMesh } from './mesh/simplify.js';
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
export type { ContactLink } from './method/contact-link.js';
export {
  MODEL_COUNT,
  MODEL_DEPTH,
  MODEL_FIND_US,
  MODEL_FOUND,
  MODEL_SEQUENCE,
  MODEL_TIME,
} from './method/contact-model-header.js';
export { type ContactPicture, contactPictureBytes, viewContactPicture } from './method/contact-picture.js';
export { createDeformableWorld, type DeformableMethod, type DeformableWorld } from './method/deformable/deformable.js';
export type { DeformableDynamics } from './method/deformable/deformable-dynamics.js';
export { describeDeformableScene } from './method/deformable/deformable-scene.js';
export {
  DEFAULT_DEFORMABLE_OPTIONS,
  type DeformableBodySetup,
  type DeformableOptions,
  type DeformableSetup,
} from './method/deformable/deformable-setup.js';
export { candidateCount, createProximityModel, type ProximityModel } from './method/deformable/proximity-model.js';
export { createProximitySide, type ProximitySide } from './method/deformable/proximity-side.js';
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
export { createMethodCaches, type MethodCaches } from './method/method-caches.js';
export type { ContactParts, MethodDefinition } from './method/method-definition.js';
export {
  type MethodKind,
  type MethodSettings,
  methodOf,
  methodSettings,
  methods,
  type SettingsOf,
} from './method/methods.js';
export type { ContactClusters } from './method/modular/cluster-contacts.js';
export type { ContactLoad } from './method/modular/contact-load.js';
export {
  CLUSTER_DEPTH,
  CLUSTER_NORMAL,
  CLUSTER_P0,
  CLUSTER_R,
  type ContactModel,
  clusterAt,
  contactModelSize,
  createContactModel,
} from './method/modular/contact-model.js';
export {
  createModularContactSide,
  type ModularContactSide,
  type ModularContacts,
} from './method/modular/contact-side.js';
export {
  createHierarchyContacts,
  type HierarchyContacts,
  type HierarchyPair,
} from './method/modular/hierarchy-contacts.js';
export type { IntegratorKind } from './method/modular/integrate.js';
export {
  createLinkedModularMethod,
  createModularMethod,
  type LinkedModularMethod,
  type ModularMethod,
} from './method/modular/modular.js';
export { createModularDynamics, type ModularDynamics } from './method/modular/modular-dynamics.js';
export { DEFAULT_MODULAR_OPTIONS, type ModularOptions } from './method/modular/modular-options.js';
export { createShellContacts } from './method/modular/shell-contacts.js';
export { createToolState, TOOL_STATE_SIZE, TOOL_STATE_TIME, type ToolState } from './method/modular/tool-state.js';
export { createPenaltyMethod, type PenaltyOptions } from './method/penalty/penalty.js';
export {
  bodyPose,
  type PlannedPair,
  planPairs,
  type SceneHierarchyPair,
  type ScenePair,
} from './method/scene-pairs.js';
export type { Separation } from './method/static-friction/contact-roles.js';
export {
  createStaticFrictionMethod,
  type StaticFrictionMethod,
  type StaticFrictionOptions,
} from './method/static-friction/static-friction.js';
export {
  type ContactPair,
  createContactPair,
  createToolBody,
  type ToolBody,
  type ToolContacts,
  withMass,
} from './method/tool-contacts.js';
export { type BuiltInModel, buildModel, builtInModels } from './model/models.js';
export { formatLiveRow, liveHeader } from './record/format-live-row.js';
export { LIVE_COLUMNS, LIVE_WIDTH, type LiveMoment, writeLiveRow } from './record/live-row.js';
export {
  type Hand,
  handAlong,
  handOfTrajectory,
  type PlayCounters,
  type PlayedScene,
  type Probe,
  playCycle,
  playScene,
  type ScenePlay,
  type Stage,
  startPlay,
  type TrajectoryHand,
} from './record/play-scene.js';
export { cellOf, faultWords, type LiveColumn, lengthOf, placeOf } from './record/read-live-row.js';
export {
  createRowMessages,
  eventChannel,
  type MessageSink,
  type RecordingChannel,
  type RecordingSchema,
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
  startEntries,
  UNKNOWN_START,
} from './record/recording-time.js';
export {
  formatResultCells,
  RESULT_COLUMNS,
  RESULT_WIDTH,
  type Result,
  readResult,
  resultHeader,
  STATE_NAMES,
  writeResultRow,
} from './record/result.js';
export { createPlayback, type Playback, samplePose } from './record/sample-trajectory.js';
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
  checkRunnable,
  createSceneMethod,
  describeSources,
  type SceneMethod,
  type SceneMethodOptions,
  sceneWithMethod,
} from './scene/create-scene-method.js';
export { describeKeysAsMarkdown } from './scene/describe-keys.js';
export { type JsonSchema, sceneJsonSchema } from './scene/json-schema.js';
export { type ListedParameter, listParameters } from './scene/list-parameters.js';
export { missingPart, planPreparation } from './scene/plan-preparation.js';
export { type Scene, type SceneDevice, sceneDescription } from './scene/scene-description.js';
export { isKeyUsed } from './scene/used-keys.js';
export { FAULT_DEVICE_JUMPED, FAULT_DEVICE_SILENT, FAULT_SAMPLE_BAD } from './servo/sample-guard.js';
export {
  changeMethod,
  createServo,
  DEFAULT_SERVO,
  FAULT_EMERGENCY_STOP,
  FAULT_LOOP_STALLED,
  FAULT_METHOD_NOT_FINITE,
  pauseServo,
  resumeServo,
  type Servo,
  type ServoOptions,
  stepServo,
} from './servo/servo.js';
export type { SceneBody, SceneMesh } from './settings/body-parameters.js';
export type * from './settings/parameter.js';
export type { Place } from './settings/parse-json.js';
export type { SceneProblem } from './settings/problem-list.js';
export { buildShell } from './shell/build-shell.js';
export type { PointShell, ShellOptions } from './shell/point-shell.js';
export { validateShell } from './shell/validate-shell.js';
export { auditTetrahedra, type TetrahedraAudit } from './tetrahedra/audit-tetrahedra.js';
export { describeTetrahedraAudit, tetrahedraProblems } from './tetrahedra/describe-tetrahedra.js';
export type { ElementList } from './tetrahedra/element-shapes.js';
export type { LostPlaces } from './tetrahedra/lost-places.js';
export { type MeshedSolid, type MeshTetrahedraOptions, meshTetrahedra } from './tetrahedra/mesh-tetrahedra.js';
export type { MaterialHint } from './tetrahedra/raw-tetrahedra.js';
export {
  isTetrahedraName,
  type ReadTetrahedraOptions,
  readTetrahedra,
  type TetrahedraFile,
  type TetrahedraFormat,
} from './tetrahedra/read-tetrahedra.js';
export { nodesInBall, nodesInBox } from './tetrahedra/select-nodes.js';
export { surfaceOf, type TetrahedraSurface } from './tetrahedra/surface-of.js';
export { checkTetrahedraSize } from './tetrahedra/tetrahedra-size.js';
export { createTetrahedralMesh, type TetrahedralMesh, tetrahedraVolume } from './tetrahedra/tetrahedral-mesh.js';
