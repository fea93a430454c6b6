/** Draws one plot on its canvas: grid, limit, lines, marks. Lengths are CSS pixels. */
import { type AxisRange, fitRange, formatTick, powerRange, powerTicks, roundStep, ticksOf } from './axis.js';
import type { PlotKind } from './plot-kinds.js';
import { createThinnedColumn, type HistoryColumn, type RowHistory, type ThinnedColumn } from './row-history.js';
import { type TimeView, timeAt } from './time-view.js';

/** A line with the run that it belongs to. */
export interface DrawnLine {
  readonly history: RowHistory;
  readonly column: HistoryColumn;
  readonly label: string;
  readonly colour: string;
}

export interface PlotColours {
  readonly ink: string;
  readonly grid: string;
  readonly limit: string;
  readonly font: string;
  /** Of each line. */
  readonly lines: readonly string[];
}

export interface PlotFrame {
  /** CSS pixels. */
  readonly width: number;
  /** CSS pixels. */
  readonly height: number;
  /** Pixels of the screen in one of CSS. */
  readonly density: number;
}

/** Room for the numbers of the axes; the style sheet places the cursor by the same. */
const GUTTER = 48;
const RIGHT = 10;
const TOP = 7;
const BOTTOM = 5;
/** Ticks have at least so much room each. */
const TICK_HEIGHT = 26;
const TICK_WIDTH = 90;
const LABEL_ROOM = 24;
const LINE_WIDTH = 1.3;
/** Less than this between least and greatest value of a bucket is a point. */
const POINT_HEIGHT = 0.7;
const SAME_HEIGHT = 0.05;
/** Every so many pixels a line has a bucket. */
const BUCKET_WIDTH = 1;

type Area = Readonly<ReturnType<typeof areaOf>>;

/** What a plot keeps from one frame to the next. */
export class PlotPainter {
  private readonly context: CanvasRenderingContext2D;
  private range: AxisRange | undefined;
  private readonly thinned: ThinnedColumn[] = [];
  private readonly marks = createThinnedColumn();

  constructor(context: CanvasRenderingContext2D) {
    this.context = context;
  }

  draw(kind: PlotKind, lines: readonly DrawnLine[], view: TimeView, frame: PlotFrame, colours: PlotColours): void {
    const { context } = this;
    const area = areaOf(frame);
    context.setTransform(frame.density, 0, 0, frame.density, 0, 0);
    context.clearRect(0, 0, frame.width, frame.height);
    if (area.width < 1 || area.height < 1) return;
    this.thin(lines, view, area);
    this.range = this.fit(kind, lines.length);
    const drawing = { context, kind, view, area, colours, toY: heightScale(kind, this.range, area) };
    context.font = colours.font;
    drawValueAxis(drawing, this.range);
    drawTimeGrid(drawing);
    context.save();
    context.beginPath();
    context.rect(area.left, area.top - 2, area.width, area.height + 4);
    context.clip();
    drawLimit(drawing);
    this.drawMarks(drawing, lines);
    // The main line last: it lies on top.
    for (let k = lines.length - 1; k >= 0; k -= 1) {
      context.strokeStyle = colours.lines[k];
      strokeLine(drawing, this.thinned[k]);
    }
    context.restore();
  }

  private thin(lines: readonly DrawnLine[], view: TimeView, area: Area): void {
    while (this.thinned.length < lines.length) this.thinned.push(createThinnedColumn());
    const buckets = Math.max(1, Math.round(area.width / BUCKET_WIDTH));
    lines.forEach(({ history, column }, k) => {
      history.window(this.thinned[k], column, timeAt(view, 0), view.end, buckets);
    });
  }

  private fit({ scale, least, limit, powers, isFloating }: PlotKind, lines: number): AxisRange {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < lines; k += 1) {
      const column = this.thinned[k];
      for (let at = 0; at < column.count; at += 1) {
        if (column.low[at] < low) low = column.low[at];
        if (column.high[at] > high) high = column.high[at];
      }
    }
    if (low > high) [low, high] = [0, 0];
    [low, high] = [scale * low, scale * high];
    if (powers) return powerRange(powers, high);
    if (isFloating) return fitRange(this.range, low, high, least);
    return fitRange(this.range, Math.min(0, low), Math.max(0, high, limit?.value ?? 0), least);
  }

  private drawMarks({ kind: { marks }, context, view, area, colours }: Drawing, lines: readonly DrawnLine[]): void {
    if (!marks || lines.length === 0) return;
    lines[0].history.window(this.marks, marks.column, timeAt(view, 0), view.end, Math.round(area.width / 3));
    context.fillStyle = colours.limit;
    for (let at = 0; at < this.marks.count; at += 1) {
      if (this.marks.high[at] > 0) context.fillRect(toX(this.marks.times[at], view, area) - 1, area.top, 2, 6);
    }
  }
}

/** One frame of one plot. */
interface Drawing {
  readonly context: CanvasRenderingContext2D;
  readonly kind: PlotKind;
  readonly view: TimeView;
  readonly area: Area;
  readonly colours: PlotColours;
  readonly toY: (value: number) => number;
}

/** The numbers below a stack of plots. */
export function drawTimeAxis(
  context: CanvasRenderingContext2D,
  view: TimeView,
  frame: PlotFrame,
  colours: PlotColours,
): void {
  const area = areaOf(frame);
  const most = mostTimeTicks(area);
  const step = roundStep(view.span, most);
  context.setTransform(frame.density, 0, 0, frame.density, 0, 0);
  context.clearRect(0, 0, frame.width, frame.height);
  context.font = colours.font;
  context.fillStyle = colours.ink;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const tick of timeTicks(view, most)) {
    // Half of a label at the edge would be cut off.
    const x = toX(tick, view, area);
    if (x > LABEL_ROOM && x < frame.width - LABEL_ROOM) {
      context.fillText(`${formatTick(tick, step)} s`, x, 0.5 * frame.height);
    }
  }
}

function mostTimeTicks({ width }: Area): number {
  return Math.max(1, Math.floor(width / TICK_WIDTH));
}

/** None before the start. */
function timeTicks(view: TimeView, most: number): number[] {
  return ticksOf({ low: timeAt(view, 0), high: view.end }, most).filter((tick) => tick > -1e-9);
}

function areaOf({ width, height }: PlotFrame) {
  return { left: GUTTER, top: TOP, width: width - GUTTER - RIGHT, height: height - TOP - BOTTOM };
}

function toX(time: number, view: TimeView, area: Area): number {
  return area.left + (area.width * (time - timeAt(view, 0))) / view.span;
}

function heightScale(kind: PlotKind, { low, high }: AxisRange, { top, height }: Area): (value: number) => number {
  if (!kind.powers) return (value) => top + (height * (high - value)) / (high - low);
  const [lowest, decades] = [Math.log10(low), Math.log10(high / low)];
  return (value) => top + height * (1 - (Math.log10(Math.max(low, value)) - lowest) / decades);
}

function drawValueAxis({ context, kind, area, toY, colours }: Drawing, range: AxisRange): void {
  const most = Math.max(1, Math.floor(area.height / TICK_HEIGHT));
  const ticks = kind.powers ? powerTicks(range) : ticksOf(range, most);
  const step = kind.powers ? 1 : roundStep(range.high - range.low, most);
  context.fillStyle = colours.ink;
  context.strokeStyle = colours.grid;
  context.lineWidth = 1;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.beginPath();
  for (const tick of ticks) {
    const y = Math.round(toY(tick)) + 0.5;
    context.moveTo(area.left, y);
    context.lineTo(area.left + area.width, y);
    context.fillText(formatTick(tick, step), area.left - 6, y);
  }
  context.stroke();
}

function drawTimeGrid({ context, view, area, colours }: Drawing): void {
  context.strokeStyle = colours.grid;
  context.beginPath();
  for (const tick of timeTicks(view, mostTimeTicks(area))) {
    const x = Math.round(toX(tick, view, area)) + 0.5;
    context.moveTo(x, area.top);
    context.lineTo(x, area.top + area.height);
  }
  context.stroke();
}

function drawLimit({ context, kind: { limit }, area, toY, colours }: Drawing): void {
  if (!limit) return;
  const y = Math.round(toY(limit.value)) + 0.5;
  context.strokeStyle = colours.limit;
  context.lineWidth = 1;
  context.setLineDash([5, 4]);
  context.beginPath();
  context.moveTo(area.left, y);
  context.lineTo(area.left + area.width, y);
  context.stroke();
  context.setLineDash([]);
}

function strokeLine({ context, kind: { scale }, view, area, toY }: Drawing, column: ThinnedColumn): void {
  const from = timeAt(view, 0);
  const perSecond = area.width / view.span;
  let lastY = Number.NaN;
  /** Where a level stretch ends that has not been drawn yet. */
  let levelX = Number.NaN;
  context.lineWidth = LINE_WIDTH;
  context.lineJoin = 'bevel';
  context.beginPath();
  for (let at = 0; at < column.count; at += 1) {
    const x = area.left + (column.times[at] - from) * perSecond;
    const top = toY(scale * column.high[at]);
    const bottom = toY(scale * column.low[at]);
    const isPoint = bottom - top < POINT_HEIGHT;
    const first = isPoint ? 0.5 * (top + bottom) : Math.abs(top - lastY) < Math.abs(bottom - lastY) ? top : bottom;
    const isStart = column.afterGap[at] === 1 || Number.isNaN(lastY);
    if (!isStart && isPoint && Math.abs(first - lastY) < SAME_HEIGHT) {
      levelX = x;
      continue;
    }
    if (!Number.isNaN(levelX)) context.lineTo(levelX, lastY);
    levelX = Number.NaN;
    if (isStart) context.moveTo(x, first);
    else context.lineTo(x, first);
    lastY = first;
    if (!isPoint) {
      lastY = first === top ? bottom : top;
      context.lineTo(x, lastY);
    }
  }
  if (!Number.isNaN(levelX)) context.lineTo(levelX, lastY);
  context.stroke();
}
