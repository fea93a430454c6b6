/*
 * What a strict force device thinks of the one who pushes its hand. The wire is decoded here from the description of the
 * protocol alone, without a line of our own client or server, so that a mistake there is not made twice.
 */

/** What the device allows. */
export interface JudgeLimits {
  /** N, N m */
  readonly force: number;
  readonly torque: number;
  /** N/s, N m/s */
  readonly forceRate: number;
  readonly torqueRate: number;
}

/** A rule that was broken. Times are ms since 1970. */
export interface Violation {
  readonly rule: 'protocol' | 'number' | 'limit' | 'slew' | 'age';
  readonly from: number;
  readonly to: number;
  /** What was measured, and what would have been allowed, in the unit that `what` names. */
  readonly value: number;
  readonly allowed: number;
  readonly what: string;
}

/** `pushes`: a force, torque or field that is not zero. `zero`: none, but the field is held. `released`: none, radius 0. */
export type PushState = 'none' | 'pushes' | 'zero' | 'released';

export interface StateChange {
  readonly at: number;
  readonly state: PushState;
}

/** What came over one connection. */
export type ConnectionReport = ReturnType<ConnectionJudge['report']>;

const COOKIE_BYTES = 24;
const HEADER_BYTES = 24;
const MAX_MESSAGE_BYTES = 65_536;
const COOKIE_START = 'vrpn: ver. 07.';
const FIELD = 'vrpn_ForceDevice Force_Field';
const WRENCH = 'palpable_ForceDevice Wrench';
const PING = 'vrpn_Base ping_message';
const LENGTHS: Readonly<Record<string, number>> = { [FIELD]: 64, [WRENCH]: 48, [PING]: 0, 'vrpn_Base pong_message': 0 };

/** A push is renewed at least so often, ms. */
const MAX_AGE_MS = 50;
/** The value of a message may be so much older than its stamp: the sender's own interval, ms. */
const SEND_EVERY_MS = 2;
const SMALLEST_F32 = 2 ** -126;
const SMALLEST_F64 = 2 ** -1022;
const MOST_KEPT = 1000;

/** How late a timer of the judge's own process was between two times, ms: what was late there is not the sender's fault. */
export type LatenessBetween = (from: number, to: number) => number;

/** What one kind of message last said. */
interface Channel {
  readonly name: string;
  values: number[];
  force: number[];
  torque: number[];
  /** Of the sender, ms. */
  stampMs: number;
  pushes: boolean;
  /** When the value last changed: the hand moves all the time, so that a push that stays the same is an old one. */
  changedAt: number;
  /** The push that is too old by now. */
  old: Violation | null;
}

export class ConnectionJudge {
  readonly #limits: JudgeLimits;
  readonly #lateness: LatenessBetween;
  readonly #onPing: () => void;
  readonly #openedAt: number;
  readonly #senders = new Map<number, string>();
  readonly #types = new Map<number, string>();
  readonly #wrench = createChannel('wrench');
  readonly #field = createChannel('field');
  readonly #changes: StateChange[] = [];
  readonly #violations: Violation[] = [];
  #rest = Buffer.alloc(0);
  #hasCookie = false;
  #lost = false;
  #sequence = -1;
  #stampMs = 0;
  #now = 0;
  #radius = -1;
  readonly #seen = {
    closedAt: null as number | null,
    /** Null while it is open. */
    closedBy: null as 'peer' | 'receiver' | null,
    fields: 0,
    wrenches: 0,
    pings: 0,
    /** N, N m */
    maxForce: 0,
    maxTorque: 0,
    /** The longest that a push stayed without news, whoever was late, ms. */
    worstAgeMs: 0,
    /** When the last message with a push came; null for never. */
    lastPushAt: null as number | null,
  };

  constructor(limits: JudgeLimits, openedAt: number, lateness: LatenessBetween, onPing: () => void) {
    this.#limits = limits;
    this.#openedAt = openedAt;
    this.#lateness = lateness;
    this.#onPing = onPing;
  }

  /** Bytes that came at `at`, ms since 1970. */
  push(chunk: Uint8Array, at: number): void {
    this.#now = at;
    if (this.#lost) return;
    this.#rest = Buffer.concat([this.#rest, chunk]);
    if (!this.#hasCookie && !this.#takeCookie()) return;
    while (this.#takeMessage());
  }

  /** To be called often: a push that is never renewed has no message that shows it. */
  tick(at: number): void {
    this.#now = at;
    if (this.#seen.closedAt !== null) return;
    for (const channel of [this.#wrench, this.#field]) this.#checkAge(channel);
  }

  close(at: number, by: 'peer' | 'receiver'): void {
    if (this.#seen.closedAt !== null) return;
    this.tick(at);
    this.#seen.closedAt = at;
    this.#seen.closedBy = by;
    if (by === 'peer' && this.#rest.length > 0 && this.#hasCookie) this.#wrong('the connection ended within a message');
  }

  report() {
    return {
      openedAt: this.#openedAt,
      ...this.#seen,
      lastForce: Math.max(length(this.#wrench.force), length(this.#field.force)),
      lastTorque: length(this.#wrench.torque),
      lastRadius: this.#radius,
      state: this.#changes.at(-1)?.state ?? 'none',
      changes: this.#changes,
      violations: this.#violations,
    };
  }

  /** Forgets what was found so far, not what the sender last said. */
  reset(): void {
    this.#violations.length = 0;
    this.#wrench.old = null;
    this.#field.old = null;
    this.#seen.worstAgeMs = 0;
    this.#seen.maxForce = 0;
    this.#seen.maxTorque = 0;
    this.#changes.splice(0, Math.max(0, this.#changes.length - 1));
  }

  #takeCookie(): boolean {
    if (this.#rest.length < COOKIE_BYTES) return false;
    const text = this.#rest.toString('latin1', 0, COOKIE_BYTES);
    this.#hasCookie = true;
    this.#rest = this.#rest.subarray(COOKIE_BYTES);
    if (/^vrpn: ver\. \d\d\.\d\d {2}\d\0+$/.test(text) && text.startsWith(COOKIE_START)) return true;
    return this.#lose(`the cookie is ${JSON.stringify(text)}`);
  }

  #takeMessage(): boolean {
    const bytes = this.#rest;
    if (bytes.length < HEADER_BYTES) return false;
    const size = bytes.readUInt32BE(0);
    if (size < HEADER_BYTES || size > MAX_MESSAGE_BYTES) return this.#lose(`a message claims ${size} bytes`);
    const padded = Math.ceil(size / 8) * 8;
    if (bytes.length < padded) return false;
    this.#rest = bytes.subarray(padded);
    if (bytes.subarray(size, padded).some((byte) => byte !== 0)) this.#wrong('the padding is not zero');
    this.#checkHeader(bytes);
    const payload = bytes.subarray(HEADER_BYTES, size);
    const [sender, type] = [bytes.readInt32BE(12), bytes.readInt32BE(16)];
    if (type === -1) this.#learn(this.#senders, sender, payload);
    else if (type === -2) this.#learn(this.#types, sender, payload);
    else if (type >= 0) this.#take(sender, type, payload);
    return true;
  }

  #checkHeader(bytes: Buffer): void {
    const micros = bytes.readUInt32BE(8);
    if (micros >= 1_000_000) this.#wrong(`a stamp has ${micros} microseconds`);
    const stampMs = bytes.readUInt32BE(4) * 1000 + micros / 1000;
    if (stampMs < this.#stampMs) this.#wrong(`a stamp goes back by ${this.#stampMs - stampMs} ms`);
    this.#stampMs = stampMs;
    const sequence = bytes.readUInt32BE(20);
    if (sequence <= this.#sequence) this.#wrong(`the sequence number ${sequence} follows ${this.#sequence}`);
    this.#sequence = sequence;
  }

  #learn(names: Map<number, string>, id: number, payload: Buffer): void {
    const claimed = payload.length < 5 ? -1 : payload.readUInt32BE(0);
    const name = payload.toString('utf8', 4, payload.length - 1);
    if (claimed !== payload.length - 4 || payload.at(-1) !== 0) {
      this.#wrong(`a description of ${payload.length} bytes claims a name of ${claimed}`);
    }
    if (id < 0 || (names.has(id) && names.get(id) !== name)) this.#wrong(`the id ${id} is described as ${name}`);
    names.set(id, name);
  }

  #take(sender: number, type: number, payload: Buffer): void {
    const name = this.#types.get(type) ?? '';
    const expected = LENGTHS[name];
    if (name === '') this.#wrong(`the type ${type} was never described`);
    else if (!this.#senders.has(sender)) this.#wrong(`the sender ${sender} was never described`);
    else if (expected !== undefined && payload.length !== expected) {
      this.#wrong(`${name} has ${payload.length} bytes, not ${expected}`);
    } else if (name === PING) {
      this.#seen.pings += 1;
      this.#onPing();
    } else if (name === WRENCH) this.#takeWrench(payload);
    else if (name === FIELD) this.#takeField(payload);
  }

  #takeWrench(payload: Buffer): void {
    const values = Array.from({ length: 6 }, (_, k) => payload.readDoubleBE(8 * k));
    this.#seen.wrenches += 1;
    if (!this.#checkNumbers(WRENCH, values, SMALLEST_F64)) return;
    this.#judge(this.#wrench, values, values.slice(0, 3), values.slice(3));
  }

  #takeField(payload: Buffer): void {
    const values = Array.from({ length: 16 }, (_, k) => payload.readFloatBE(4 * k));
    this.#seen.fields += 1;
    if (!this.#checkNumbers(FIELD, values, SMALLEST_F32)) return;
    const force = values.slice(3, 6);
    this.#radius = values[15]!;
    if (this.#radius < 0) this.#wrong(`a field has the radius ${this.#radius}`);
    if (this.#radius === 0 && length(force) > 0) this.#wrong(`a field of radius 0 has ${length(force)} N`);
    // The jacobian is part of the push; the origin only says where the hand was.
    this.#judge(this.#field, values.slice(3), force, []);
  }

  #checkNumbers(name: string, values: readonly number[], smallest: number): boolean {
    const bad = values.find((value) => !Number.isFinite(value) || (value !== 0 && Math.abs(value) < smallest));
    if (bad === undefined) return true;
    this.#add('number', this.#now, bad, 0, `${name} holds ${bad}`);
    return false;
  }

  #judge(channel: Channel, values: number[], force: number[], torque: number[]): void {
    const [size, turn] = [length(force), length(torque)];
    this.#seen.maxForce = Math.max(this.#seen.maxForce, size);
    this.#seen.maxTorque = Math.max(this.#seen.maxTorque, turn);
    this.#checkLimit(channel, 'N', size, this.#limits.force);
    this.#checkLimit(channel, 'N m', turn, this.#limits.torque);
    this.#checkSlew(channel, 'N', channel.force, force, this.#limits.forceRate);
    this.#checkSlew(channel, 'N m', channel.torque, torque, this.#limits.torqueRate);
    this.#checkAge(channel);
    if (values.some((value, k) => value !== channel.values[k])) {
      channel.changedAt = this.#now;
      channel.old = null;
    }
    Object.assign(channel, { values, force, torque, stampMs: this.#stampMs, pushes: size > 0 || turn > 0 });
    this.#noteState();
  }

  #checkLimit({ name }: Channel, unit: string, value: number, limit: number): void {
    // The field has single precision.
    const allowed = limit * (1 + 1e-6);
    if (value > allowed) this.#add('limit', this.#now, value, allowed, `${name}, ${unit}`);
  }

  #checkSlew(channel: Channel, unit: string, before: number[], after: number[], rate: number): void {
    const spacingMs = channel.stampMs === 0 ? 0 : this.#stampMs - channel.stampMs;
    const step = length(after.map((value, k) => value - (before[k] ?? 0)));
    const allowed = (rate * (spacingMs + SEND_EVERY_MS)) / 1000 + 1e-5;
    if (step > allowed) {
      this.#add('slew', this.#now - spacingMs, step, allowed, `${channel.name}, ${unit} in ${spacingMs.toFixed(2)} ms`);
    }
  }

  #checkAge(channel: Channel): void {
    if (!channel.pushes) return;
    const late = this.#lateness(channel.changedAt, this.#now);
    const age = this.#now - channel.changedAt;
    this.#seen.worstAgeMs = Math.max(this.#seen.worstAgeMs, age);
    if (age <= MAX_AGE_MS + late) return;
    // One for every old push, as old as it gets.
    const found = { to: this.#now, value: age, allowed: MAX_AGE_MS + late };
    if (channel.old) Object.assign(channel.old, found);
    else channel.old = this.#add('age', channel.changedAt, age, found.allowed, `${channel.name}, ms`);
  }

  #noteState(): void {
    const pushes = this.#wrench.pushes || this.#field.pushes;
    if (pushes) this.#seen.lastPushAt = this.#now;
    const state = pushes ? 'pushes' : this.#radius === 0 ? 'released' : 'zero';
    if (state === this.#changes.at(-1)?.state) return;
    this.#changes.push({ at: this.#now, state });
    if (this.#changes.length > MOST_KEPT) this.#changes.shift();
  }

  /** The place in the stream is lost: nothing that follows can be read. */
  #lose(what: string): false {
    this.#lost = true;
    this.#wrong(what);
    return false;
  }

  #wrong(what: string): void {
    this.#add('protocol', this.#now, 0, 0, what);
  }

  #add(rule: Violation['rule'], from: number, value: number, allowed: number, what: string): Violation {
    const violation = { rule, from, to: this.#now, value, allowed, what };
    if (this.#violations.length < MOST_KEPT) this.#violations.push(violation);
    return violation;
  }
}

function createChannel(name: string): Channel {
  return { name, values: [], force: [], torque: [], stampMs: 0, pushes: false, changedAt: 0, old: null };
}

function length(vector: readonly number[]): number {
  return Math.hypot(...vector);
}
