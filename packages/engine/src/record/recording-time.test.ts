import { describe, expect, it } from 'vitest';
import { nanosecondsOfMs, readRecordingStart, recordingStart, startEntries, UNKNOWN_START } from './recording-time.js';

describe('the start of a recording', () => {
  it('keeps the fraction of a millisecond, which nanoseconds in a double would round away', () => {
    const milliseconds = Date.parse('2026-01-02T03:04:05.678Z') + 0.125;
    expect(nanosecondsOfMs(milliseconds)).toBe(1_767_323_045_678_125_000n);
    expect(recordingStart(1_767_323_045_678_125_001n)).toEqual({
      startTime: '2026-01-02T03:04:05.678Z',
      startTimeNs: '1767323045678125001',
    });
  });

  it('is read from files with and without nanoseconds, and unknown from others', () => {
    const exact = recordingStart(1_767_323_045_678_125_001n);
    expect(readRecordingStart(exact.startTime, exact.startTimeNs)).toEqual(exact);
    expect(readRecordingStart(exact.startTime, undefined).startTimeNs).toBe('1767323045678000000');
    for (const bad of ['', '-5', '1e9', '99999999999999999999']) {
      expect(readRecordingStart('no time', bad)).toBe(UNKNOWN_START);
    }
    expect(startEntries(exact)).toEqual({ start_time: exact.startTime, start_time_ns: exact.startTimeNs });
    expect(startEntries(UNKNOWN_START)).toEqual({ start_time: 'unknown' });
  });
});
