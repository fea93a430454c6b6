import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMcapRecorder, OutputFile, readRecording, unknownInfo } from '@palpable/cli/internal';
import { isPalpableError } from '@palpable/engine';
import { createRandom, LIVE_WIDTH, recordingStart } from '@palpable/engine/advanced';
import { beforeAll, describe, expect, it } from 'vitest';
import { palpable, workIn } from './lib/palpable.js';
import { messagesOf, namedInIndexOnly, type RecoveredFile, rewrite, takeChunks } from './record/recover-chunks.js';
import {
  countMessages,
  createFolder,
  expectedRows,
  openIndexed,
  record,
  sameBits,
  stream,
  TOOLS,
} from './record/sample-recording.js';
import { fillRow, sampleInfo } from './record/synthetic-row.mjs';

const child = fileURLToPath(new URL('record/record-child.mjs', import.meta.url));
const folder = createFolder();
beforeAll(() => workIn(folder));
const inFolder = (name: string) => join(folder, name);
const recording = async (...args: string[]) => await palpable('recording', ...args);

/** Bytes around the end of a file, or of something in it, where each may matter by itself. */
const AROUND = 32;
/** Elsewhere one in so many; prime to the sizes of all numbers. */
const EVERY = process.env.PALPABLE_TEST_ALL ? 1 : 5;

/** Lengths from `most` down to above `least`: all of them near the given ends. */
function* cutsOf(most: number, least: number, ends: readonly number[]): Generator<number> {
  for (let length = most; length > least; length -= 1) {
    const isNear = most - length < AROUND || ends.some((end) => Math.abs(end - length) < AROUND);
    if (isNear || length % EVERY === 0) yield length;
  }
}

describe('a recording as MCAP that is not whole', () => {
  it('is a sound file after every flush, and between the two writes of one', () => {
    const path = inFolder('growing.mcap');
    const recorder = createMcapRecorder(new OutputFile(path, false), sampleInfo(['cube']));
    const row = new Float64Array(LIVE_WIDTH);
    let before = readFileSync(path);
    for (let cycle = 0; cycle < 4000; cycle += 1) {
      fillRow(row, cycle, 0);
      recorder.append(row);
      if (cycle % 100 !== 99) continue;
      recorder.flush();
      const after = readFileSync(path);
      const messages = cycle + 1 + (3 * (cycle + 1)) / 20;
      expect(countMessages(stream(after).records)).toBe(messages);
      // Appended, but the chunk's head is still the old one.
      const between = Buffer.concat([before, after.subarray(before.length)]);
      expect(countMessages(stream(between).records)).toBe(messages);
      before = after;
    }
    recorder.end(0);
    recorder.close();
  });

  it('gives every whole message of a file that was cut at any byte', async () => {
    for (const [name, close] of [
      ['cut-whole.mcap', true],
      ['cut-open.mcap', false],
    ] as const) {
      const bytes = readFileSync(record(inFolder(name), 20, close));
      const cut = inFolder('cut.mcap');
      const ends = messageEnds(bytes);
      expect(ends).toHaveLength(20 * 2 + 6);
      const places = ends.map(({ end }) => end);
      for (const length of cutsOf(bytes.length - 1, Math.max(0, bytes.length - 3000) - 1, places)) {
        writeFileSync(cut, bytes.subarray(0, length));
        const recording = await readRecording(cut);
        const rows = recording.hands.reduce((sum, hand) => sum + hand.count, 0);
        const whole = ends.filter(({ end, isCycle }) => isCycle && end <= length).length;
        if (rows !== whole || !recording.truncated) {
          expect({ length, rows, truncated: recording.truncated }).toEqual({ length, rows: whole, truncated: true });
        }
      }
    }
  });

  it('never fails in another way than by words when it is cut in its head or damaged anywhere', async () => {
    const bytes = readFileSync(record(inFolder('damaged.mcap'), 30));
    const damaged = inFolder('damage.mcap');
    const random = createRandom(5);
    const outcomes = new Set<string>();
    const tryToRead = async (content: Uint8Array) => {
      writeFileSync(damaged, content);
      try {
        outcomes.add((await readRecording(damaged)).truncated ? 'truncated' : 'whole');
      } catch (error) {
        if (!isPalpableError(error)) throw error;
        outcomes.add(error.code);
      }
    };
    for (let length = 0; length < 2000; length += 7) await tryToRead(bytes.subarray(0, length));
    for (let n = 0; n < 600; n += 1) {
      const flipped = Uint8Array.from(bytes);
      flipped[Math.floor(random() * flipped.length)]! ^= 1 << Math.floor(random() * 8);
      await tryToRead(flipped);
    }
    expect([...outcomes].sort()).toEqual(['format-invalid', 'truncated', 'whole']);
  });
});

/** Where each message ends, found by its own walk through the only chunk. */
function messageEnds(bytes: Buffer): { end: number; isCycle: boolean }[] {
  const ends = [];
  let at = 8;
  while (bytes[at] !== 6) at += 9 + Number(bytes.readBigUInt64LE(at + 1));
  const chunkEnd = at + 9 + Number(bytes.readBigUInt64LE(at + 1));
  for (at += 49; at < chunkEnd; ) {
    const end = at + 9 + Number(bytes.readBigUInt64LE(at + 1));
    // The chunk also says what its schemas and channels are. Channels 0 and 4 are the cycles of the two hands.
    if (bytes[at] === 5)
      ends.push({ end, isCycle: bytes.readUInt16LE(at + 9) % 4 === 0 && bytes.readUInt16LE(at + 9) < 8 });
    at = end;
  }
  return ends;
}

describe('a recording that passed through other programs', () => {
  const CYCLES = 2600;
  const read = (name: string, bytes: Uint8Array) => {
    writeFileSync(inFolder(name), bytes);
    return readRecording(inFolder(name));
  };
  const rowsOf = (chunks: RecoveredFile['chunks'], tool: string) =>
    chunks.reduce((sum, records) => sum + messagesOf(records, `/${tool}/cycle`).length, 0);

  it('gives all rows of its whole chunks, cut anywhere and recovered chunk by chunk', async () => {
    const bytes = readFileSync(record(inFolder('source.mcap'), CYCLES));
    const whole = takeChunks(bytes);
    expect([whole.chunks.length, whole.bare, rowsOf(whole.chunks, 'cube')]).toEqual([3, 0, CYCLES]);
    const { chunkIndexes } = await openIndexed(bytes);
    const ends = chunkIndexes.map(({ chunkStartOffset, chunkLength }) => Number(chunkStartOffset + chunkLength));
    const random = createRandom(7);
    const anywhere = Array.from({ length: 4 }, () => Math.floor(random() * bytes.length));
    const atEnds = ends.flatMap((end) => [end - 1, end, end + 1 + Math.floor(3000 * random())]);
    for (const length of [...anywhere, ...atEnds]) {
      const found = takeChunks(bytes.subarray(0, length));
      expect(found.chunks).toHaveLength(ends.filter((end) => end <= length).length);
      if (found.chunks.length === 0) continue;
      const { hands, truncated, info, end } = await read('recovered.mcap', await rewrite(found, { about: 'before' }));
      expect({ truncated, info, end }).toEqual({ truncated: false, info: sampleInfo(TOOLS), end: null });
      for (const [hand, tool] of TOOLS.entries()) {
        const rows = rowsOf(found.chunks, tool);
        expect([hands[hand]!.tool, hands[hand]!.count]).toEqual([tool, rows]);
        expect(sameBits(hands[hand]!.rows, expectedRows(rows, hand))).toBe(true);
      }
    }
  });

  it('is read with what it is about behind the messages, without chunks, and with channels in the index only', async () => {
    const found = takeChunks(readFileSync(record(inFolder('forms.mcap'), 300)));
    for (const [name, bytes] of [
      ['after.mcap', await rewrite(found, { about: 'after' })],
      ['bare.mcap', await rewrite(found, { about: 'after', useChunks: false })],
      ['index.mcap', namedInIndexOnly(found)],
    ] as const) {
      const recording = await read(name, bytes);
      expect([name, recording.truncated, recording.info.tools]).toEqual([name, false, TOOLS]);
      expect(recording.info).toMatchObject({ startTimeNs: sampleInfo(TOOLS).startTimeNs, method: 'static-friction' });
      expect(recording.events.map(({ kind }) => kind)).toEqual(['pause', 'parameter']);
      recording.hands.forEach(({ rows }, hand) => {
        expect(sameBits(rows, expectedRows(300, hand))).toBe(true);
      });
    }
  });

  it('gives its rows without a word of what it is about, and says what is missing', async () => {
    const found = takeChunks(readFileSync(record(inFolder('mute.mcap'), 300)));
    const { info, hands, end, truncated } = await read('rows-only.mcap', await rewrite(found, { about: 'nowhere' }));
    const { startTime, startTimeNs, timeStep, method } = sampleInfo(TOOLS);
    expect(info).toEqual({ ...unknownInfo(TOOLS), startTime, startTimeNs, timeStep, method });
    expect([end, truncated]).toEqual([null, false]);
    hands.forEach(({ rows }, hand) => {
      expect(sameBits(rows, expectedRows(300, hand))).toBe(true);
    });
    const { status, stdout } = await recording('rows-only.mcap');
    expect(status).toBe(0);
    expect(stdout).toContain('The file does not say: version, scene.');
    expect(stdout).toContain('The recording was not ended properly');
  });

  it('is read as older versions wrote it', async () => {
    const found = takeChunks(readFileSync(record(inFolder('young.mcap'), 300)));
    const withoutKeys = ['tool', 'start_time_ns'];
    const old = await read('old.mcap', await rewrite(found, { about: 'before', withoutKeys }));
    expect(old.info).toMatchObject({
      tools: TOOLS,
      startTimeNs: '1767323045678000000',
      startTime: sampleInfo(TOOLS).startTime,
    });
    expect(sameBits(old.hands[1]!.rows, expectedRows(300, 1))).toBe(true);
    const fewKeys = [...withoutKeys, 'time_step', 'method'];
    const mute = await read('old-mute.mcap', await rewrite(found, { about: 'nowhere', withoutKeys: fewKeys }));
    expect(mute.info).toEqual({ ...unknownInfo(TOOLS), ...recordingStart(BigInt(sampleInfo(TOOLS).startTimeNs)) });
    expect(sameBits(mute.hands[1]!.rows, expectedRows(300, 1))).toBe(true);
  });

  it('says what to do when it is compressed', async () => {
    const found = takeChunks(readFileSync(record(inFolder('plain.mcap'), 30)));
    for (const compression of ['lz4', 'zstd']) {
      const compressChunk = (compressedData: Uint8Array) => ({ compression, compressedData });
      await expect(read('small.mcap', await rewrite(found, { about: 'before', compressChunk }))).rejects.toMatchObject({
        code: 'format-invalid',
        message: expect.stringMatching(new RegExp(`compressed \\(${compression}\\).*mcap decompress`)),
      });
    }
  });
});

const NEWLINE = 10;

describe('a recording as CSV that is not whole', () => {
  it('gives every whole line of a file that was cut at any byte', async () => {
    const bytes = readFileSync(record(inFolder('cut.csv'), 3, false));
    const lines = bytes.toString('utf8').split('\n');
    const cut = inFolder('torn.csv');
    copyFileSync(inFolder('cut.csv.json'), `${cut}.json`);
    const ends = [...bytes.keys()].filter((at) => bytes[at] === NEWLINE);
    for (const length of cutsOf(bytes.length, lines[0]!.length, ends)) {
      writeFileSync(cut, bytes.subarray(0, length));
      const recording = await readRecording(cut);
      const whole = bytes.toString('utf8', 0, length).split('\n').length - 2;
      expect([recording.hands.reduce((sum, hand) => sum + hand.count, 0), recording.truncated]).toEqual([whole, true]);
    }
    writeFileSync(cut, bytes.subarray(0, 20));
    await expect(readRecording(cut)).rejects.toMatchObject({ code: 'format-invalid' });
  });
});

describe('a recorder that is killed', () => {
  /** That the file is sound between any two writes is shown above; these are for what only a kill can show. */
  const KILLS = 10;
  const AT_ONCE = 5;
  const MAX_LOST_ROWS = 200;

  /** Records at 1 kHz for a while, then dies without warning. Gives back how many rows had been put into the ring. */
  async function recordAndKill(path: string, format: string, afterMs: number): Promise<number> {
    const process_ = spawn(process.execPath, [child, path, format, `${path}.progress`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(process_, 'exit');
    await once(process_.stdout, 'data');
    await new Promise((done) => setTimeout(done, afterMs));
    process_.kill('SIGKILL');
    expect((await exit)[1]).toBe('SIGKILL');
    const progress = readFileSync(`${path}.progress`);
    return progress.length < 8 ? 0 : progress.readDoubleLE(0);
  }

  async function checkKilled(name: string, afterMs: number): Promise<number> {
    const path = inFolder(name);
    const format = name.endsWith('.csv') ? 'csv' : 'mcap';
    const made = await recordAndKill(path, format, afterMs);
    const recording = await readRecording(path);
    const { count, rows } = recording.hands[0]!;
    expect(sameBits(rows, expectedRows(count, 0))).toBe(true);
    expect(recording.truncated).toBe(true);
    if (format === 'mcap') expect(countMessages(stream(readFileSync(path)).records)).toBeGreaterThanOrEqual(count);
    rmSync(path);
    return made - count;
  }

  it(`leaves ${KILLS} files that open and lack at most 200 ms where it had a processor`, async () => {
    const random = createRandom(2024);
    const lost: number[] = [];
    for (let n = 0; n < KILLS; n += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, (_, k) =>
        checkKilled(`killed-${n + k}.${k === AT_ONCE - 1 ? 'csv' : 'mcap'}`, 300 + 1200 * random()),
      );
      lost.push(...(await Promise.all(batch)));
    }
    expect(lost).toHaveLength(KILLS);
    // A machine that gives the recorder no processor for a while costs more, but not in every second of them.
    expect(lost.toSorted((a, b) => a - b)[KILLS / 2]!, lost.join(', ')).toBeLessThanOrEqual(MAX_LOST_ROWS);
  });
});

describe('palpable recording', () => {
  it('mends a recording that was cut off, so that the index finds everything', async () => {
    const bytes = readFileSync(record(inFolder('open.mcap'), 500, false));
    writeFileSync(inFolder('broken.mcap'), bytes.subarray(0, bytes.length - 100));
    const { status, stdout } = await recording('broken.mcap', '--out', 'mended.mcap');
    expect(status).toBe(0);
    expect(stdout).toContain('The recording was cut off (it ends without an index); everything before that is here.');
    const mended = await readRecording(inFolder('mended.mcap'));
    const broken = await readRecording(inFolder('broken.mcap'));
    expect([mended.truncated, broken.truncated]).toEqual([false, true]);
    expect(mended.end).toEqual({ rows: 999, dropped: null });
    expect(mended.events).toEqual(broken.events);
    expect(broken.hands.every((hand, n) => sameBits(hand.rows, mended.hands[n]!.rows))).toBe(true);
    const reader = await openIndexed(readFileSync(inFolder('mended.mcap')));
    expect(Number(reader.statistics!.channelMessageCounts.get(0))).toBe(500);
  });
});
