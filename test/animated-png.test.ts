import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { animatePng, decodePng } from '../scripts/lib/animated-png.mjs';

const [WIDTH, HEIGHT] = [7, 5];

/** A PNG file without filters, as simple as they come. */
function png(colour: (x: number, y: number) => number[]): Buffer {
  const lines = Buffer.alloc((3 * WIDTH + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) lines.set(colour(x, y), y * (3 * WIDTH + 1) + 1 + 3 * x);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const gradient = (x: number, y: number) => [30 * x, 40 * y, 5 * x * y];

it('keeps the first picture pixel by pixel, whatever the filter', () => {
  const first = png(gradient);
  const moving = animatePng([first, first], 100);
  expect(decodePng(moving)).toEqual(decodePng(first));
});

it('stores only the box that changes', () => {
  const moving = animatePng([png(gradient), png((x, y) => (x === 4 && y === 2 ? [255, 0, 0] : gradient(x, y)))], 100);
  const second = moving.indexOf('fcTL', moving.indexOf('fcTL') + 4) + 4;
  const [sequence, width, height, x, y] = [0, 4, 8, 12, 16].map((offset) => moving.readUInt32BE(second + offset));
  expect({ sequence, width, height, x, y }).toEqual({ sequence: 1, width: 1, height: 1, x: 4, y: 2 });
});
