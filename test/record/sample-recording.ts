import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McapIndexedReader, McapStreamReader, type TypedMcapRecord } from '@mcap/core';
import { createRecorder, OutputFile, recordingFormatOf } from '@palpable/cli/internal';
import { LIVE_WIDTH } from '@palpable/engine/advanced';
import { afterAll } from 'vitest';
import { fillRow, sampleInfo } from './synthetic-row.mjs';

/** A folder that is gone after the tests of a file. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'palpable-recording-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const TOOLS = ['cube', 'peg'];
export const PAUSE = { cycle: 100, hand: null, kind: 'pause' };
export const CHANGE = { cycle: 200, hand: 1, kind: 'parameter', path: 'friction.coefficient', value: 0.25 };

/** A recording of two hands, in the format that its name says. */
export function record(path: string, cycles: number, close = true): string {
  const recorder = createRecorder(recordingFormatOf(path), new OutputFile(path, true), sampleInfo(TOOLS));
  const row = new Float64Array(LIVE_WIDTH);
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    if (cycle === PAUSE.cycle) recorder.event(PAUSE);
    if (cycle === CHANGE.cycle) recorder.event(CHANGE);
    for (const hand of [0, 1]) {
      fillRow(row, cycle, hand);
      recorder.append(row);
    }
    if (cycle % 20 === 19) recorder.flush();
  }
  recorder.flush();
  if (close) recorder.end(3);
  recorder.close();
  return path;
}

/** All rows of a hand as they must be. */
export function expectedRows(cycles: number, hand: number): Float64Array {
  const rows = new Float64Array(cycles * LIVE_WIDTH);
  for (let n = 0; n < cycles; n += 1) fillRow(rows.subarray(n * LIVE_WIDTH, (n + 1) * LIVE_WIDTH), n, hand);
  return rows;
}

export function sameBits(a: Float64Array, b: Float64Array): boolean {
  const bytes = (array: Float64Array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  return bytes(a).equals(bytes(b));
}

/** What an independent reader finds from start to end. */
export function stream(bytes: Uint8Array): { records: TypedMcapRecord[]; done: boolean } {
  const reader = new McapStreamReader({ validateCrcs: true });
  reader.append(bytes);
  const records: TypedMcapRecord[] = [];
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) records.push(record);
  return { records, done: reader.done() };
}

export const countMessages = (records: readonly TypedMcapRecord[]) =>
  records.filter((record) => record.type === 'Message').length;

/** The same by the index at the end. */
export function openIndexed(bytes: Uint8Array) {
  return McapIndexedReader.Initialize({
    readable: {
      size: async () => BigInt(bytes.length),
      read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
    },
  });
}
