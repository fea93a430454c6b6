/**
 * Keeps a stack of plots up to date: checks for news with every frame of the page, draws at most twenty times a
 * second, and writes the values at the cursor beside the plots. It finds its elements by their data attributes, so that
 * no component has to render again while the loop runs.
 */
import { effect, type Signal } from '@preact/signals';
import { formatValue } from './axis.js';
import { type DrawnLine, drawTimeAxis, type PlotColours, type PlotFrame, PlotPainter } from './draw-plot.js';
import type { PlotKind } from './plot-kinds.js';
import type { RowHistory } from './row-history.js';
import { atExtent, extentOf, type TimeExtent, type TimeView, timeAt } from './time-view.js';

/** A plot with its lines, each from a run of its own or all from one. */
export interface DrawnPlot {
  readonly kind: PlotKind;
  readonly lines: readonly DrawnLine[];
  /** How many of the lines the line of words names. */
  readonly spoken: number;
}

/** Histories as they were when the view stopped following. */
export type KeptHistories = Map<RowHistory, RowHistory>;

export interface BoardState {
  /** For runs that are still going on: zooming in needs a copy, or it would be forgotten meanwhile. */
  readonly kept: KeptHistories | undefined;
  readonly view: Signal<TimeView>;
  /** Where the cursor stands, as a share of the width; undefined for none. */
  readonly cursor: Signal<number | undefined>;
}

const SHORTEST_MS = 50;
/** Drawing takes no more than one part in so many of the page's time, unless the plots would stand still by that. */
const REST = 10;
const LONGEST_MS = 250;
const NOTHING = '–';

export class PlotBoard {
  private readonly element: HTMLElement;
  private readonly plots: readonly DrawnPlot[];
  private readonly state: BoardState;
  private readonly canvases: readonly HTMLCanvasElement[];
  private readonly timeAxis: HTMLCanvasElement;
  private readonly painters: readonly PlotPainter[];
  private readonly cursorLine: HTMLElement | null;
  private readonly sizes: ResizeObserver;
  private readonly stopEffect: () => void;
  private shown: TimeView;
  private colours: readonly PlotColours[] = [];
  private theme: string | undefined;
  private drawnVersion = -1;
  private isStale = true;
  private nextMs = 0;
  private request = 0;
  /** How long the last frame of the plots took, ms. */
  private costMs = 0;

  constructor(element: HTMLElement, plots: readonly DrawnPlot[], state: BoardState) {
    this.element = element;
    this.plots = plots;
    this.state = state;
    this.shown = state.view.value;
    this.canvases = [...element.querySelectorAll<HTMLCanvasElement>('[data-plot] canvas')];
    this.timeAxis = element.querySelector<HTMLCanvasElement>('canvas[data-time-axis]')!;
    this.painters = this.canvases.map((canvas) => new PlotPainter(canvas.getContext('2d')!));
    this.cursorLine = element.querySelector('[data-cursor]');
    this.stopEffect = effect(() => this.onState(state.view.value, state.cursor.value));
    this.sizes = new ResizeObserver(() => this.fitCanvases());
    for (const canvas of [...this.canvases, this.timeAxis]) this.sizes.observe(canvas);
    this.watch();
  }

  close(): void {
    cancelAnimationFrame(this.request);
    this.sizes.disconnect();
    this.stopEffect();
  }

  /** Of what can be shown now. */
  get extent(): TimeExtent | undefined {
    return extentOf(this.histories());
  }

  /** The view with its right edge where it is now. */
  get view(): TimeView {
    return atExtent(this.state.view.value, this.extent);
  }

  /**
   * The values at the cursor, or the newest ones, in one line. Of several runs only when all is wanted: their values
   * stand beside the plots, and are too many for a line.
   */
  describe(isAllWanted: boolean): string {
    const { view } = this;
    const time = timeAt(view, this.state.cursor.value ?? 1);
    const at = this.histories().next().value?.timeNear(time);
    if (at === undefined) return '';
    const spokenOf = this.plots.filter(({ spoken }) => isAllWanted || spoken === 1);
    const parts = spokenOf.map(({ kind, lines, spoken }) => {
      const values = lines.slice(0, spoken).map((line) => {
        const value = `${this.valueOf(line, kind, time)}${kind.unit && ` ${kind.unit}`}`;
        return spoken > 1 ? `${line.label} ${value}` : value;
      });
      return `${kind.title} ${values.join(', ')}`;
    });
    return [`${formatValue(at, 3)} s`, ...parts].join(' · ');
  }

  private *histories(): Generator<RowHistory> {
    for (const { lines } of this.plots) for (const { history } of lines) yield this.seen(history);
  }

  private onState(view: TimeView, cursor: number | undefined): void {
    this.keep(view.isFollowing);
    this.isStale = true;
    if (!this.cursorLine) return;
    this.cursorLine.hidden = cursor === undefined;
    this.cursorLine.style.left = `${100 * (cursor ?? 0)}%`;
  }

  private keep(isFollowing: boolean): void {
    const { kept } = this.state;
    if (isFollowing) kept?.clear();
    else if (kept?.size === 0) {
      for (const { lines } of this.plots) {
        for (const { history } of lines) if (!kept.has(history)) kept.set(history, history.copy());
      }
    }
  }

  /** What is shown in place of a history. */
  private seen(history: RowHistory): RowHistory {
    return this.state.kept?.get(history) ?? history;
  }

  private watch(): void {
    this.request = requestAnimationFrame((now) => {
      this.watch();
      if (now < this.nextMs || !this.hasNews()) return;
      this.draw();
      this.nextMs = now + Math.min(LONGEST_MS, Math.max(SHORTEST_MS, REST * this.costMs));
    });
  }

  private hasNews(): boolean {
    return (
      this.isStale || this.version() !== this.drawnVersion || document.documentElement.dataset.theme !== this.theme
    );
  }

  private version(): number {
    let sum = 0;
    for (const history of this.histories()) sum += history.version;
    return sum;
  }

  private fitCanvases(): void {
    for (const canvas of [...this.canvases, this.timeAxis]) {
      const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((size) => Math.round(size * density()));
      if (canvas.width === width && canvas.height === height) continue;
      // Clears it; so it is drawn again before the page is.
      canvas.width = width;
      canvas.height = height;
    }
    this.draw();
  }

  private draw(): void {
    const began = performance.now();
    this.readColours();
    this.isStale = false;
    this.drawnVersion = this.version();
    this.shown = this.view;
    this.plots.forEach(({ kind, lines }, k) => {
      const canvas = this.canvases[k];
      const drawn = lines.map((line) => ({ ...line, history: this.seen(line.history) }));
      this.painters[k].draw(kind, drawn, this.shown, frameOf(canvas), this.colours[k]);
    });
    const { timeAxis } = this;
    const [colours] = this.colours;
    if (colours) drawTimeAxis(timeAxis.getContext('2d')!, this.shown, frameOf(timeAxis), colours);
    this.writeValues();
    this.costMs = performance.now() - began;
  }

  private readColours(): void {
    const { theme } = document.documentElement.dataset;
    if (this.colours.length > 0 && this.theme === theme) return;
    this.theme = theme;
    const style = getComputedStyle(this.element);
    const of = (colour: string) =>
      colour.replace(/var\((--[\w-]+)\)/, (_, name: string) => style.getPropertyValue(name).trim());
    this.colours = this.plots.map(({ lines }) => ({
      ink: of('var(--ink-soft)'),
      grid: of('var(--plot-grid)'),
      limit: of('var(--plot-limit)'),
      font: `11px ${of('var(--sans)')}`,
      lines: lines.map(({ colour }) => of(colour)),
    }));
  }

  private writeValues(): void {
    const time = timeAt(this.shown, this.state.cursor.value ?? 1);
    const cells = this.element.querySelectorAll('[data-value]');
    let at = 0;
    for (const { kind, lines } of this.plots) {
      for (const line of lines) write(cells[at++], this.valueOf(line, kind, time));
    }
    const words = this.describe(false);
    this.element.dataset.empty = String(words === '');
    write(this.element.querySelector('[data-words]'), words);
  }

  private valueOf(line: DrawnLine | undefined, { scale, digits }: PlotKind, time: number): string {
    if (!line) return NOTHING;
    const value = this.seen(line.history).valueAt(line.column, time);
    return value === undefined ? NOTHING : formatValue(scale * value, digits);
  }
}

function frameOf({ width, height }: HTMLCanvasElement): PlotFrame {
  return { width: width / density(), height: height / density(), density: density() };
}

/** Finer than two to one nobody sees, and drawing would take four times as long. */
function density(): number {
  return Math.min(2, devicePixelRatio);
}

function write(element: Element | null | undefined, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}
