import { createScales, type Plot } from './plot.js';

const markers = ['●', '▲', '■', '◆', '○', '△', '□', '◇'];
const lineMark = '·';

/** The plot as text for a terminal: a marker per series at its points, dots between them. */
export function plotLines(plot: Plot, size = { width: 60, height: 16 }): string {
  const { width, height } = size;
  const scales = createScales(plot);
  const grid = Array.from({ length: height }, () => new Array<string>(width).fill(' '));
  const column = (x: number) => Math.round(scales.x.place(x) * (width - 1));
  const row = (y: number) => height - 1 - Math.round(scales.y.place(y) * (height - 1));

  const put = (at: number, line: number, mark: string) => {
    const cells = grid[line];
    // A later line never hides a marker.
    if (cells && at >= 0 && at < width && (mark !== lineMark || cells[at] === ' ')) cells[at] = mark;
  };
  for (const { points } of plot.series) {
    for (let i = 1; i < points.length; i++) {
      const [x0, y0] = points[i - 1]!;
      const [x1, y1] = points[i]!;
      drawLine([column(x0), row(y0)], [column(x1), row(y1)], (at, line) => put(at, line, lineMark));
    }
  }
  plot.series.forEach(({ points }, index) => {
    for (const [x, y] of points) put(column(x), row(y), markerOf(index));
  });

  const labels = new Map(scales.y.ticks.map((tick) => [row(tick.value), tick.label]));
  const margin = Math.max(...scales.y.ticks.map((tick) => tick.label.length));
  const body = grid.map((cells, line) => {
    const label = labels.get(line);
    return `${(label ?? '').padStart(margin)} ${label === undefined ? '│' : '┤'}${cells.join('')}`.trimEnd();
  });
  const legend = plot.series.map((series, index) => `${markerOf(index)} ${series.name}`).join('   ');
  return [
    ...(plot.title ? [plot.title] : []),
    plot.y.label,
    ...body,
    `${' '.repeat(margin)} └${'─'.repeat(width)}`,
    ' '.repeat(margin + 2) + formatTickRow(scales.x.ticks, column, width),
    `${plot.x.label.padStart(margin + 2 + width)}`,
    ' '.repeat(margin + 2) + legend,
  ].join('\n');
}

function markerOf(index: number): string {
  return markers[index % markers.length]!;
}

/** The labels of the lower axis, each below its place, left out where two would touch. */
function formatTickRow(
  ticks: readonly { value: number; label: string }[],
  column: (x: number) => number,
  width: number,
): string {
  let text = '';
  for (const { value, label } of ticks) {
    const start = Math.min(Math.max(0, column(value) - (label.length >> 1)), width - label.length);
    if (text.length === 0 || start > text.length) text = text.padEnd(start) + label;
  }
  return text;
}

/** Visits the cells of a straight line; none when an end cannot be shown. */
function drawLine(
  from: readonly [number, number],
  to: readonly [number, number],
  visit: (at: number, line: number) => void,
): void {
  const steps = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
  if (!Number.isFinite(steps)) return;
  for (let i = 1; i < steps; i++) {
    visit(Math.round(from[0] + ((to[0] - from[0]) * i) / steps), Math.round(from[1] + ((to[1] - from[1]) * i) / steps));
  }
}
