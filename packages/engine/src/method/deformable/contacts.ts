import { candidateCount } from './proximity-model.js';

/**
 * The contacts of one step as the solver needs them. A pool with a `count`. What a contact has on its first body (P) and
 * on its second (Q) stands at 2c and 2c + 1, "a side". Signs are in the sides: + on the first body, − on the second, so
 * that sums over sides are what Eq. 17 and 30 say.
 */
export interface WorldContacts {
  count: number;
  readonly capacity: number;
  /** Coordinates of a body: six, and the most modes that one has. */
  readonly coordinates: number;
  readonly pair: Int32Array;
  /** Record of the model that it came from. */
  readonly record: Int32Array;
  readonly key: Int32Array;
  /** n, t₁, t₂ in the world, row by row. */
  readonly directions: Float64Array;
  /** Between P and Q at the start of the step, world. */
  readonly position: Float64Array;
  /** n·QP at the start of the step, m. */
  readonly gap: Float64Array;
  /** δ_free: the gap after free motion, then how far P has moved against Q along t₁ and t₂ since the start of the step. */
  readonly free: Float64Array;
  /** What the solver starts from, m: δ_free without overlap that is parted slowly, and with what has crept; and μ. */
  readonly target: Float64Array;
  readonly coefficient: Float64Array;
  /** Whether it is in W. The others were only watched: they would not meet under the forces of those that are. */
  readonly solved: Uint8Array;
  /** Force on the first body along n, t₁, t₂, N. */
  readonly force: Float64Array;
  /** u: the gap at the end of the step, m; of contacts in W also how far P has moved along t₁ and t₂ since its start. */
  readonly ended: Float64Array;
  /** Whether it slid in the step before. */
  readonly sliding: Uint8Array;
  /** How far P has crept against Q although friction holds it, in the world, m: what the solver left over when it ended. */
  readonly crept: Float64Array;
  readonly side: {
    readonly body: Int32Array;
    /** Three surface vertices and their weights; −1 for none. */
    readonly vertex: Int32Array;
    readonly weight: Float64Array;
    /** P or Q at the start of the step, world. */
    readonly point: Float64Array;
    /** Directions in the body's frame times the sign, 3×3. This and what follows only of contacts in W. */
    readonly frame: Float64Array;
    /**
     * How the contact moves with the coordinates of the body: the six of its rigid motion (J), then its modes; signed, three
     * numbers per coordinate.
     */
    readonly motion: Float64Array;
    /** How these coordinates answer a force there: S⁻¹ Jᵀ, then less of each mode than the static answer has. */
    readonly answer: Float64Array;
  };
  /** Those that pressed in the step before, and what is known of the records of a model. */
  readonly last: {
    count: number;
    readonly pair: Int32Array;
    readonly position: Float64Array;
    readonly normal: Float64Array;
    readonly key: Int32Array;
    readonly force: Float64Array;
    readonly sliding: Uint8Array;
    readonly crept: Float64Array;
    /** Of the records: which get room first (`place-contacts.ts`). */
    readonly rank: Uint8Array;
    /** And the contact of the step before that has the same name. */
    readonly same: Int16Array;
    /** And their gap at the start of the step, if no body had bent since the model was made, m. */
    readonly estimate: Float64Array;
  };
  /** Records without room that would overlap at the end of the step, the deepest first, and their gaps there, m. */
  readonly missed: { count: number; readonly record: Int32Array; readonly gap: Float64Array };
  /** Records of each pair of bodies in the model, contacts that it has so far, and how many each may have at first. */
  readonly share: { readonly records: Int32Array; readonly placed: Int32Array; readonly each: Int32Array };
  readonly workspace: {
    readonly normal: Float64Array;
    readonly tangent: Float64Array;
    /** P and Q after free motion. */
    readonly moved: Float64Array;
    readonly local: Float64Array;
    readonly localFree: Float64Array;
    /** The furthest that bending has moved a point since the model was made, of those measured in this step, m. */
    readonly drift: Float64Array;
    /** The furthest that it opens or closes a contact within this step, m. */
    readonly bending: Float64Array;
    readonly opening: Float64Array;
    /** Of a record: P, Q and n in the world, at the start of the step. */
    readonly recorded: Float64Array;
    /** Of a 3×3 product. */
    readonly half: Float64Array;
    /** On one side, in the body's frame. */
    readonly force: Float64Array;
  };
}

/** Coordinates of a rigid motion. */
export const RIGID = 6;
/** Most that may join in a step because they would overlap. */
export const MOST_MISSED = 64;

export function createWorldContacts(capacity: number, modes: number, pairs: number): WorldContacts {
  // One more, to measure those that have no room.
  const room = capacity + 1;
  const sides = 2 * room;
  return {
    count: 0,
    capacity,
    coordinates: RIGID + modes,
    pair: new Int32Array(room),
    record: new Int32Array(room),
    key: new Int32Array(2 * room),
    directions: new Float64Array(9 * room),
    position: new Float64Array(3 * room),
    gap: new Float64Array(room),
    free: new Float64Array(3 * room),
    target: new Float64Array(3 * room),
    coefficient: new Float64Array(room),
    solved: new Uint8Array(room),
    force: new Float64Array(3 * room),
    ended: new Float64Array(3 * room),
    sliding: new Uint8Array(room),
    crept: new Float64Array(3 * room),
    side: {
      body: new Int32Array(sides),
      vertex: new Int32Array(3 * sides),
      weight: new Float64Array(3 * sides),
      point: new Float64Array(3 * sides),
      frame: new Float64Array(9 * sides),
      motion: new Float64Array(3 * (RIGID + modes) * sides),
      answer: new Float64Array(3 * (RIGID + modes) * sides),
    },
    last: {
      count: 0,
      pair: new Int32Array(capacity),
      position: new Float64Array(3 * capacity),
      normal: new Float64Array(3 * capacity),
      key: new Int32Array(2 * capacity),
      force: new Float64Array(3 * capacity),
      sliding: new Uint8Array(capacity),
      crept: new Float64Array(3 * capacity),
      rank: new Uint8Array(candidateCount(capacity)),
      same: new Int16Array(candidateCount(capacity)),
      estimate: new Float64Array(candidateCount(capacity)),
    },
    missed: { count: 0, record: new Int32Array(MOST_MISSED), gap: new Float64Array(MOST_MISSED) },
    share: { records: new Int32Array(pairs), placed: new Int32Array(pairs), each: new Int32Array(1) },
    workspace: {
      normal: new Float64Array(3),
      tangent: new Float64Array(6),
      moved: new Float64Array(6),
      local: new Float64Array(3),
      localFree: new Float64Array(3),
      drift: new Float64Array(1),
      bending: new Float64Array(1),
      opening: new Float64Array(1),
      recorded: new Float64Array(9),
      half: new Float64Array(3),
      force: new Float64Array(3),
    },
  };
}

/** What pressed is kept by name, for the first guess of the next step. */
export function keepForces({
  count,
  pair,
  key,
  force,
  crept,
  position,
  directions,
  sliding,
  last,
}: WorldContacts): void {
  last.count = 0;
  for (let c = 0; c < count; c += 1) {
    if (!(force[3 * c] > 0)) continue;
    const to = last.count;
    last.count += 1;
    last.pair[to] = pair[c];
    last.sliding[to] = sliding[c];
    for (let i = 0; i < 2; i += 1) last.key[2 * to + i] = key[2 * c + i];
    for (let i = 0; i < 3; i += 1) {
      last.force[3 * to + i] = force[3 * c + i];
      last.crept[3 * to + i] = crept[3 * c + i];
      last.position[3 * to + i] = position[3 * c + i];
      last.normal[3 * to + i] = directions[9 * c + i];
    }
  }
}

/** The contacts of another world of the same bodies, as those of the step before. */
export function takeOverContacts(contacts: WorldContacts, before: WorldContacts): void {
  contacts.count = Math.min(before.count, contacts.capacity);
  const { count } = contacts;
  contacts.pair.set(before.pair.subarray(0, count));
  contacts.key.set(before.key.subarray(0, 2 * count));
  contacts.position.set(before.position.subarray(0, 3 * count));
  contacts.directions.set(before.directions.subarray(0, 9 * count));
  contacts.force.set(before.force.subarray(0, 3 * count));
  contacts.sliding.set(before.sliding.subarray(0, count));
  contacts.crept.set(before.crept.subarray(0, 3 * count));
}
