import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScale, type Plot } from './plot.js';
import { formatSvgPlot, writeSvgPlot } from './svg-plot.js';
import { plotLines } from './text-plot.js';

const plot: Plot = {
  title: 'Query time',
  x: { label: 'contacts', log: true },
  y: { label: 'time, µs', min: 0 },
  series: [
    { name: 'tree', points: [[1, 5], [10, 9], [100, 20], [1000, 60]] }, // biome-ignore format: a table
    { name: 'brute force < all', points: [[1, 58], [10, 58], [100, 59], [1000, 62]] }, // biome-ignore format: a table
  ],
};

describe('an axis', () => {
  it('has round numbers that enclose the data', () => {
    expect(createScale({ label: '' }, [3, 47]).ticks.map((tick) => tick.value)).toEqual([0, 10, 20, 30, 40, 50]);
    expect(createScale({ label: '', log: true }, [3, 470]).ticks.map((tick) => tick.value)).toEqual([1, 10, 100, 1000]);
  });

  it('places every value that it can show between its ends, whatever the data', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: false })), fc.boolean(), (values, log) => {
        // Differences of such numbers would overflow; nothing measurable is that large.
        const sane = values.filter((value) => !(Math.abs(value) > 1e300) && !(Math.abs(value) < 1e-300 && value !== 0));
        const scale = createScale({ label: '', log }, sane);
        expect(scale.ticks.length).toBeGreaterThanOrEqual(2);
        expect(scale.ticks.length).toBeLessThanOrEqual(12);
        for (const value of sane) {
          const place = scale.place(value);
          if (Number.isNaN(value) || (log && value <= 0)) expect(place).toBeNaN();
          else expect(place).toSatisfy((at: number) => at >= -1e-6 && at <= 1 + 1e-6);
        }
      }),
    );
  });
});

describe('a plot in the terminal', () => {
  it('shows labels, legend and every series', () => {
    const text = plotLines(plot, { width: 40, height: 8 });
    const lines = text.split('\n');
    expect(lines.slice(0, 2)).toEqual(['Query time', 'time, µs']);
    expect(lines.every((line) => line.length <= 3 + 2 + 40)).toBe(true);
    expect(text).toContain('● tree   ▲ brute force < all');
    expect(text.match(/●/g)!.length).toBeGreaterThanOrEqual(4);
    // The cheap end of the tree lies low on the left: one step above the axis.
    expect(lines.find((line) => line.includes('│●') || line.includes('┤●'))).toBeDefined();
  });

  it('leaves out points that a logarithmic axis cannot show', () => {
    const withZero = { ...plot, series: [{ name: 'tree', points: [[0, 1], [10, 2]] as [number, number][] }] }; // biome-ignore format: a table
    expect(plotLines(withZero).match(/●/g)!.length).toBe(2);
  });
});

describe('a plot as SVG', () => {
  it('is a picture of the axes, the lines and the legend', () => {
    const svg = formatSvgPlot(plot);
    expect(svg).toContain('>contacts</text>');
    expect(svg).toContain('>time, µs</text>');
    expect(svg).toContain('brute force &lt; all');
    expect(svg.match(/<circle/g)!.length).toBe(8);
    expect(svg).not.toContain('NaN');
  });

  it('breaks the line where a value is missing', () => {
    const points = [[1, 1], [2, Number.NaN], [3, 1], [4, 2]] as [number, number][]; // biome-ignore format: a table
    const svg = formatSvgPlot({ x: { label: 'x' }, y: { label: 'y' }, series: [{ name: 'a', points }] });
    expect(svg).not.toContain('NaN');
    expect(svg).toMatch(/d="M[^ML]+M[^ML]+L[^ML]+" fill="none" stroke="#0072b2"/);
  });

  it('is written into folders that are made for it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'palpable-plot-'));
    try {
      await writeSvgPlot(join(folder, 'figures', 'query.svg'), plot);
      expect(await readFile(join(folder, 'figures', 'query.svg'), 'utf8')).toBe(formatSvgPlot(plot));
      const below = join(folder, 'figures', 'query.svg', 'below', 'a.svg');
      await expect(writeSvgPlot(below, plot)).rejects.toThrow(
        /^The folder .*below cannot be created .* with --plot\.$/,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
