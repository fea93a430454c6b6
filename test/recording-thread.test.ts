import { spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRecording, startRecorder } from '@palpable/cli/internal';
import { createRing, createRingWriter, LIVE_WIDTH } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import { createFolder, expectedRows, record, sameBits, stream, TOOLS } from './record/sample-recording.js';
import { fillRow, sampleInfo } from './record/synthetic-row.mjs';

const folder = createFolder();
const inFolder = (name: string) => join(folder, name);
const filesOf = (name: string) => readdirSync(folder).filter((file) => file.startsWith(name));
/** A fraction of a millisecond that nanoseconds in a double would lose. */
const START_MS = Date.parse('2026-01-02T03:04:05.678Z') + 0.125;
const START_NS = 1_767_323_045_678_125_000n;

/** A ring with so many rows of one hand in it. */
function filledRing(rows: number) {
  const ring = createRing(LIVE_WIDTH, 64);
  const writer = createRingWriter(ring);
  const row = new Float64Array(LIVE_WIDTH);
  for (let cycle = 0; cycle < rows; cycle += 1) {
    fillRow(row, cycle, 0);
    writer.write(row);
  }
  return ring;
}

describe('the recorder in its own thread', () => {
  it('counts what found no room in the ring, and writes the rest', async () => {
    const ring = createRing(LIVE_WIDTH, 64);
    const writer = createRingWriter(ring);
    const row = new Float64Array(LIVE_WIDTH);
    for (let cycle = 0; cycle < 100; cycle += 1) {
      fillRow(row, cycle, 0);
      expect(writer.write(row)).toBe(cycle < 64);
    }
    const path = inFolder('full.mcap');
    const recorder = await startRecorder({ ring, path, format: 'mcap', info: sampleInfo(['cube']) });
    recorder.begin(Date.now());
    recorder.event({ cycle: 64, hand: null, kind: 'resume' });
    const { rows, dropped, bytes } = await recorder.stop();
    expect([rows, dropped, bytes]).toEqual([64, 36, readFileSync(path).length]);
    const recording = await readRecording(path);
    expect(recording.end).toEqual({ rows: 64, dropped: 36 });
    expect(sameBits(recording.hands[0]!.rows, expectedRows(64, 0))).toBe(true);
    expect(recording.events).toEqual([{ time: 0.063, cycle: 64, hand: null, kind: 'resume' }]);
  });

  it('does not overwrite, and says what is in the way of a file', async () => {
    const ring = createRing(LIVE_WIDTH, 64);
    const info = sampleInfo(['cube']);
    const path = inFolder('kept.mcap');
    writeFileSync(path, 'precious');
    await expect(startRecorder({ ring, path, format: 'mcap', info })).rejects.toMatchObject({
      code: 'option-invalid',
      message: expect.stringContaining('The file already exists'),
    });
    expect(readFileSync(path, 'utf8')).toBe('precious');
    const nowhere = inFolder('nowhere/x.csv');
    await expect(startRecorder({ ring, path: nowhere, format: 'csv', info })).rejects.toMatchObject({
      code: 'file-unreadable',
      message: expect.stringContaining('cannot be written'),
    });
    const recorder = await startRecorder({ ring, path, format: 'mcap', info, overwrite: true });
    recorder.begin(Date.now());
    expect(await recorder.stop()).toMatchObject({ rows: 0, dropped: 0 });
    expect((await readRecording(path)).truncated).toBe(false);
  });

  it.each(['mcap', 'csv'] as const)('takes the time of the start when the loop begins, as %s', async (format) => {
    const path = inFolder(`begun.${format}`);
    const recorder = await startRecorder({ ring: filledRing(10), path, format, info: sampleInfo(['cube']) });
    // Comes before the file is written, and is not lost.
    recorder.event({ cycle: 0, hand: null, kind: 'early' });
    recorder.begin(START_MS);
    expect(await recorder.stop()).toMatchObject({ rows: 10, dropped: 0, problem: null });
    const { info, events, hands } = await readRecording(path);
    expect(info).toMatchObject({ startTime: '2026-01-02T03:04:05.678Z', startTimeNs: String(START_NS) });
    expect(events).toEqual([{ time: 0, cycle: 0, hand: null, kind: 'early' }]);
    expect(sameBits(hands[0]!.rows, expectedRows(10, 0))).toBe(true);
    if (format === 'csv') return;
    const { records } = stream(readFileSync(path));
    const times = records.flatMap((one) => (one.type === 'Message' && one.channelId === 0 ? [one.logTime] : []));
    expect(times).toEqual(Array.from({ length: 10 }, (_, cycle) => START_NS + BigInt(cycle) * 1_000_000n));
  });

  it.each(['mcap', 'csv'] as const)('leaves everything as it was when it never begins, as %s', async (format) => {
    const ring = filledRing(10);
    const path = record(inFolder(`before.${format}`), 300);
    const before = filesOf(`before.${format}`).map((file) => [file, readFileSync(inFolder(file), 'latin1')]);
    expect(before).toHaveLength(format === 'csv' ? 3 : 1);
    const info = sampleInfo(['cube']);
    const over = await startRecorder({ ring, path, format, info, overwrite: true });
    expect((await readRecording(path)).info.tools).toEqual(TOOLS);
    expect(await over.stop()).toEqual({ rows: 0, dropped: 0, bytes: 0, problem: null });
    expect(filesOf(`before.${format}`).map((file) => [file, readFileSync(inFolder(file), 'latin1')])).toEqual(before);
    const created = await startRecorder({ ring, path: inFolder(`none.${format}`), format, info });
    expect(filesOf('none')).toEqual([`none.${format}`]);
    await created.stop();
    expect(filesOf('none')).toEqual([]);
    const begun = await startRecorder({ ring, path, format, info, overwrite: true });
    begun.begin(START_MS);
    await begun.stop();
    const { hands, events, end } = await readRecording(path);
    expect([hands.length, hands[0]!.count, events, end]).toEqual([1, 10, [], { rows: 10, dropped: 0 }]);
  });

  it('does not wait for a thread that is stuck', async () => {
    const path = inFolder('stuck.csv');
    const recorder = await startRecorder({ ring: filledRing(1), path, format: 'csv', info: sampleInfo(['cube']) });
    recorder.begin(START_MS);
    while (!existsSync(`${path}.json`)) await new Promise((resolve) => setTimeout(resolve, 5));
    // A pipe that nobody reads: whoever opens it waits.
    const pipe = `${path}.events.jsonl`;
    expect(spawnSync('sh', ['-c', 'mkfifo "$0"', pipe]).status).toBe(0);
    recorder.event({ cycle: 0, hand: null, kind: 'pause' });
    await expect(recorder.stop()).rejects.toMatchObject({
      code: 'worker-failed',
      message: expect.stringContaining('did not answer within 1.5 s and was ended'),
    });
    closeSync(openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK));
  });
});

describe('a disk that is full', () => {
  const child = fileURLToPath(new URL('record/full-disk-child.mjs', import.meta.url));

  /** Lets no file grow beyond so many blocks of 512 bytes. */
  function recordWithin(blocks: number, name: string, sceneLength = 100) {
    const command = `ulimit -f ${blocks}; exec "$@"`;
    const args = ['-c', command, 'sh', process.execPath, child, inFolder(name), String(sceneLength)];
    const { stdout, stderr } = spawnSync('sh', args, { encoding: 'utf8', timeout: 60_000 });
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  }

  it('is found before anything is begun, and leaves no file', () => {
    const { errors, refused } = recordWithin(0, 'at-once.mcap');
    expect(errors).toEqual([]);
    expect(refused).toContain('at-once.mcap cannot be written (EFBIG');
    expect(filesOf('at-once')).toEqual([]);
  });

  it.each(['mcap', 'csv'])('is told once when there is no room to begin, and leaves no %s', (format) => {
    const { errors, result } = recordWithin(16, `begin.${format}`, 100_000);
    expect(errors).toEqual([expect.stringContaining('cannot be written (EFBIG')]);
    expect(result).toEqual({ rows: 0, dropped: 2000, bytes: 0, problem: errors[0] });
    expect(filesOf('begin.')).toEqual([]);
  });

  it.each(['mcap', 'csv'])('later is told once, and what was written stays readable, as %s', async (format) => {
    const { errors, result } = recordWithin(600, `later.${format}`);
    expect(errors).toEqual([expect.stringContaining('cannot be written (EFBIG')]);
    const { truncated, hands } = await readRecording(inFolder(`later.${format}`));
    const { count, rows } = hands[0]!;
    expect(count).toBeGreaterThan(0);
    expect(sameBits(rows, expectedRows(count, 0))).toBe(true);
    expect([truncated, result.problem]).toEqual([true, errors[0]]);
    expect([result.rows, result.dropped]).toEqual([count, 2000 - count]);
    expect(result.bytes).toBe(readFileSync(inFolder(`later.${format}`)).length);
  });
});
