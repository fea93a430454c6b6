import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '../mesh/text-coding.js';
import { LIVE_COLUMNS, LIVE_WIDTH } from './live-row.js';
import { createCycleEncoder, cycleDescriptor, decodeCycle } from './recording-schema.js';

describe('a cycle as protobuf', () => {
  it('comes back to the same bits', () => {
    const row = Float64Array.from({ length: LIVE_WIDTH }, (_, k) => Math.sqrt(k) * (k % 2 === 0 ? -1 : 1e-9));
    const encoder = createCycleEncoder();
    encoder.encode(row);
    const read = new Float64Array(LIVE_WIDTH);
    const places = [-1, ...LIVE_COLUMNS.map((_, place) => place)];
    expect(decodeCycle(read, encoder.data, places)).toBe(true);
    expect(read).toEqual(row);
    expect(decodeCycle(read, encoder.data.subarray(0, -3), places)).toBe(false);
  });

  it('is described with the name of every column', () => {
    const text = decodeUtf8(cycleDescriptor());
    for (const name of ['Cycle', 'palpable', 'proto3', ...LIVE_COLUMNS]) expect(text).toContain(name);
  });
});
