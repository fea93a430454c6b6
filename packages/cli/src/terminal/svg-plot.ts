import { dirname } from 'node:path';
import { makeFolder, writeAtomically } from '../files/write-file.js';
import { createScales, type Plot, type PlotSeries, type Scale } from './plot.js';

const width = 640;
const height = 400;
const margin = { left: 72, right: 24, top: 20, bottom: 56 };
const titleHeight = 24;
const legendLineHeight = 20;

/** Okabe and Ito's colours, which people with any kind of colour vision can distinguish. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#8a7f00'];
const dashes = ['', '6 4', '2 3', '8 3 2 3'];

/** Writes the plot as an SVG file; folders are made as needed. */
export async function writeSvgPlot(file: string, plot: Plot): Promise<void> {
  await makeFolder(dirname(file), '--plot');
  await writeAtomically(file, Buffer.from(formatSvgPlot(plot)));
}

/** The plot as an SVG image with a white ground, readable on light and dark pages. */
export function formatSvgPlot(plot: Plot): string {
  const scales = createScales(plot);
  const legendTop = margin.top + (plot.title ? titleHeight : 0);
  const legend = layOutLegend(plot.series, margin.left, width - margin.right);
  const legendHeight = ((legend.at(-1)?.line ?? 0) + 1) * legendLineHeight;
  const frame = {
    left: margin.left,
    top: legendTop + legendHeight,
    right: width - margin.right,
    bottom: height - margin.bottom,
  };
  const placeX = (x: number) => frame.left + scales.x.place(x) * (frame.right - frame.left);
  const placeY = (y: number) => frame.bottom - scales.y.place(y) * (frame.bottom - frame.top);
  const middleX = (frame.left + frame.right) / 2;
  const middleY = (frame.top + frame.bottom) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#333">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...(plot.title
      ? [`<text x="${frame.left}" y="26" font-size="15" font-weight="600">${escapeXml(plot.title)}</text>`]
      : []),
    ...drawTicks(scales.x, (x) => [placeX(x), frame.bottom, placeX(x), frame.top], 'x'),
    ...drawTicks(scales.y, (y) => [frame.left, placeY(y), frame.right, placeY(y)], 'y'),
    `<path d="M${frame.left} ${frame.top}V${frame.bottom}H${frame.right}" fill="none" stroke="#333"/>`,
    `<text x="${middleX}" y="${height - 14}" text-anchor="middle">${escapeXml(plot.x.label)}</text>`,
    `<text transform="translate(18 ${middleY}) rotate(-90)" text-anchor="middle">${escapeXml(plot.y.label)}</text>`,
    ...plot.series.map((series, index) => drawSeries(series, index, placeX, placeY)),
    ...legend.map((entry, index) => drawLegendEntry(entry, index, legendTop)),
    '</svg>\n',
  ].join('\n');
}

function drawTicks(scale: Scale, line: (value: number) => [number, number, number, number], axis: 'x' | 'y'): string[] {
  return scale.ticks.flatMap(({ value, label }) => {
    const [x0, y0, x1, y1] = line(value).map(round) as [number, number, number, number];
    const text =
      axis === 'x'
        ? `<text x="${x0}" y="${y0 + 18}" text-anchor="middle">${label}</text>`
        : `<text x="${x0 - 8}" y="${y0 + 4}" text-anchor="end">${label}</text>`;
    return [`<path d="M${x0} ${y0}L${x1} ${y1}" stroke="#e3e3e3"/>`, text];
  });
}

function drawSeries(
  series: PlotSeries,
  index: number,
  placeX: (x: number) => number,
  placeY: (y: number) => number,
): string {
  const places = series.points.map(([x, y]) => [round(placeX(x)), round(placeY(y))] as const);
  const isShown = ([x, y]: readonly [number, number]) => Number.isFinite(x) && Number.isFinite(y);
  let path = '';
  let penDown = false;
  for (const place of places) {
    if (isShown(place)) path += `${penDown ? 'L' : 'M'}${place[0]} ${place[1]}`;
    penDown = isShown(place);
  }
  // Markers help where points are few and only thicken the line where they are many.
  const markers =
    places.length > 60
      ? ''
      : places
          .filter(isShown)
          .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3"/>`)
          .join('');
  return `<g fill="${colourOf(index)}"><path d="${path}" fill="none" ${strokeOf(index)}/>${markers}</g>`;
}

type LegendEntry = ReturnType<typeof layOutLegend>[number];

/** The names in rows above the frame, where they hide nothing. Widths are guessed from the number of letters. */
function layOutLegend(series: readonly PlotSeries[], left: number, right: number) {
  let x = left;
  let line = 0;
  return series.map(({ name }) => {
    const entryWidth = name.length * 7.4 + 56;
    if (x > left && x + entryWidth > right) {
      x = left;
      line += 1;
    }
    const entry = { name, x: round(x), line };
    x += entryWidth;
    return entry;
  });
}

function drawLegendEntry({ name, x, line }: LegendEntry, index: number, top: number): string {
  const y = top + line * legendLineHeight + 6;
  return `<path d="M${x} ${y}h24" ${strokeOf(index)}/><text x="${x + 32}" y="${y + 4}">${escapeXml(name)}</text>`;
}

function colourOf(index: number): string {
  return colours[index % colours.length]!;
}

function strokeOf(index: number): string {
  const dash = dashes[Math.floor(index / colours.length) % dashes.length];
  return `stroke="${colourOf(index)}" stroke-width="2"${dash ? ` stroke-dasharray="${dash}"` : ''}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
