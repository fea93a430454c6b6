/** How the user left the drawer: open or folded, how high, and with which plots. */
import { LIVE_PLOT_IDS, type LivePlotId } from './plot-kinds.js';

export interface DrawerMemory {
  readonly isOpen: boolean;
  /** Of the plots, CSS pixels. */
  readonly height: number;
  /** In the order in which they stand, whatever the order in which they were chosen. */
  readonly chosen: readonly LivePlotId[];
}

export const LEAST_HEIGHT = 110;
export const MOST_HEIGHT = 720;

export const FIRST_DRAWER: DrawerMemory = { isOpen: false, height: 250, chosen: ['force', 'penetration', 'stages'] };

/** What is missing or makes no sense is as in the beginning. */
export function readDrawer(text: string | null): DrawerMemory {
  let found: unknown;
  try {
    found = JSON.parse(text ?? '');
  } catch {
    return FIRST_DRAWER;
  }
  if (typeof found !== 'object' || found === null) return FIRST_DRAWER;
  const { isOpen, height, chosen } = found as Partial<Record<keyof DrawerMemory, unknown>>;
  return {
    isOpen: typeof isOpen === 'boolean' ? isOpen : FIRST_DRAWER.isOpen,
    height: typeof height === 'number' && Number.isFinite(height) ? clampHeight(height) : FIRST_DRAWER.height,
    chosen: Array.isArray(chosen) ? LIVE_PLOT_IDS.filter((id) => chosen.includes(id)) : FIRST_DRAWER.chosen,
  };
}

export function clampHeight(height: number): number {
  return Math.round(Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, height)));
}

export function toggled(chosen: readonly LivePlotId[], id: LivePlotId): readonly LivePlotId[] {
  return LIVE_PLOT_IDS.filter((each) => (each === id) !== chosen.includes(each));
}
