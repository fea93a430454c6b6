import type { FlatFace, FlatFaces } from '../shell/flat-faces.js';
import { markFlatPoints } from '../shell/flat-points.js';
import type { PointShell } from '../shell/point-shell.js';
import type { ContactQuery } from './contact-query.js';
import { CLOSE_UNTIL } from './point-list.js';

/**
 * Flat faces of two bodies that lie on each other, by a few points instead of all that both have.
 *
 * Where two convex faces overlap is a convex polygon. Its area, centre and second moments are those of a rectangle, or a
 * parallelogram where it is skewed; 4 × 4 points of Gauss's rule on that give the force and the torque of any linear
 * pressure exactly, and what the pressure resists against twisting to a few parts in a thousand. So the query samples these
 * points instead of those that the face has, each with its part of the surface that they would have stood for. They are
 * where the pressure is, whatever part of the faces that may be: what they bear goes to 0 with the overlap.
 *
 * The rule is laid along the smaller of the two faces; points that it puts beside the face of the field are drawn in.
 *
 * They are sampled in the field like all others, which says how deep they are. Edges and corners of both bodies keep their
 * points, and so does all that is curved or not convex; what a flat face can touch besides another face has one of these.
 * Hence nothing else of a face is needed while all faces of the other body that it may touch are taken care of so; and as
 * this begins and ends at a distance, nothing changes when it does.
 *
 * x = R p + t takes a point of this body to the frame of the other.
 */
export interface FacePairs {
  readonly own: FlatFaces;
  readonly other: FlatFaces;
  /** The query of the other body's points in the field of this one. */
  readonly mirror: ContactQuery;
  /** First of the points that are placed, `GAUSS_POINTS` for each pair. */
  readonly firstPoint: number;
  /** The faces of each pair, −1 where there is none, and whether it is one of this cycle. */
  readonly ownFace: Int16Array;
  readonly otherFace: Int16Array;
  readonly isHeld: Uint8Array;
  /** By face of each body: 0 if it touches none, 1 if all that it touches are pairs, 2 if some had no room. */
  readonly ownState: Uint8Array;
  readonly otherState: Uint8Array;
  readonly workspace: FaceWorkspace;
}

interface FaceWorkspace {
  /** Corners of the overlap, along the smaller face; how many there are. */
  readonly polygon: Float64Array;
  readonly clipped: Float64Array;
  corners: number;
  /** Of the other face, which is clipped with. */
  readonly window: Float64Array;
  /** Area, circumference, centre, spread as a lower triangle. */
  readonly moments: Float64Array;
  /** From one face's coordinates to the other's: 2×2, then a translation. */
  readonly map: Float64Array;
  readonly at: Float64Array;
}

/** Pairs at once, and points of each. */
const MOST_PAIRS = 12;
const GAUSS_POINTS = 16;
/** Sines of the angle at which faces are taken for parallel, and at which they no longer are. */
const PARALLEL = 0.02;
const STILL_PARALLEL = 0.025;
/** Overlaps smaller than this are none, m². */
const LEAST_AREA = 1e-9;
const MOST_CORNERS = 64;
/** What is left of the width of a narrow overlap without the strips along its edges, at least. */
const LEAST_SHRINK = 0.3;
/** Points are drawn in to this part of the way to the edge. */
const INSIDE = 0.995;

/** Of Gauss's rule, for a spread of 1; its weights add up to 1. */
const NODES = Float64Array.of(-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526).map(
  (node) => node * Math.sqrt(3),
);
const WEIGHTS = Float64Array.of(0.17392742256872692, 0.3260725774312731, 0.3260725774312731, 0.17392742256872692);

/** A shell with room for the points of pairs of faces: the last ones, which no tree holds. */
export function withFacePoints(shell: PointShell): PointShell {
  const before = known.get(shell);
  if (before) return before;
  const more = MOST_PAIRS * GAUSS_POINTS;
  const extend = <T extends Float64Array | Uint32Array>(values: T, width: number, filled: (i: number) => number): T => {
    const all = new (values.constructor as new (length: number) => T)(values.length + more * width);
    all.set(values);
    for (let i = values.length; i < all.length; i += 1) all[i] = filled(i % width);
    return all;
  };
  const made: PointShell = {
    ...shell,
    count: shell.count + more,
    points: extend(shell.points, 3, (axis) => shell.points[axis]),
    normals: extend(shell.normals, 3, (axis) => shell.normals[axis]),
    cone: extend(shell.cone, 1, () => 1),
    along: extend(shell.along, 3, () => 0),
    share: extend(shell.share, 1, () => 1),
    triangles: extend(shell.triangles, 1, () => 0),
    levelEnds: Uint32Array.from([...shell.levelEnds, shell.count + more]),
    radius: extend(shell.radius, 1, () => 0),
    reach: extend(shell.reach, 1, () => 0),
    childStart: extend(shell.childStart, 1, () => 0),
    childCount: extend(shell.childCount, 1, () => 0),
  };
  markFlatPoints(made, shell);
  known.set(shell, made);
  return made;
}

const known = new WeakMap<PointShell, PointShell>();

export function createFacePairs(shell: PointShell, own: FlatFaces, other: FlatFaces, mirror: ContactQuery): FacePairs {
  return {
    own,
    other,
    mirror,
    firstPoint: shell.count - MOST_PAIRS * GAUSS_POINTS,
    ownFace: new Int16Array(MOST_PAIRS).fill(-1),
    otherFace: new Int16Array(MOST_PAIRS).fill(-1),
    isHeld: new Uint8Array(MOST_PAIRS),
    ownState: new Uint8Array(own.faces.length),
    otherState: new Uint8Array(other.faces.length),
    workspace: {
      polygon: new Float64Array(2 * MOST_CORNERS),
      clipped: new Float64Array(2 * MOST_CORNERS),
      corners: 0,
      window: new Float64Array(2 * MOST_CORNERS),
      moments: new Float64Array(7),
      map: new Float64Array(6),
      at: new Float64Array(3),
    },
  };
}

/**
 * Places the points of all pairs of faces that may touch and makes them the active ones, and says which faces of both
 * bodies need no others. The query's poses have been taken over before.
 */
export function placeFacePoints(query: ContactQuery, pairs: FacePairs): void {
  const { own, other, ownFace, otherFace, isHeld, ownState, otherState, mirror } = pairs;
  const { workspace } = query;
  isHeld.fill(0);
  ownState.fill(0);
  otherState.fill(0);
  workspace.activeCount = 0;
  for (let p = 0; p < own.faces.length; p += 1) {
    for (let q = 0; q < other.faces.length; q += 1) {
      const near = overlap(query, pairs, p, q);
      if (near === FAR) continue;
      if (near === BEYOND) {
        ownState[p] = Math.max(ownState[p], 1);
        otherState[q] = Math.max(otherState[q], 1);
        continue;
      }
      const slot = slotOf(pairs, p, q);
      ownState[p] = Math.max(ownState[p], slot < 0 ? 2 : 1);
      otherState[q] = Math.max(otherState[q], slot < 0 ? 2 : 1);
      if (slot < 0) continue;
      ownFace[slot] = p;
      otherFace[slot] = q;
      isHeld[slot] = 1;
      placePoints(query, pairs, slot);
    }
  }
  for (let slot = 0; slot < MOST_PAIRS; slot += 1) if (isHeld[slot] === 0) ownFace[slot] = -1;
  replaceFaces(query, ownState);
  replaceFaces(mirror, otherState);
}

/** Takes over which faces need none of their own points. */
function replaceFaces({ replaced, workspace }: ContactQuery, state: Uint8Array): void {
  let count = 0;
  for (let face = 0; face < state.length; face += 1) {
    const now = state[face] === 1 ? 1 : 0;
    if (now !== replaced[face]) workspace.listed[CLOSE_UNTIL] = Number.NEGATIVE_INFINITY;
    replaced[face] = now;
    count += now;
  }
  workspace.replacedCount = count;
}

/** Where a pair has its points, or may have them; −1 if there is no room. */
function slotOf({ ownFace, otherFace }: FacePairs, p: number, q: number): number {
  let free = -1;
  for (let slot = MOST_PAIRS - 1; slot >= 0; slot -= 1) {
    if (ownFace[slot] === p && otherFace[slot] === q) return slot;
    if (ownFace[slot] < 0) free = slot;
  }
  return free;
}

/** How near two faces are: not parallel and above each other within the margin; further than asked for; near. */
const FAR = 0;
const BEYOND = 1;
const NEAR = 2;

/** How near two faces are; `polygon` and `moments` then say where they overlap. */
function overlap(query: ContactQuery, pairs: FacePairs, p: number, q: number): number {
  const { relative, relativeRotation: m } = query.workspace;
  const face = pairs.own.faces[p];
  const against = pairs.other.faces[q];
  const { normal: a, origin: o } = face;
  const { normal: b, origin: c } = against;
  const nx = m[0] * a[0] + m[1] * a[1] + m[2] * a[2];
  const ny = m[3] * a[0] + m[4] * a[1] + m[5] * a[2];
  const nz = m[6] * a[0] + m[7] * a[1] + m[8] * a[2];
  if (!(nx * b[0] + ny * b[1] + nz * b[2] < 0)) return FAR;
  const sx = ny * b[2] - nz * b[1];
  const sy = nz * b[0] - nx * b[2];
  const sz = nx * b[1] - ny * b[0];
  const sine = Math.sqrt(sx * sx + sy * sy + sz * sz);
  if (!(sine < STILL_PARALLEL)) return FAR;
  const slot = slotOf(pairs, p, q);
  if (!(sine < PARALLEL || (slot >= 0 && pairs.ownFace[slot] === p))) return FAR;
  const px = m[0] * o[0] + m[1] * o[1] + m[2] * o[2] + relative[0] - c[0];
  const py = m[3] * o[0] + m[4] * o[1] + m[5] * o[2] + relative[1] - c[1];
  const pz = m[6] * o[0] + m[7] * o[1] + m[8] * o[2] + relative[2] - c[2];
  const gap = b[0] * px + b[1] * py + b[2] * pz;
  const tilt = sine * face.radius;
  if (!(gap - tilt < query.margin && gap + tilt > -query.margin)) return FAR;
  mapFaces(query, pairs, face, against);
  clip(pairs, face, against);
  if (!measure(pairs.workspace)) return FAR;
  return gap - tilt < query.within ? NEAR : BEYOND;
}

/** From the coordinates of the larger face to those of the smaller one. */
function mapFaces(
  { workspace: { relative, relativeRotation: m } }: ContactQuery,
  pairs: FacePairs,
  own: FlatFace,
  other: FlatFace,
): void {
  const { map } = pairs.workspace;
  const { u, v, origin: o } = own;
  const { u: a, v: b, origin: c } = other;
  const ux = m[0] * u[0] + m[1] * u[1] + m[2] * u[2];
  const uy = m[3] * u[0] + m[4] * u[1] + m[5] * u[2];
  const uz = m[6] * u[0] + m[7] * u[1] + m[8] * u[2];
  const vx = m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
  const vy = m[3] * v[0] + m[4] * v[1] + m[5] * v[2];
  const vz = m[6] * v[0] + m[7] * v[1] + m[8] * v[2];
  const x = m[0] * o[0] + m[1] * o[1] + m[2] * o[2] + relative[0] - c[0];
  const y = m[3] * o[0] + m[4] * o[1] + m[5] * o[2] + relative[1] - c[1];
  const z = m[6] * o[0] + m[7] * o[1] + m[8] * o[2] + relative[2] - c[2];
  const ua = ux * a[0] + uy * a[1] + uz * a[2];
  const ub = ux * b[0] + uy * b[1] + uz * b[2];
  const va = vx * a[0] + vy * a[1] + vz * a[2];
  const vb = vx * b[0] + vy * b[1] + vz * b[2];
  map[0] = ua;
  map[3] = vb;
  if (own.area <= other.area) {
    map[1] = ub;
    map[2] = va;
    map[4] = -(ux * x + uy * y + uz * z);
    map[5] = -(vx * x + vy * y + vz * z);
  } else {
    map[1] = va;
    map[2] = ub;
    map[4] = a[0] * x + a[1] * y + a[2] * z;
    map[5] = b[0] * x + b[1] * y + b[2] * z;
  }
}

/** The overlap along the smaller face (Sutherland and Hodgman): its outline, cut off at each edge of the larger one. */
function clip({ workspace }: FacePairs, own: FlatFace, other: FlatFace): void {
  const { polygon, clipped, window, map } = workspace;
  const small = own.area <= other.area ? own.outline : other.outline;
  const large = own.area <= other.area ? other.outline : own.outline;
  // Seen from the smaller face, the other one runs clockwise.
  const corners = large.length / 2;
  for (let k = 0; k < corners; k += 1) {
    const x = large[2 * k];
    const y = large[2 * k + 1];
    window[2 * (corners - 1 - k)] = map[0] * x + map[1] * y + map[4];
    window[2 * (corners - 1 - k) + 1] = map[2] * x + map[3] * y + map[5];
  }
  let count = small.length / 2;
  for (let k = 0; k < small.length; k += 1) polygon[k] = small[k];
  for (let k = 0; k < corners && count > 0; k += 1) {
    const x = window[2 * k];
    const y = window[2 * k + 1];
    const next = k + 1 < corners ? 2 * k + 2 : 0;
    const dx = window[next] - x;
    const dy = window[next + 1] - y;
    let kept = 0;
    let fromX = polygon[2 * count - 2];
    let fromY = polygon[2 * count - 1];
    let from = dx * (fromY - y) - dy * (fromX - x);
    for (let n = 0; n < count; n += 1) {
      const toX = polygon[2 * n];
      const toY = polygon[2 * n + 1];
      const to = dx * (toY - y) - dy * (toX - x);
      if (from < 0 !== to < 0) {
        const part = from / (from - to);
        clipped[2 * kept] = fromX + part * (toX - fromX);
        clipped[2 * kept + 1] = fromY + part * (toY - fromY);
        kept += 1;
      }
      if (to >= 0) {
        clipped[2 * kept] = toX;
        clipped[2 * kept + 1] = toY;
        kept += 1;
      }
      fromX = toX;
      fromY = toY;
      from = to;
    }
    for (let n = 0; n < 2 * kept; n += 1) polygon[n] = clipped[n];
    count = kept;
  }
  workspace.corners = count;
}

/** Moments of the overlap. False if there is none. */
function measure({ polygon, corners, moments }: FaceWorkspace): boolean {
  if (corners < 3) return false;
  const x0 = polygon[0];
  const y0 = polygon[1];
  let area = 0;
  let around = 0;
  let x = 0;
  let y = 0;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let k = 0; k < corners; k += 1) {
    const next = k + 1 < corners ? 2 * k + 2 : 0;
    const ax = polygon[2 * k] - x0;
    const ay = polygon[2 * k + 1] - y0;
    const bx = polygon[next] - x0;
    const by = polygon[next + 1] - y0;
    const twice = ax * by - ay * bx;
    area += twice / 2;
    around += Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    x += (twice * (ax + bx)) / 6;
    y += (twice * (ay + by)) / 6;
    xx += (twice * (ax * ax + ax * bx + bx * bx)) / 12;
    yy += (twice * (ay * ay + ay * by + by * by)) / 12;
    xy += (twice * (2 * ax * ay + ax * by + bx * ay + 2 * bx * by)) / 24;
  }
  if (!(area > LEAST_AREA)) return false;
  x /= area;
  y /= area;
  moments[0] = area;
  moments[1] = around;
  moments[2] = x0 + x;
  moments[3] = y0 + y;
  moments[4] = Math.sqrt(Math.max(0, xx / area - x * x));
  moments[5] = moments[4] > 0 ? (xy / area - x * y) / moments[4] : 0;
  moments[6] = Math.sqrt(Math.max(0, yy / area - y * y - moments[5] * moments[5]));
  return true;
}

/** Lays the rule over the overlap and makes its points active. */
function placePoints({ workspace, shell }: ContactQuery, pairs: FacePairs, slot: number): void {
  const own = pairs.own.faces[pairs.ownFace[slot]];
  const other = pairs.other.faces[pairs.otherFace[slot]];
  const { moments, at } = pairs.workspace;
  const { points, normals, share } = shell;
  const { active, nearAfter } = workspace;
  const area = moments[0];
  // The strips along the edges are those of the points there; what is finer has the measure.
  const { density, strip } = own.density > other.density ? own : other;
  const part = Math.max(LEAST_SHRINK * LEAST_SHRINK, 1 - (strip * moments[1]) / area);
  const all = density * area * part;
  const shrink = Math.sqrt(part);
  for (let k = 0; k < GAUSS_POINTS; k += 1) {
    const point = pairs.firstPoint + GAUSS_POINTS * slot + k;
    const i = k & 3;
    const j = k >> 2;
    at[0] = shrink * moments[4] * NODES[i];
    at[1] = shrink * (moments[5] * NODES[i] + moments[6] * NODES[j]);
    drawIn(pairs, own, other);
    bringHome(workspace, at, own, other);
    for (let axis = 0; axis < 3; axis += 1) {
      points[3 * point + axis] = at[axis];
      normals[3 * point + axis] = own.normal[axis];
    }
    share[point] = all * WEIGHTS[i] * WEIGHTS[j];
    nearAfter[point] = Number.NEGATIVE_INFINITY;
    active[workspace.activeCount] = point;
    workspace.activeCount += 1;
  }
}

/** From the centre of the overlap to a place in it; beside the face of the field there is nothing to touch. */
function drawIn({ workspace }: FacePairs, own: FlatFace, other: FlatFace): void {
  const { at, moments, window } = workspace;
  const rim = own.area <= other.area ? window : other.outline;
  const x = moments[2];
  const y = moments[3];
  const corners = other.outline.length / 2;
  let part = 1 / INSIDE;
  for (let k = 0; k < corners; k += 1) {
    const next = k + 1 < corners ? 2 * k + 2 : 0;
    const dx = rim[next] - rim[2 * k];
    const dy = rim[next + 1] - rim[2 * k + 1];
    const centre = dx * (y - rim[2 * k + 1]) - dy * (x - rim[2 * k]);
    const outward = dy * at[0] - dx * at[1];
    if (outward * part > centre) part = centre / outward;
  }
  part = Math.min(1, INSIDE * part);
  at[0] = x + part * at[0];
  at[1] = y + part * at[1];
}

/** From the coordinates of the smaller face to a place on the own face, body frame. */
function bringHome(
  { relative, relativeRotation: m }: ContactQuery['workspace'],
  at: Float64Array,
  own: FlatFace,
  other: FlatFace,
): void {
  const x = at[0];
  const y = at[1];
  const { origin: o, normal: n } = own;
  if (own.area <= other.area) {
    for (let i = 0; i < 3; i += 1) at[i] = o[i] + x * own.u[i] + y * own.v[i];
    return;
  }
  const px = other.origin[0] + x * other.u[0] + y * other.v[0] - relative[0];
  const py = other.origin[1] + x * other.u[1] + y * other.v[1] - relative[1];
  const pz = other.origin[2] + x * other.u[2] + y * other.v[2] - relative[2];
  for (let i = 0; i < 3; i += 1) at[i] = m[i] * px + m[3 + i] * py + m[6 + i] * pz;
  const above = n[0] * (at[0] - o[0]) + n[1] * (at[1] - o[1]) + n[2] * (at[2] - o[2]);
  for (let i = 0; i < 3; i += 1) at[i] -= above * n[i];
}
