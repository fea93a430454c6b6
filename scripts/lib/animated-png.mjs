// Screenshots as one moving picture (APNG, which browsers and code hosts show). Only what changes from one picture to the
// next is stored.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** @typedef {{ width: number, height: number, pixels: Buffer }} Picture 8-bit RGB */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHANNELS = 3;

/**
 * @param {readonly Buffer[]} screenshots PNG files of one size
 * @param {number} delayMs from one to the next
 */
export function animatePng(screenshots, delayMs) {
  const pictures = screenshots.map(decodePng);
  const [first] = pictures;
  if (!first) throw new Error('There are no pictures to animate.');
  const header = Buffer.alloc(13);
  header.writeUInt32BE(first.width, 0);
  header.writeUInt32BE(first.height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const control = Buffer.alloc(8);
  control.writeUInt32BE(pictures.length, 0);
  const chunks = [SIGNATURE, chunk('IHDR', header), chunk('acTL', control)];
  let sequence = 0;
  pictures.forEach((picture, index) => {
    const previous = index === 0 ? undefined : pictures[index - 1];
    const box = previous ? changedBox(previous, picture) : { x: 0, y: 0, width: first.width, height: first.height };
    const frame = Buffer.alloc(26);
    for (const [n, value] of [sequence++, box.width, box.height, box.x, box.y].entries())
      frame.writeUInt32BE(value, 4 * n);
    frame.writeUInt16BE(delayMs, 20);
    frame.writeUInt16BE(1000, 22);
    chunks.push(chunk('fcTL', frame));
    const data = encodePixels(picture, box);
    if (index === 0) chunks.push(chunk('IDAT', data));
    else {
      const numbered = Buffer.alloc(4 + data.length);
      numbered.writeUInt32BE(sequence++, 0);
      data.copy(numbered, 4);
      chunks.push(chunk('fdAT', numbered));
    }
  });
  chunks.push(chunk('IEND', Buffer.alloc(0)));
  return Buffer.concat(chunks);
}

/**
 * The pixels of a PNG file as browsers write them: 8 bits, RGB or RGBA, not interlaced.
 *
 * @param {Buffer} file
 * @returns {Picture}
 */
export function decodePng(file) {
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const channels = file[25] === 6 ? 4 : 3;
  if (file[24] !== 8 || (file[25] !== 2 && file[25] !== 6) || file[28] !== 0) {
    throw new Error('Only PNG files of 8 bits, RGB or RGBA, not interlaced, can be read.');
  }
  const parts = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + length));
  }
  const lines = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const raw = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (stride + 1)] ?? 0;
    for (let n = 0; n < stride; n++) {
      const value = lines[y * (stride + 1) + 1 + n] ?? 0;
      raw[y * stride + n] = value + predict(filter, raw, y * stride + n, n, y, stride, channels);
    }
  }
  const pixels = Buffer.alloc(width * height * CHANNELS);
  for (let p = 0; p < width * height; p++) raw.copy(pixels, p * CHANNELS, p * channels, p * channels + CHANNELS);
  return { width, height, pixels };
}

/**
 * What a filter of the PNG format expects at a place, from the pixels to the left and above.
 *
 * @param {number} filter @param {Buffer} raw @param {number} at @param {number} n @param {number} y
 * @param {number} stride @param {number} channels
 */
function predict(filter, raw, at, n, y, stride, channels) {
  const left = n >= channels ? (raw[at - channels] ?? 0) : 0;
  const up = y > 0 ? (raw[at - stride] ?? 0) : 0;
  const corner = n >= channels && y > 0 ? (raw[at - stride - channels] ?? 0) : 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  return filter === 4 ? paeth(left, up, corner) : 0;
}

/** @param {number} left @param {number} up @param {number} corner */
function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/**
 * The smallest box that holds all that differs, at least one pixel.
 *
 * @param {Picture} a
 * @param {Picture} b
 * @returns {Box}
 */
function changedBox(a, b) {
  let [x0, y0, x1, y1] = [b.width - 1, b.height - 1, 0, 0];
  for (let p = 0; p < b.width * b.height; p++) {
    const at = p * CHANNELS;
    if (a.pixels.compare(b.pixels, at, at + CHANNELS, at, at + CHANNELS) === 0) continue;
    const x = p % b.width;
    const y = Math.floor(p / b.width);
    [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
  }
  if (x1 < x0 || y1 < y0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: x0, y: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 };
}

/** @param {Picture} picture @param {Box} box */
function encodePixels({ width, pixels }, box) {
  const stride = box.width * CHANNELS;
  const part = Buffer.alloc(stride * box.height);
  for (let y = 0; y < box.height; y++) {
    const from = ((box.y + y) * width + box.x) * CHANNELS;
    pixels.copy(part, y * stride, from, from + stride);
  }
  const lines = Buffer.alloc((stride + 1) * box.height);
  for (let y = 0; y < box.height; y++) {
    lines[y * (stride + 1)] = 4;
    for (let n = 0; n < stride; n++) {
      const at = y * stride + n;
      lines[y * (stride + 1) + 1 + n] = (part[at] ?? 0) - predict(4, part, at, n, y, stride, CHANNELS);
    }
  }
  return deflateSync(lines, { level: 9 });
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(content.length + 8);
  out.writeUInt32BE(data.length, 0);
  content.copy(out, 4);
  out.writeUInt32BE(crc32(content), content.length + 4);
  return out;
}
