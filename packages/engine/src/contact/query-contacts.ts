import { BRICK_CELLS, BRICK_NODES, BRICK_SIZE } from '../field/distance-field.js';
import { isFinitePose, type Pose, relativePose, rotationMatrix } from '../math/pose.js';
import { CAPPED_CONTACTS, CAPPED_VISITED, type ContactQuery } from './contact-query.js';
import type { ContactSet } from './contact-set.js';
import { selectSmallest } from './select-smallest.js';

/**
 * Which points of the shell lie below the surface of the field: every cycle, without allocation and without throwing.
 *
 * The tree of spheres is walked level by level. A sample at a point p of value φ bounds the distance of everything
 * within r of p: it cannot be less than φ − error − r. What cannot be a contact by that bound is not visited.
 *
 * Nor is a point sampled again until it may have come near: between nodes that differ by no more than they are apart,
 * interpolation changes by no more than √3 times the way.
 *
 * Every level samples the whole object. So when a cap is met, the coarser levels are complete and even, and the level
 * that does not fit is thinned to its deepest (contacts) or most promising (visits) points; finer ones are left out.
 */

const ROW = BRICK_NODES;
const LAYER = BRICK_NODES * BRICK_NODES;
/** How fast interpolated distances change at most. */
const STEEPEST = Math.sqrt(3);

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

  startAtRoots(query);
  while (workspace.nextCount > 0 && counters.capped === 0) {
    takeLevel(query);
    sampleLevel(query);
    keepDeepest(query, capacity - set.count);
    addContacts(query, set, shellPose, centre);
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

/** How far any point of the shell may have gone in the field since the last query. */
function addTravel({ workspace }: ContactQuery): void {
  const { relative, relativeRotation: m, lastRelative: last, middle, lastMiddle, travel } = workspace;
  let near = 0;
  let far = 0;
  for (let i = 3; i < 7; i += 1) {
    near += (relative[i] - last[i]) * (relative[i] - last[i]);
    far += (relative[i] + last[i]) * (relative[i] + last[i]);
  }
  let way = 0;
  for (let i = 0; i < 3; i += 1) {
    const at = m[3 * i] * middle[0] + m[3 * i + 1] * middle[1] + m[3 * i + 2] * middle[2] + relative[i];
    way += (at - lastMiddle[i]) * (at - lastMiddle[i]);
    lastMiddle[i] = at;
  }
  last.set(relative);
  // A turn by θ takes a point at r by 2 sin(θ/2) r, and its quaternion by 2 sin(θ/4).
  travel[0] += Math.sqrt(way) + 2 * Math.sqrt(Math.min(near, far)) * middle[3];
}

function startAtRoots({ workspace, shell }: ContactQuery): void {
  workspace.nextCount = shell.rootCount;
  for (let n = 0; n < shell.rootCount; n += 1) {
    workspace.next[n] = n;
    workspace.nextBound[n] = 0;
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
  const { workspace, shell, field, within, contactError, brickError } = query;
  const { active, activeCount, next, nextBound, found, foundDistance, gradient, toCells: m } = workspace;
  const { nearAfter, lowestAfter } = workspace;
  const travelled = workspace.travel[0];
  // Nodes of an open mesh change sign where there is no surface.
  const perWay = field.closed ? 1 / STEEPEST : 0;
  const soon = travelled + perWay * within;
  // From here on voxels may have nodes outside of the band, which are not exact.
  const exact = field.band - 3 * brickError;
  const { points, reach, childStart, childCount } = shell;
  const { brickOf, coarse, bricks, brickErrors, band } = field;
  const { nx, ny, nz, row: coarseRow, layer: coarseLayer, cellSide, perCell, perVoxel } = query.grid;
  let foundCount = 0;
  let nextCount = 0;
  for (let n = 0; n < activeCount; n += 1) {
    const point = active[n];
    const children = childStart[point] + childCount[point];
    if (nearAfter[point] > soon) {
      for (let child = childStart[point]; child < children; child += 1) {
        const bound = lowestAfter[point] - travelled - reach[child] - contactError;
        if (bound >= within) break;
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
      const i = u | 0;
      const j = v | 0;
      const k = w | 0;
      u -= i;
      v -= j;
      w -= k;
      const brick = brickOf[i + nx * (j + ny * k)];
      let values = coarse;
      let at = i + coarseRow * j + coarseLayer * k;
      let row = coarseRow;
      let layer = coarseLayer;
      let perSide = perCell;
      if (brick >= 0) {
        u *= BRICK_CELLS;
        v *= BRICK_CELLS;
        w *= BRICK_CELLS;
        const a = u | 0;
        const b = v | 0;
        const c = w | 0;
        u -= a;
        v -= b;
        w -= c;
        values = bricks;
        at = brick * BRICK_SIZE + a + ROW * b + LAYER * c;
        row = ROW;
        layer = LAYER;
        perSide = perVoxel;
      }
      const d000 = values[at];
      const d010 = values[at + row];
      const d001 = values[at + layer];
      const d011 = values[at + layer + row];
      const g00 = values[at + 1] - d000;
      const g10 = values[at + row + 1] - d010;
      const g01 = values[at + layer + 1] - d001;
      const g11 = values[at + layer + row + 1] - d011;
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
        gradient[3 * point] = (g0 + w * (g1 - g0)) * perSide;
        gradient[3 * point + 1] = (h0 + w * (h1 - h0)) * perSide;
        gradient[3 * point + 2] = (y1 - y0) * perSide;
        found[foundCount] = point;
        foundDistance[foundCount] = distance;
        foundCount += 1;
      }
      if (brick >= 0) {
        lowest = distance - brickError - brickErrors[brick];
        nearAfter[point] = travelled + perWay * Math.min(distance, exact);
      } else {
        // The nearest corner is exact. Besides, a cell without a brick lies beyond the band as a whole.
        const nearest = at + (u > 0.5 ? 1 : 0) + (v > 0.5 ? row : 0) + (w > 0.5 ? layer : 0);
        const du = u > 0.5 ? 1 - u : u;
        const dv = v > 0.5 ? 1 - v : v;
        const dw = w > 0.5 ? 1 - w : w;
        lowest = values[nearest] - cellSide * Math.sqrt(du * du + dv * dv + dw * dw);
        if (distance > 0 && lowest < band) lowest = band;
        nearAfter[point] = travelled + perWay * (lowest - contactError);
      }
    } else {
      // Outside the grid there is nothing, and the surface is inside of it. Written out here, because a call that the
      // compiler does not inline would put each of its numbers on the heap.
      const du = u < 0 ? u : u > nx ? u - nx : 0;
      const dv = v < 0 ? v : v > ny ? v - ny : 0;
      const dw = w < 0 ? w : w > nz ? w - nz : 0;
      lowest = cellSide * Math.sqrt(du * du + dv * dv + dw * dw);
      nearAfter[point] = travelled + perWay * (lowest - contactError);
    }
    lowestAfter[point] = travelled + lowest;
    for (let child = childStart[point]; child < children; child += 1) {
      const bound = lowest - reach[child] - contactError;
      if (bound >= within) break;
      next[nextCount] = child;
      nextBound[nextCount] = bound;
      nextCount += 1;
    }
  }
  workspace.foundCount = foundCount;
  workspace.nextCount = nextCount;
}

/** Thins the contacts of this level to the deepest `allowed`. */
function keepDeepest({ workspace, counters }: ContactQuery, allowed: number): void {
  if (workspace.foundCount <= allowed) return;
  selectSmallest(workspace.found, workspace.foundDistance, workspace.foundCount, allowed);
  workspace.foundCount = allowed;
  counters.capped |= CAPPED_CONTACTS;
}

/** Brings the contacts found on this level into the world. */
function addContacts(query: ContactQuery, set: ContactSet, shellPose: Pose, centre: Float64Array): void {
  const { workspace, shell } = query;
  const { found, foundDistance, foundCount, gradient, shellRotation: s, fieldRotation: f } = workspace;
  const { points, normals, cone, share } = shell;
  const { position, normal, arm } = set;
  // The tool is pushed along the field's gradient if it carries the shell, against the shell's outward normals then.
  const side = query.shellOn === 'tool' ? 1 : -1;
  for (let n = 0; n < foundCount; n += 1) {
    const at = set.count + n;
    const p = 3 * found[n];
    const o = 3 * at;
    const x = points[p];
    const y = points[p + 1];
    const z = points[p + 2];
    position[o] = s[0] * x + s[1] * y + s[2] * z + shellPose[0];
    position[o + 1] = s[3] * x + s[4] * y + s[5] * z + shellPose[1];
    position[o + 2] = s[6] * x + s[7] * y + s[8] * z + shellPose[2];
    arm[o] = position[o] - centre[0];
    arm[o + 1] = position[o + 1] - centre[1];
    arm[o + 2] = position[o + 2] - centre[2];
    const nx = -side * normals[p];
    const ny = -side * normals[p + 1];
    const nz = -side * normals[p + 2];
    normal[o] = s[0] * nx + s[1] * ny + s[2] * nz;
    normal[o + 1] = s[3] * nx + s[4] * ny + s[5] * nz;
    normal[o + 2] = s[6] * nx + s[7] * ny + s[8] * nz;
    const gx = side * gradient[p];
    const gy = side * gradient[p + 1];
    const gz = side * gradient[p + 2];
    set.gradient[o] = f[0] * gx + f[1] * gy + f[2] * gz;
    set.gradient[o + 1] = f[3] * gx + f[4] * gy + f[5] * gz;
    set.gradient[o + 2] = f[6] * gx + f[7] * gy + f[8] * gz;
    if (cone[found[n]] < 1) leanNormal(set, o, cone, found[n]);
    set.depth[at] = -foundDistance[n];
    set.point[at] = found[n];
    set.share[at] = share[found[n]];
    set.stiffness[at] = 0;
  }
  set.count += foundCount;
}

/**
 * The normal of an edge or a corner is the one of its cone that is nearest to the gradient: what it touches says which.
 * Gradients that lead out of the other side of something thin do not count.
 */
function leanNormal({ normal, gradient }: ContactSet, o: number, cone: Float64Array, point: number): void {
  const gx = gradient[o];
  const gy = gradient[o + 1];
  const gz = gradient[o + 2];
  const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
  if (!(length > LEAST_GRADIENT)) return;
  const nx = normal[o];
  const ny = normal[o + 1];
  const nz = normal[o + 2];
  const along = (gx * nx + gy * ny + gz * nz) / length;
  const least = cone[point];
  if (along >= least) {
    normal[o] = gx / length;
    normal[o + 1] = gy / length;
    normal[o + 2] = gz / length;
    return;
  }
  // On the border of the cone, in the plane of its axis and the gradient.
  const tx = gx / length - along * nx;
  const ty = gy / length - along * ny;
  const tz = gz / length - along * nz;
  const across = Math.sqrt(tx * tx + ty * ty + tz * tz);
  if (!(across > LEAST_GRADIENT)) return;
  const lean = Math.sqrt(1 - least * least) / across;
  normal[o] = least * nx + lean * tx;
  normal[o + 1] = least * ny + lean * ty;
  normal[o + 2] = least * nz + lean * tz;
}

/** A shorter one has no direction to speak of. */
const LEAST_GRADIENT = 1e-3;
