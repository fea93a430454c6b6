import { searchField } from '../../contact/proximity/find-field-proximity.js';
import { searchSurfaces } from '../../contact/proximity/find-proximity.js';
import {
  beginQuery,
  clearProximity,
  createProximitySet,
  FACE_VERTEX,
  type ProximitySet,
} from '../../contact/proximity/proximity-set.js';
import {
  createProximitySurface,
  moveSurface,
  type ProximitySurface,
  refitSurface,
} from '../../contact/proximity/proximity-surface.js';
import { thinContacts } from '../../contact/proximity/thin-contacts.js';
import type { ElasticBody } from '../../elasticity/elastic-body.js';
import type { DistanceField } from '../../field/distance-field.js';
import { applyTransposed } from '../../math/matrices.js';
import { copyPose, createPose, type Pose } from '../../math/pose.js';
import { MODEL_CAPPED, MODEL_COUNT, MODEL_DEPTH, MODEL_FOUND, MODEL_SEQUENCE } from '../contact-model-header.js';
import type { DeformableBodySetup, DeformableOptions, DeformableSetup } from './deformable-setup.js';
import { createElasticPart, type ElasticPart } from './elastic-part.js';
import {
  candidateCount,
  type ProximityModel,
  pairCandidateCount,
  RECORD_FIRST_POINT,
  RECORD_KEY,
  RECORD_NORMAL,
  RECORD_OWNER,
  RECORD_PAIR,
  RECORD_POINT,
  RECORD_VERTICES,
  RECORD_WEIGHTS,
  recordAt,
} from './proximity-model.js';
import { deformSurface, layOutState, placePoints, readBodyState, type WorldState } from './world-state.js';

/**
 * The proximity side of deformable bodies: from the state of all bodies to the features that are near each other. Runs
 * in a thread of its own, or between the steps of the solver; it alone works out whole surfaces.
 */
export interface ProximitySide {
  update(model: ProximityModel, state: WorldState): void;
  /** As of the last update, in the order of the bodies. */
  readonly bodies: readonly SideBody[];
}

export interface SideBody {
  readonly pose: Pose;
  /** At rest. */
  readonly rest: Float64Array;
  /** The surface in the body's frame, as it is deformed. */
  readonly local: Float64Array;
  /** Null for a rigid body. */
  readonly part: ElasticPart | null;
}

interface Side {
  readonly setup: DeformableSetup;
  readonly offsets: Int32Array;
  readonly bodies: readonly PlacedBody[];
  /** What was found of each pair, and what is kept of it. */
  readonly found: readonly ProximitySet[];
  readonly kept: readonly ProximitySet[];
  sequence: number;
}

interface PlacedBody extends SideBody {
  readonly surface: ProximitySurface;
  readonly field: DistanceField | null;
  readonly rotation: Float64Array;
  /** Whether triangles are looked for on it: not so where it meets distance fields alone, or has one itself. */
  readonly isSearched: boolean;
  /** Whether its surface never changes once it was placed. */
  readonly isStill: boolean;
  isPlaced: boolean;
}

/** Pairs of features of two bodies that are looked at before they are thinned. */
const MOST_FOUND = 1024;

/** Finds the contacts of a deformable world from the state of its bodies, in the loop or in a thread of its own. */
export function createProximitySide(setup: DeformableSetup): ProximitySide {
  const { offsets, loadCapacity } = layOutState(setup);
  const bodies = setup.bodies.map((body, b) => {
    const isSearched = setup.pairs.some(
      ({ first, second }) => (first === b || second === b) && setup.bodies[second].field === null,
    );
    return createPlacedBody(body, setup, loadCapacity, isSearched);
  });
  const side: Side = {
    setup,
    offsets,
    bodies,
    found: setup.pairs.map(() => createFoundSet(setup.options)),
    kept: setup.pairs.map(() => createProximitySet(pairCandidateCount(setup.options.contacts))),
    sequence: 0,
  };
  return { bodies, update: (model, state) => updateSide(side, model, state) };
}

function createFoundSet({ alarmDistance }: DeformableOptions): ProximitySet {
  const set = createProximitySet(MOST_FOUND);
  beginQuery(set, alarmDistance, alarmDistance);
  return set;
}

function createPlacedBody(
  { surface, elastic, field, tool }: DeformableBodySetup,
  { options }: DeformableSetup,
  loadCapacity: number,
  isSearched: boolean,
): PlacedBody {
  const touchable = elastic && touchableVertices(elastic.body);
  return {
    rest: surface.positions,
    local: surface.positions.slice(),
    pose: createPose(),
    surface: createProximitySurface(surface, touchable ? { touchable } : {}),
    field,
    part: elastic && createElasticPart(elastic.body, elastic.material, options.timeStep, loadCapacity),
    rotation: new Float64Array(9),
    isSearched,
    isStill: tool === null && elastic === null,
    isPlaced: false,
  };
}

/**
 * A vertex that is held can be touched as well, since it moves with the rigid part; not so if only a part of the surface was
 * chosen to be touched.
 */
function touchableVertices({ columnOf, fixedVertices }: ElasticBody): Uint8Array {
  const isChosen = columnOf.some((column, vertex) => column < 0 && !fixedVertices[vertex]);
  return Uint8Array.from(columnOf, (column, vertex) => (column >= 0 || (fixedVertices[vertex] && !isChosen) ? 1 : 0));
}

function updateSide(side: Side, model: ProximityModel, state: WorldState): void {
  const { bodies, offsets, found } = side;
  for (let b = 0; b < bodies.length; b += 1) placeBody(bodies[b], state, offsets[b]);
  let pairsInTouch = 0;
  model[MODEL_CAPPED] = 0;
  model[MODEL_FOUND] = 0;
  for (let p = 0; p < found.length; p += 1) {
    findPair(side, p);
    if (found[p].flags !== 0) model[MODEL_CAPPED] = 1;
    model[MODEL_FOUND] += found[p].count;
    if (found[p].count > 0) pairsInTouch += 1;
  }
  writeModel(side, model, pairsInTouch);
}

function placeBody(body: PlacedBody, state: WorldState, offset: number): void {
  if (body.isStill && body.isPlaced) return;
  body.isPlaced = true;
  copyPose(body.pose, 0, state, offset);
  if (body.part !== null) {
    readBodyState(body.part, state, offset);
    deformSurface(body.local, body.rest, body.part);
  }
  placePoints(body.surface.positions, body.local, body.pose, body.rotation);
  if (body.isSearched) refitSurface(body.surface);
  else moveSurface(body.surface);
}

function findPair({ setup, bodies, found }: Side, p: number): void {
  const { first, second } = setup.pairs[p];
  const { field, pose, surface } = bodies[second];
  clearProximity(found[p]);
  if (field !== null) searchField(found[p], bodies[first].surface, field, pose);
  else searchSurfaces(found[p], bodies[first].surface, surface);
}

/** The nearest and best spread of every pair that touches; pairs share the room evenly. */
function writeModel(side: Side, model: ProximityModel, pairsInTouch: number): void {
  const { setup, found, kept } = side;
  const { contacts } = setup.options;
  const share = (candidateCount(contacts) / Math.max(1, pairsInTouch)) | 0;
  const most = Math.min(share, pairCandidateCount(contacts)) | 0;
  side.sequence += 1;
  model[MODEL_SEQUENCE] = side.sequence;
  model[MODEL_COUNT] = 0;
  model[MODEL_DEPTH] = 0;
  for (let p = 0; p < found.length; p += 1) {
    thinContacts(kept[p], found[p], most, setup.options);
    for (let c = 0; c < found[p].count; c += 1) model[MODEL_DEPTH] = Math.max(model[MODEL_DEPTH], -found[p].gap[c]);
    for (let c = 0; c < kept[p].count; c += 1) writeRecord(side, model, p, c);
  }
}

function writeRecord({ setup, bodies, kept }: Side, model: ProximityModel, p: number, c: number): void {
  const set = kept[p];
  const { first, second } = setup.pairs[p];
  const record = recordAt(model[MODEL_COUNT]);
  model[MODEL_COUNT] += 1;
  const isOnFirst = set.kind[c] === FACE_VERTEX;
  model[record + RECORD_PAIR] = p;
  model[record + RECORD_OWNER] = isOnFirst ? 0 : 1;
  for (let i = 0; i < 3; i += 1) {
    model[record + RECORD_VERTICES + i] = set.a[3 * c + i];
    model[record + RECORD_VERTICES + 3 + i] = set.b[3 * c + i];
    model[record + RECORD_WEIGHTS + i] = set.weightA[3 * c + i];
    model[record + RECORD_WEIGHTS + 3 + i] = set.weightB[3 * c + i];
  }
  for (let i = 0; i < 2; i += 1) model[record + RECORD_KEY + i] = set.key[2 * c + i];
  const { rotation } = bodies[isOnFirst ? first : second];
  applyTransposed(model, record + RECORD_NORMAL, rotation, set.normal, 3 * c);
  writePoint(model, record + RECORD_POINT, set.pointB, 3 * c, bodies[second]);
  writePoint(model, record + RECORD_FIRST_POINT, set.pointA, 3 * c, bodies[first]);
}

function writePoint(out: Float64Array, at: number, point: Float64Array, from: number, body: PlacedBody): void {
  const { rotation: R, pose } = body;
  for (let i = 0; i < 3; i += 1) {
    out[at + i] =
      R[i] * (point[from] - pose[0]) + R[3 + i] * (point[from + 1] - pose[1]) + R[6 + i] * (point[from + 2] - pose[2]);
  }
}
