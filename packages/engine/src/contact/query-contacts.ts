import { BRICK_CELLS, BRICK_NODES, BRICK_SIZE } from '../field/distance-field.js';
import { isFinitePose, type Pose, relativePose, rotationMatrix } from '../math/pose.js';
import { CAPPED_CONTACTS, CAPPED_VISITED, type ContactQuery } from './contact-query.js';
import type { ContactSet } from './contact-set.js';
import { placeFacePoints } from './face-pairs.js';
import { addContacts } from './place-contacts.js';
import {
  addTravel,
  closeList,
  dropList,
  endLevel,
  isListed,
  LISTED_MORE,
  STEEPEST,
  startAtRoots,
  TRAVEL_ALL,
  takeListed,
} from './point-list.js';
import { selectSmallest } from './select-smallest.js';

/**
 * Which points of the shell lie below the surface of the field: every cycle, without allocation and without throwing.
 *
 * The tree of spheres is walked level by level. A sample at a point p of value φ bounds the distance of everything
 * within r of p: it cannot be less than φ − error − r. What cannot be a contact by that bound is not visited.
 *
 * Nor is a point sampled again until it may have come near: between nodes that differ by no more than they are apart,
 * interpolation changes by no more than √3 times the way. And the tree is not walked again until one that was left out
 * may have: a walk looks further than asked for and lists what it finds there, in the order of the tree, and until the
 * shell has gone that far, only what is listed is looked at. The contacts are the same to the last bit.
 *
 * Every level samples the whole object. So when a cap is met, the coarser levels are complete and even, and the level
 * that does not fit is thinned to its deepest (contacts) or most promising (visits) points; finer ones are left out.
 */

const ROW = BRICK_NODES;
const LAYER = BRICK_NODES * BRICK_NODES;
/** Of a step between two faces of a voxel, bilinear interpolation of a plane folded along its diagonal is off by a quarter. */
const MOST_ROUNDED = 0.25;
/** How far the length of a gradient may be from 1 for a cautious query. */
const SMOOTH_GRADIENT = 0.15;

/**
 * Fills `set` with the contacts at the given poses of the two bodies; `centre` is the tool's centre of mass in the
 * world, from which the arms are measured.
 *
 * @example
 * ```ts
 * import {
 *   buildField,
 *   buildShell,
 *   createBox,
 *   createContactQuery,
 *   createContactSet,
 *   createPose,
 *   createSphere,
 *   queryContacts,
 * } from '@palpable/engine';
 *
 * const plate = await buildField(createBox(0.2, 0.2, 0.02), { resolution: 64 });
 * const ball = buildShell(createSphere(0.03), { spacing: 0.002 });
 * const query = createContactQuery(ball, plate, { shellOn: 'tool' });
 * const contacts = createContactSet(1000);
 *
 * const pose = createPose(0, 0, 0.038); // the ball reaches 2 mm into the plate
 * queryContacts(query, contacts, pose, createPose(), pose.subarray(0, 3));
 * console.log(contacts.count, contacts.depth[0]);
 * ```
 */
export function queryContacts(
  query: ContactQuery,
  set: ContactSet,
  shellPose: Pose,
  fieldPose: Pose,
  centre: Float64Array,
): void {
  set.count = 0;
  appendContacts(query, set, shellPose, fieldPose, centre);
}

/** `queryContacts` for one of several pairs of bodies: its contacts come after those that are in `set` already. */
export function appendContacts(
  query: ContactQuery,
  set: ContactSet,
  shellPose: Pose,
  fieldPose: Pose,
  centre: Float64Array,
): void {
  const { workspace, counters } = query;
  const capacity = Math.min(set.count + query.maxContacts, set.capacity);
  counters.visited = 0;
  counters.culled = 0;
  counters.capped = 0;
  relativePose(workspace.relative, fieldPose, shellPose);
  counters.badPose = isFinitePose(workspace.relative) ? 0 : 1;
  if (counters.badPose === 1) return;
  mapToCells(query);
  addTravel(query);
  rotationMatrix(workspace.shellRotation, shellPose);
  rotationMatrix(workspace.fieldRotation, fieldPose);

  if (query.facePairs !== null) {
    placeFacePoints(query, query.facePairs);
    workspace.isWalk = 0;
    counters.visited += workspace.activeCount;
    sampleLevel(query);
    keepDeepest(query, capacity - set.count);
    addContacts(query, set, shellPose, centre);
  }
  if (isListed(query)) {
    closeList(query);
    for (let level = 0; level < workspace.listLevels && counters.capped === 0; level += 1) {
      takeListed(query, level);
      sampleLevel(query);
      keepDeepest(query, capacity - set.count);
      addContacts(query, set, shellPose, centre);
    }
  } else {
    startAtRoots(query);
    while (workspace.nextCount > 0 && counters.capped === 0) {
      takeLevel(query);
      sampleLevel(query);
      endLevel(query);
      keepDeepest(query, capacity - set.count);
      addContacts(query, set, shellPose, centre);
    }
    if (counters.capped !== 0) dropList(query);
  }
  counters.culled = query.shell.count - counters.visited;
  query.within = query.margin;
}

/** Pose and grid in one, so that a point is mapped by nine multiplications. */
function mapToCells({ workspace, field, grid }: ContactQuery): void {
  const { relative, relativeRotation, toCells } = workspace;
  rotationMatrix(relativeRotation, relative);
  for (let axis = 0; axis < 3; axis += 1) {
    toCells[4 * axis] = relativeRotation[3 * axis] * grid.perCell;
    toCells[4 * axis + 1] = relativeRotation[3 * axis + 1] * grid.perCell;
    toCells[4 * axis + 2] = relativeRotation[3 * axis + 2] * grid.perCell;
    toCells[4 * axis + 3] = (relative[axis] - field.origin[axis]) * grid.perCell;
  }
}

/** Makes the next level the active one, thinned to what may still be visited. */
function takeLevel({ workspace, counters, maxVisited }: ContactQuery): void {
  const { next, nextBound, active } = workspace;
  let count = workspace.nextCount;
  const allowed = maxVisited - counters.visited;
  if (count > allowed) {
    selectSmallest(next, nextBound, count, allowed);
    count = allowed;
    counters.capped |= CAPPED_VISITED;
  }
  for (let n = 0; n < count; n += 1) active[n] = next[n];
  workspace.activeCount = count;
  workspace.nextCount = 0;
  counters.visited += count;
}

/**
 * Samples every active point, notes the contacts with their gradients, and lists the children that may be contacts.
 *
 * The sampling of `sample-field.ts` is written out here once more: as a call it could hand back either the value or the
 * gradient cheaply, but not the value first and the gradient only for the few points that need it.
 */
function sampleLevel(query: ContactQuery): void {
  const { workspace, shell, field, within, contactError, brickError, isCautious, doubtsEdges, faceOf, replaced } =
    query;
  const { active, activeCount, next, nextBound, found, foundDistance, gradient, toCells: m } = workspace;
  const { nearAfter, lowestAfter, voxelOf, corners, list } = workspace;
  const isWalk = workspace.isWalk === 1;
  const more = isWalk ? workspace.listed[LISTED_MORE] : 0;
  const travelled = workspace.travel[TRAVEL_ALL];
  // Nodes of an open mesh change sign where there is no surface.
  const perWay = field.closed ? 1 / STEEPEST : 0;
  const soon = travelled + perWay * within + more;
  const reachable = within + more;
  // From here on voxels may have nodes outside of the band, which are not exact.
  const exact = field.band - 3 * brickError;
  const { points, reach, childStart, childCount, cone } = shell;
  const { brickOf, coarse, bricks, brickErrors, band } = field;
  const { nx, ny, nz, row: coarseRow, layer: coarseLayer, cellSide, perCell, perVoxel } = query.grid;
  let foundCount = 0;
  let nextCount = 0;
  let listCount = workspace.listCount;
  for (let n = 0; n < activeCount; n += 1) {
    const point = active[n];
    const first = childStart[point];
    const children = isWalk ? first + childCount[point] : first;
    if (isWalk && faceOf[point] >= 0 && replaced[faceOf[point]] === 1) {
      // Not sampled, it says nothing of those below it.
      nearAfter[point] = Number.NEGATIVE_INFINITY;
      list[listCount++] = point;
      for (let child = first; child < children; child += 1) {
        next[nextCount] = child;
        nextBound[nextCount] = 0;
        nextCount += 1;
      }
      continue;
    }
    if (nearAfter[point] > soon) {
      for (let child = first; child < children; child += 1) {
        const bound = lowestAfter[point] - travelled - reach[child] - contactError;
        if (bound >= reachable) break;
        next[nextCount] = child;
        nextBound[nextCount] = bound;
        nextCount += 1;
      }
      continue;
    }
    const px = points[3 * point];
    const py = points[3 * point + 1];
    const pz = points[3 * point + 2];
    let u = m[0] * px + m[1] * py + m[2] * pz + m[3];
    let v = m[4] * px + m[5] * py + m[6] * pz + m[7];
    let w = m[8] * px + m[9] * py + m[10] * pz + m[11];
    // Least distance that the point can have to the surface.
    let lowest: number;
    if (u >= 0 && v >= 0 && w >= 0 && u < nx && v < ny && w < nz) {
      const a = (BRICK_CELLS * u) | 0;
      const b = (BRICK_CELLS * v) | 0;
      const c = (BRICK_CELLS * w) | 0;
      const cell = (u | 0) + nx * ((v | 0) + ny * (w | 0));
      const voxel = a + nx * BRICK_CELLS * (b + ny * BRICK_CELLS * c);
      const corner = 8 * point;
      let isFine = voxelOf[point] === voxel;
      if (!isFine) {
        const brick = brickOf[cell];
        if (brick >= 0) {
          const at = brick * BRICK_SIZE + (a % BRICK_CELLS) + ROW * (b % BRICK_CELLS) + LAYER * (c % BRICK_CELLS);
          corners[corner] = bricks[at];
          corners[corner + 1] = bricks[at + 1];
          corners[corner + 2] = bricks[at + ROW];
          corners[corner + 3] = bricks[at + ROW + 1];
          corners[corner + 4] = bricks[at + LAYER];
          corners[corner + 5] = bricks[at + LAYER + 1];
          corners[corner + 6] = bricks[at + LAYER + ROW];
          corners[corner + 7] = bricks[at + LAYER + ROW + 1];
          voxelOf[point] = voxel;
          isFine = true;
        }
      }
      let d000: number;
      let d010: number;
      let d001: number;
      let d011: number;
      let g00: number;
      let g10: number;
      let g01: number;
      let g11: number;
      let perSide: number;
      let at = 0;
      if (isFine) {
        d000 = corners[corner];
        d010 = corners[corner + 2];
        d001 = corners[corner + 4];
        d011 = corners[corner + 6];
        g00 = corners[corner + 1] - d000;
        g10 = corners[corner + 3] - d010;
        g01 = corners[corner + 5] - d001;
        g11 = corners[corner + 7] - d011;
        u = BRICK_CELLS * u - a;
        v = BRICK_CELLS * v - b;
        w = BRICK_CELLS * w - c;
        perSide = perVoxel;
      } else {
        at = (u | 0) + coarseRow * (v | 0) + coarseLayer * (w | 0);
        d000 = coarse[at];
        d010 = coarse[at + coarseRow];
        d001 = coarse[at + coarseLayer];
        d011 = coarse[at + coarseLayer + coarseRow];
        g00 = coarse[at + 1] - d000;
        g10 = coarse[at + coarseRow + 1] - d010;
        g01 = coarse[at + coarseLayer + 1] - d001;
        g11 = coarse[at + coarseLayer + coarseRow + 1] - d011;
        u -= u | 0;
        v -= v | 0;
        w -= w | 0;
        perSide = perCell;
      }
      const x00 = d000 + u * g00;
      const x10 = d010 + u * g10;
      const x01 = d001 + u * g01;
      const x11 = d011 + u * g11;
      const y0 = x00 + v * (x10 - x00);
      const y1 = x01 + v * (x11 - x01);
      const distance = y0 + w * (y1 - y0);
      if (distance < within) {
        const g0 = g00 + v * (g10 - g00);
        const g1 = g01 + v * (g11 - g01);
        const h0 = x10 - x00;
        const h1 = x11 - x01;
        const gx = (g0 + w * (g1 - g0)) * perSide;
        const gy = (h0 + w * (h1 - h0)) * perSide;
        const gz = (y1 - y0) * perSide;
        if (!isCautious || Math.abs(Math.sqrt(gx * gx + gy * gy + gz * gz) - 1) < SMOOTH_GRADIENT) {
          gradient[3 * point] = gx;
          gradient[3 * point + 1] = gy;
          gradient[3 * point + 2] = gz;
          found[foundCount] = point;
          foundDistance[foundCount] = distance;
          if (isCautious || (doubtsEdges && cone[point] < 1)) {
            // Second derivatives of the interpolation; across the gradient they are negative in a notch.
            const xy = g10 - g00 + w * (g11 - g01 - g10 + g00);
            const xz = g1 - g0;
            const yz = h1 - h0;
            if (isCautious || gx * gy * xy + gx * gz * xz + gy * gz * yz > 0) {
              foundDistance[foundCount] += MOST_ROUNDED * (Math.abs(xy) + Math.abs(xz) + Math.abs(yz));
            }
          }
          foundCount += 1;
        }
      }
      if (isFine) {
        nearAfter[point] = travelled + perWay * Math.min(distance, exact);
        if (isWalk && nearAfter[point] <= soon) list[listCount++] = point;
        if (children === first) continue;
        lowest = distance - brickError - brickErrors[brickOf[cell]];
      } else {
        // The nearest corner is exact. Besides, a cell without a brick lies beyond the band as a whole.
        const nearest = at + (u > 0.5 ? 1 : 0) + (v > 0.5 ? coarseRow : 0) + (w > 0.5 ? coarseLayer : 0);
        const du = u > 0.5 ? 1 - u : u;
        const dv = v > 0.5 ? 1 - v : v;
        const dw = w > 0.5 ? 1 - w : w;
        lowest = coarse[nearest] - cellSide * Math.sqrt(du * du + dv * dv + dw * dw);
        if (distance > 0 && lowest < band) lowest = band;
        nearAfter[point] = travelled + perWay * (lowest - contactError);
        if (isWalk && nearAfter[point] <= soon) list[listCount++] = point;
      }
    } else {
      // Outside the grid there is nothing, and the surface is inside of it. Written out here, because a call that the
      // compiler does not inline would put each of its numbers on the heap.
      const du = u < 0 ? u : u > nx ? u - nx : 0;
      const dv = v < 0 ? v : v > ny ? v - ny : 0;
      const dw = w < 0 ? w : w > nz ? w - nz : 0;
      lowest = cellSide * Math.sqrt(du * du + dv * dv + dw * dw);
      nearAfter[point] = travelled + perWay * (lowest - contactError);
      if (isWalk && nearAfter[point] <= soon) list[listCount++] = point;
    }
    lowestAfter[point] = travelled + lowest;
    for (let child = first; child < children; child += 1) {
      const bound = lowest - reach[child] - contactError;
      if (bound >= reachable) break;
      next[nextCount] = child;
      nextBound[nextCount] = bound;
      nextCount += 1;
    }
  }
  workspace.foundCount = foundCount;
  workspace.nextCount = nextCount;
  workspace.listCount = listCount;
}

/** Thins the contacts of this level to the deepest `allowed`. */
function keepDeepest({ workspace, counters }: ContactQuery, allowed: number): void {
  if (workspace.foundCount <= allowed) return;
  selectSmallest(workspace.found, workspace.foundDistance, workspace.foundCount, allowed);
  workspace.foundCount = allowed;
  counters.capped |= CAPPED_CONTACTS;
}
