/**
 * The start of a recording on the machine's clock. A number of nanoseconds since 1970 is too large for a double, so it is
 * a whole number of its own kind, and decimal text in files.
 */
export interface RecordingStart {
  /** Wall time at `time` 0, ISO 8601 to the millisecond; `unknown` when the file does not say. */
  readonly startTime: string;
  /** The same to the nanosecond, since 1970, as decimal text; null when the file does not say. */
  readonly startTimeNs: string | null;
}

/** The start of a recording that does not say when it began. */
export const UNKNOWN_START: RecordingStart = { startTime: 'unknown', startTimeNs: null };

/** Nanoseconds since 1970, of milliseconds since 1970 with a fraction. */
export function nanosecondsOfMs(milliseconds: number): bigint {
  const whole = Math.floor(milliseconds);
  return BigInt(whole) * 1_000_000n + BigInt(Math.round((milliseconds - whole) * 1e6));
}

/** About thirty years, s. */
const MAX_TIME = 1e9;

/**
 * Nanoseconds of a row's `time` in seconds. What a damaged recording calls a time counts as 0, so that the rest can be
 * mended.
 */
export function nanosecondsOfTime(time: number): bigint {
  return BigInt(time >= 0 && time < MAX_TIME ? Math.round(time * 1e9) : 0);
}

/** The start of a recording, of nanoseconds since 1970. */
export function recordingStart(nanoseconds: bigint): RecordingStart {
  return {
    startTime: new Date(Number(nanoseconds / 1_000_000n)).toISOString(),
    startTimeNs: String(nanoseconds),
  };
}

/** Fewer digits than would overflow the 64 bits of a time in MCAP. */
const NANOSECONDS = /^\d{1,19}$/;

/** What a file says of its start. Older ones have no nanoseconds. */
export function readRecordingStart(startTime: unknown, startTimeNs: unknown): RecordingStart {
  if (typeof startTimeNs === 'string' && NANOSECONDS.test(startTimeNs)) return recordingStart(BigInt(startTimeNs));
  const milliseconds = typeof startTime === 'string' ? Date.parse(startTime) : Number.NaN;
  return milliseconds >= 0 ? recordingStart(nanosecondsOfMs(milliseconds)) : UNKNOWN_START;
}
