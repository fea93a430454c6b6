/**
 * Bytes in fewer bytes, without loss: asymmetric numeral systems (J. Duda, 2013) with 12-bit frequencies, in blocks that
 * have a table each, so that it adapts to what a part of an array is like. Pure, synchronous and as fast in a page as on
 * Node; a general compressor saves no more on these arrays, whose order is in their transform (`pack-array.ts`).
 *
 *     block   byte 0      RAW: the bytes follow. SAME: one byte, which fills the block. CODED: as below
 *             byte 1      symbols in the table, less one
 *             then        of each symbol: itself, its frequency less one (2 bytes)
 *             then        two states (4 bytes each), bytes of words that follow (4 bytes), words of 2 bytes
 *
 * Bytes at even places belong to the first state, those at odd ones to the second, since a processor works on two faster
 * than on one twice as long. A state x stays in [2¹⁵, 2³¹), so that it is a small integer: coding s of frequency f and lower sum c maps x to
 * ⌊x/f⌋ 2¹² + c + x mod f, from the last byte to the first; reading goes the other way.
 */

const BLOCK = 1 << 15;
const RAW = 0;
const SAME = 1;
const CODED = 2;

const FREQUENCY_BITS = 12;
const TOTAL = 1 << FREQUENCY_BITS;
const LEAST_STATE = 1 << 15;
/** Where no byte is more frequent than this, a quarter above the mean of all, a code saves 4 % at most. */
const NEARLY_EVEN = 20;

/** The bytes in the form above. */
export function encodeBytes(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += BLOCK)
    parts.push(encodeBlock(bytes.subarray(start, start + BLOCK)));
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Fills `bytes` with what `encodeBytes` was given, read from `at` on. Gives where it ended, or −1 if it is no such code. */
export function decodeBytes(bytes: Uint8Array, code: Uint8Array, at: number): number {
  let end = at;
  for (let start = 0; start < bytes.length && end >= 0; start += BLOCK) {
    end = decodeBlock(bytes.subarray(start, start + BLOCK), code, end);
  }
  return end;
}

function encodeBlock(bytes: Uint8Array): Uint8Array {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte] += 1;
  if (counts[bytes[0]] === bytes.length) return Uint8Array.of(SAME, bytes[0]);
  const frequency = frequenciesOf(counts, bytes.length);
  if (Math.max(...frequency) <= NEARLY_EVEN) return rawBlock(bytes);
  const from = lowerSums(frequency);
  const words: number[] = [];
  const states = [LEAST_STATE, LEAST_STATE];
  for (let n = bytes.length - 1; n >= 0; n -= 1) {
    const f = frequency[bytes[n]];
    let state = states[n & 1];
    // f 2¹⁹ is where the next state would leave its range; up to 2³¹, so no shift.
    if (state >= f * (1 << 19)) {
      words.push(state & 0xffff);
      state >>>= 16;
    }
    states[n & 1] = (((state / f) | 0) << FREQUENCY_BITS) + from[bytes[n]] + (state % f);
  }
  const symbols = [...frequency.keys()].filter((symbol) => frequency[symbol] > 0);
  const size = 2 + 3 * symbols.length + 12 + 2 * words.length;
  if (size > bytes.length) return rawBlock(bytes);
  const code = new Uint8Array(size);
  const view = new DataView(code.buffer);
  code[0] = CODED;
  code[1] = symbols.length - 1;
  let at = 2;
  for (const symbol of symbols) {
    code[at] = symbol;
    view.setUint16(at + 1, frequency[symbol] - 1, true);
    at += 3;
  }
  view.setUint32(at, states[0], true);
  view.setUint32(at + 4, states[1], true);
  view.setUint32(at + 8, 2 * words.length, true);
  at += 12;
  for (const word of words.reverse()) {
    view.setUint16(at, word, true);
    at += 2;
  }
  return code;
}

function rawBlock(bytes: Uint8Array): Uint8Array {
  const block = new Uint8Array(bytes.length + 1);
  block[0] = RAW;
  block.set(bytes, 1);
  return block;
}

/** Shares of `TOTAL`, none of what occurs below 1. */
function frequenciesOf(counts: Uint32Array, length: number): Uint32Array {
  const frequency = counts.map((count) => (count === 0 ? 0 : Math.max(1, Math.floor((count * TOTAL) / length))));
  let rest = TOTAL;
  for (const share of frequency) rest -= share;
  // What rounding left over, or took, goes to the commonest: they lose least by it.
  while (rest !== 0) {
    const commonest = frequency.indexOf(Math.max(...frequency));
    const change = rest > 0 ? rest : -Math.min(-rest, frequency[commonest] >> 1);
    frequency[commonest] += change;
    rest -= change;
  }
  return frequency;
}

function lowerSums(frequency: Uint32Array): Uint32Array {
  const from = new Uint32Array(frequency.length);
  for (let symbol = 1; symbol < from.length; symbol += 1) from[symbol] = from[symbol - 1] + frequency[symbol - 1];
  return from;
}

function decodeBlock(bytes: Uint8Array, code: Uint8Array, start: number): number {
  if (start + 2 > code.length) return -1;
  const kind = code[start];
  if (kind === SAME) {
    bytes.fill(code[start + 1]);
    return start + 2;
  }
  if (kind === RAW) {
    if (start + 1 + bytes.length > code.length) return -1;
    bytes.set(code.subarray(start + 1, start + 1 + bytes.length));
    return start + 1 + bytes.length;
  }
  if (kind !== CODED) return -1;
  const symbols = code[start + 1] + 1;
  let at = start + 2;
  if (at + 3 * symbols + 12 > code.length) return -1;
  const frequency = new Int32Array(256);
  const from = new Int32Array(256);
  const symbolOf = new Uint8Array(TOTAL);
  let sum = 0;
  for (let n = 0; n < symbols; n += 1) {
    const symbol = code[at];
    frequency[symbol] = (code[at + 1] | (code[at + 2] << 8)) + 1;
    from[symbol] = sum;
    symbolOf.fill(symbol, sum, sum + frequency[symbol]);
    sum += frequency[symbol];
    at += 3;
  }
  if (sum !== TOTAL) return -1;
  const view = new DataView(code.buffer, code.byteOffset, code.byteLength);
  let even = view.getInt32(at, true);
  let odd = view.getInt32(at + 4, true);
  const end = at + 12 + view.getUint32(at + 8, true);
  at += 12;
  if (end > code.length) return -1;
  // What is read past the end gives nonsense and no fault, and another end.
  for (let n = 0; n < bytes.length; n += 2) {
    const evenSlot = even & (TOTAL - 1);
    const oddSlot = odd & (TOTAL - 1);
    const evenSymbol = symbolOf[evenSlot];
    const oddSymbol = symbolOf[oddSlot];
    bytes[n] = evenSymbol;
    even = frequency[evenSymbol] * (even >>> FREQUENCY_BITS) + evenSlot - from[evenSymbol];
    if (even < LEAST_STATE) {
      even = (even << 16) | code[at] | (code[at + 1] << 8);
      at += 2;
    }
    if (n + 1 === bytes.length) break;
    bytes[n + 1] = oddSymbol;
    odd = frequency[oddSymbol] * (odd >>> FREQUENCY_BITS) + oddSlot - from[oddSymbol];
    if (odd < LEAST_STATE) {
      odd = (odd << 16) | code[at] | (code[at + 1] << 8);
      at += 2;
    }
  }
  return at === end ? end : -1;
}
