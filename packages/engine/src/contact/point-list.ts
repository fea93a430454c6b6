import type { ContactQuery } from './contact-query.js';

/**
 * Which points of the shell may become contacts soon, so that the tree need not be walked every cycle.
 *
 * A walk looks further than asked for, and lists what it finds there in the order of the tree, level by level. Nothing
 * else can come near before the shell has gone that much further; then comes the next walk. Most of the list is not near
 * either: what may be before the shell has gone a small part of that is chosen from it more often.
 */

/** How fast interpolated distances change at most. */
export const STEEPEST = Math.sqrt(3);

/** Of `workspace.travel`: since the first query, and since the last. */
export const TRAVEL_ALL = 0;
const TRAVEL_STEP = 1;

/**
 * Of `workspace.listed`: the travel up to which the list holds, for how far it was made, and how much further it goes; the
 * same of those in it that come near sooner.
 */
const LISTED_UNTIL = 0;
const LISTED_WITHIN = 1;
export const LISTED_MORE = 2;
export const CLOSE_UNTIL = 3;
const CLOSE_WITHIN = 4;
/** The first three of the next list. */
const NEXT_UNTIL = 5;

/** A list is made to last for so many steps of the last length. */
const LISTED_STEPS = 256;
/** But no further than this part of the size of the shell. */
const LISTED_FURTHEST = 0.05;
/** So much of it is looked through again and again, and the rest as seldom. */
const CLOSE_PART = 1 / 16;

/** How far any point of the shell may have gone in the field since the last query. */
export function addTravel({ workspace, within, maxVisited, shell }: ContactQuery): void {
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
  travel[TRAVEL_STEP] = Math.sqrt(way) + 2 * Math.sqrt(Math.min(near, far)) * middle[3];
  travel[TRAVEL_ALL] += travel[TRAVEL_STEP];
  // Here and not where the list begins, which is too seldom to be compiled and would put numbers on the heap.
  const { listed } = workspace;
  const isWhole = maxVisited === shell.count;
  // Looking further must not use up what may be visited.
  const ahead = Math.max(Math.min(LISTED_STEPS * travel[TRAVEL_STEP], LISTED_FURTHEST * middle[3]), within);
  listed[NEXT_UNTIL] = isWhole ? travel[TRAVEL_ALL] + ahead : Number.NEGATIVE_INFINITY;
  listed[NEXT_UNTIL + LISTED_WITHIN] = within;
  listed[NEXT_UNTIL + LISTED_MORE] = isWhole ? ahead : 0;
}

/** Whether all that may be a contact is in the list. */
export function isListed({ workspace, within }: ContactQuery): boolean {
  const { listed, travel } = workspace;
  const wider = Math.max(0, within - listed[LISTED_WITHIN]);
  return travel[TRAVEL_ALL] + wider <= listed[LISTED_UNTIL];
}

/** The same of those that come near sooner. */
function isClose({ workspace, within }: ContactQuery): boolean {
  const { listed, travel } = workspace;
  const wider = Math.max(0, within - listed[CLOSE_WITHIN]);
  return travel[TRAVEL_ALL] + wider <= listed[CLOSE_UNTIL];
}

/** Chooses from the list what comes near sooner, unless that is known. */
export function closeList(query: ContactQuery): void {
  if (isClose(query)) return;
  const { workspace, field, within, faceOf, replaced } = query;
  const { list, listEnds, listLevels, close, closeEnds, nearAfter, listed, travel } = workspace;
  const more = CLOSE_PART * listed[LISTED_MORE];
  const soon = travel[TRAVEL_ALL] + (field.closed ? within / STEEPEST : 0) + more;
  let count = 0;
  let n = 0;
  for (let level = 0; level < listLevels; level += 1) {
    for (; n < listEnds[level]; n += 1) {
      const point = list[n];
      if (nearAfter[point] > soon || (faceOf[point] >= 0 && replaced[faceOf[point]] === 1)) continue;
      close[count] = point;
      count += 1;
    }
    closeEnds[level] = count;
  }
  listed[CLOSE_WITHIN] = within;
  listed[CLOSE_UNTIL] = travel[TRAVEL_ALL] + more;
}

/** Makes a level of the list the active one. */
export function takeListed({ workspace, counters }: ContactQuery, level: number): void {
  const { active, close, closeEnds } = workspace;
  const start = level > 0 ? closeEnds[level - 1] : 0;
  const count = closeEnds[level] - start;
  for (let n = 0; n < count; n += 1) active[n] = close[start + n];
  workspace.activeCount = count;
  workspace.isWalk = 0;
  counters.visited += count;
}

export function startAtRoots({ workspace, shell }: ContactQuery): void {
  const { listed } = workspace;
  listed.copyWithin(LISTED_UNTIL, NEXT_UNTIL, NEXT_UNTIL + 3);
  listed[CLOSE_UNTIL] = Number.NEGATIVE_INFINITY;
  workspace.listCount = 0;
  workspace.listLevels = 0;
  workspace.isWalk = 1;
  workspace.nextCount = shell.rootCount;
  for (let n = 0; n < shell.rootCount; n += 1) {
    workspace.next[n] = n;
    workspace.nextBound[n] = 0;
  }
}

/** What was found since the last level ended is of this one. */
export function endLevel({ workspace }: ContactQuery): void {
  workspace.listEnds[workspace.listLevels] = workspace.listCount;
  workspace.listLevels += 1;
}

/** After a walk that left something out. */
export function dropList({ workspace }: ContactQuery): void {
  workspace.listed[LISTED_UNTIL] = Number.NEGATIVE_INFINITY;
}
