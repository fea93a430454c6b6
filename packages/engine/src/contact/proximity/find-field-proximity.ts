import type { DistanceField } from '../../field/distance-field.js';
import { SAMPLE_DISTANCE, sampleInGrid } from '../../field/sample-field.js';
import { applyMatrix, applyTransposed } from '../../math/matrices.js';
import { isFinitePose, type Pose, rotationMatrix } from '../../math/pose.js';
import { lengthAt, subtract } from '../../math/vectors.js';
import {
  BAD_PROXIMITY,
  beginQuery,
  ID_A,
  ID_B,
  ID_KEY,
  ID_KIND,
  LIMIT_ALARM,
  LIMIT_DEPTH,
  type ProximitySet,
  type ProximityWorkspace,
  storeContact,
  VALUE_GAP,
  VALUE_NORMAL,
  VALUE_P,
  VALUE_Q,
  VALUE_WEIGHT_A,
  VALUE_WEIGHT_B,
  VERTEX_FIELD,
} from './proximity-set.js';
import { freshenNormals, type ProximitySurface } from './proximity-surface.js';
import { vertexFaces, vertexNormal } from './surface-normals.js';

/**
 * Appends the vertices of a surface that are nearer to a rigid body than the alarm distance, or inside it by no more than
 * `maxDepth` (metres; four times the alarm distance unless given), by the body's distance field. The surface must have been
 * refitted since it moved. Gives the flags of the set.
 *
 * Only the vertices of the surface are tested: an edge of the body that goes through the middle of a large
 * face is not found. Where that matters, give the body its own surface.
 */
export function findFieldProximity(
  set: ProximitySet,
  surface: ProximitySurface,
  field: DistanceField,
  fieldPose: Pose,
  alarm: number,
  maxDepth = 4 * alarm,
): number {
  beginQuery(set, alarm, maxDepth);
  return searchField(set, surface, field, fieldPose);
}

/** The same with the limits that the set has from `beginQuery`. */
export function searchField(
  set: ProximitySet,
  surface: ProximitySurface,
  field: DistanceField,
  fieldPose: Pose,
): number {
  if (surface.finite === 0 || !isFinitePose(fieldPose)) {
    set.flags |= BAD_PROXIMITY;
    return set.flags;
  }
  const { workspace } = set;
  rotationMatrix(workspace.rotation, fieldPose);
  const { touchableVertices } = surface;
  for (let i = 0; i < touchableVertices.length; i++) {
    const vertex = touchableVertices[i];
    placeInField(workspace, surface, vertex, fieldPose);
    if (!isNearBox(workspace, field) || !sampleInGrid(workspace.closest, field, workspace.point)) continue;
    set.tests += 1;
    const distance = workspace.closest[SAMPLE_DISTANCE];
    if (!(distance <= workspace.limits[LIMIT_ALARM] && distance >= -workspace.limits[LIMIT_DEPTH])) continue;
    addFieldContact(set, surface, vertex);
  }
  return set.flags;
}

/** The vertex in the body's frame into `point[0…2]`. */
function placeInField(workspace: ProximityWorkspace, surface: ProximitySurface, vertex: number, pose: Pose): void {
  const { point, rotation } = workspace;
  subtract(point, 0, surface.positions, 3 * vertex, pose, 0);
  applyTransposed(point, 0, rotation, point, 0);
}

function isNearBox({ point, limits }: ProximityWorkspace, { bounds, offset }: DistanceField): boolean {
  const reach = limits[LIMIT_ALARM] + offset;
  for (let axis = 0; axis < 3; axis++) {
    if (!(point[axis] >= bounds[axis] - reach && point[axis] <= bounds[3 + axis] + reach)) return false;
  }
  return true;
}

function addFieldContact(set: ProximitySet, surface: ProximitySurface, vertex: number): void {
  const { closest, directions, rotation, ownNormal, featureNormal, ids, values } = set.workspace;
  const length = lengthAt(closest, 0);
  if (!(length > 0)) return;
  applyMatrix(directions, 0, rotation, closest, 0);
  for (let axis = 0; axis < 3; axis++) directions[axis] /= length;
  freshenNormals(surface, vertex);
  vertexNormal(ownNormal, surface, vertex);
  if (!vertexFaces(featureNormal, surface, vertex, ownNormal, directions, 0)) return;
  ids[ID_KIND] = VERTEX_FIELD;
  ids[ID_KEY] = 4 * vertex + VERTEX_FIELD;
  ids[ID_KEY + 1] = 0;
  values[VALUE_GAP] = closest[SAMPLE_DISTANCE];
  for (let i = 0; i < 3; i++) {
    ids[ID_A + i] = i === 0 ? vertex : -1;
    ids[ID_B + i] = -1;
    values[VALUE_WEIGHT_A + i] = i === 0 ? 1 : 0;
    values[VALUE_WEIGHT_B + i] = 0;
    values[VALUE_P + i] = surface.positions[3 * vertex + i];
    values[VALUE_Q + i] = surface.positions[3 * vertex + i] - closest[SAMPLE_DISTANCE] * directions[i];
    values[VALUE_NORMAL + i] = directions[i];
  }
  storeContact(set);
}
