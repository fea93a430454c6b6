import { describe, expect, it } from 'vitest';
import { infoEntries } from './recording-channels.js';
import { nanosecondsOfMs, readRecordingStart, recordingStart, UNKNOWN_START } from './recording-time.js';

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
    const subject = { tools: ['peg'], timeStep: 0.001, method: 'god-object' };
    const entries = { version: '1', scene_sha256: '', time_step: '0.001', tools: '["peg"]', method: 'god-object' };
    const about = { version: '1', sceneSha256: '' };
    const { startTime: start_time, startTimeNs: start_time_ns } = exact;
    expect(infoEntries(subject, { ...about, ...exact })).toEqual({ ...entries, start_time, start_time_ns });
    expect(infoEntries(subject, { ...about, ...UNKNOWN_START })).toEqual({ ...entries, start_time: 'unknown' });
  });
});
