/**
 * Runs the motion of a take through a variant of its scene, free-running: as fast as it goes, and to the same bits every
 * time. The tool starts where the take had it, not where the device was: that may be inside of a body, and a tool that
 * starts inside could not come out again. Only the limits that the scene states are applied.
 */
import {
  type Clock,
  checkSceneValue,
  createSceneMethod,
  handOfTrajectory,
  type PreparedBody,
  RESULT_COLUMNS,
  type Trajectory,
} from '@palpable/engine';
import {
  percentile,
  playCycle,
  RESULT_WIDTH,
  STATE_NAMES,
  sceneError,
  startPlay,
  writeResultRow,
} from '@palpable/engine/advanced';
import { DriftMeter } from './drift.js';
import { changedScene, type Variant } from './variants.js';

/** Everything in it can be sent to a worker. */
export interface ComparedMotion {
  /** What the scene file of the take held. */
  readonly scene: unknown;
  readonly tool: string;
  readonly bodies: ReadonlyMap<string, PreparedBody>;
  readonly trajectory: Trajectory;
  /** World pose of the tool at the start. */
  readonly startPose: Float64Array;
}

export interface VariantSummary {
  readonly cycles: number;
  /** N and N m. */
  readonly maxForce: number;
  readonly maxTorque: number;
  /** The farthest that the tool moved along the surface while it stuck, m. */
  readonly drift: number;
  /** m */
  readonly maxPenetration: number;
  /** Of a cycle, microseconds. */
  readonly p50Us: number;
  readonly p99Us: number;
  /** Parts of all cycles, in the order of `STATE_NAMES`. */
  readonly states: readonly number[];
}

export interface VariantResult {
  readonly label: string;
  readonly summary: VariantSummary;
  /** Rows in the order of `RESULT_COLUMNS`: every cycle, or every few of a long take. */
  readonly count: number;
  readonly rows: Float64Array;
  /** By row: how far the tool has moved along the surface since it began to stick, m; 0 while it does not. */
  readonly drift: Float64Array;
}

/** More are neither seen in a plot nor good for the memory of the tab: two minutes of every cycle. */
const MAX_KEPT_ROWS = 120_000;
/** Cycles between two reports of progress. */
const CYCLES_AT_A_TIME = 500;

const place = (name: (typeof RESULT_COLUMNS)[number]) => RESULT_COLUMNS.indexOf(name);
const FORCE = place('fx');
const TORQUE = place('tx');
const PENETRATION = place('max_penetration');
const STATE = place('friction_state');
const TOTAL_US = place('us_total');

/** Throws `format-invalid` or `option-invalid` where the variant is no scene that can be run. */
export function runVariant(
  motion: ComparedMotion,
  variant: Variant,
  onProgress: (fraction: number) => void = () => {},
  clock?: Clock,
): VariantResult {
  const { scene, problems } = checkSceneValue(changedScene(motion.scene, variant));
  if (!scene) throw sceneError(variant.label, problems);
  const { method } = createSceneMethod(scene, motion.bodies, { tool: motion.tool, ...(clock && { clock }) });
  const hand = handOfTrajectory(motion.trajectory, scene.timeStep, motion.startPose);
  const run = startPlay({ ...scene, method }, hand);
  const kept = new KeptRows(hand.cycles);
  const summary = new Summary(hand.cycles);
  const row = new Float64Array(RESULT_WIDTH);
  const meter = new DriftMeter(method, scene.contact.maxContacts);
  while (playCycle(run)) {
    writeResultRow(row, 0, run.time, run.devicePose, run.output, run.limited);
    const drift = meter.measure(run.output);
    summary.add(row, drift);
    kept.add(row, drift);
    if (run.isOver || (run.cycle + 1) % CYCLES_AT_A_TIME === 0) onProgress((run.cycle + 1) / hand.cycles);
  }
  return { label: variant.label, summary: summary.finish(), ...kept.finish() };
}

/** Every so many rows that they are not too many. */
class KeptRows {
  private readonly stride: number;
  private readonly rows: Float64Array;
  private readonly drift: Float64Array;
  private seen = 0;
  private count = 0;

  constructor(cycles: number) {
    this.stride = Math.max(1, Math.ceil(cycles / MAX_KEPT_ROWS));
    const room = Math.ceil(cycles / this.stride);
    this.rows = new Float64Array(room * RESULT_WIDTH);
    this.drift = new Float64Array(room);
  }

  add(row: Float64Array, drift: number): void {
    if (this.seen % this.stride === 0) {
      this.rows.set(row, this.count * RESULT_WIDTH);
      this.drift[this.count] = drift;
      this.count += 1;
    }
    this.seen += 1;
  }

  finish() {
    return { count: this.count, rows: this.rows, drift: this.drift };
  }
}

class Summary {
  private readonly times: Float64Array;
  private readonly states = STATE_NAMES.map(() => 0);
  private cycles = 0;
  private maxForce = 0;
  private maxTorque = 0;
  private maxPenetration = 0;
  private maxDrift = 0;

  constructor(cycles: number) {
    this.times = new Float64Array(cycles);
  }

  add(row: Float64Array, drift: number): void {
    this.maxForce = Math.max(this.maxForce, lengthAt(row, FORCE));
    this.maxTorque = Math.max(this.maxTorque, lengthAt(row, TORQUE));
    this.maxPenetration = Math.max(this.maxPenetration, row[PENETRATION]!);
    this.states[row[STATE]!]! += 1;
    this.times[this.cycles] = row[TOTAL_US]!;
    this.cycles += 1;
    this.maxDrift = Math.max(this.maxDrift, drift);
  }

  finish(): VariantSummary {
    const { cycles, maxForce, maxTorque, maxPenetration } = this;
    const times = this.times.subarray(0, cycles);
    return {
      cycles,
      maxForce,
      maxTorque,
      drift: this.maxDrift,
      maxPenetration,
      p50Us: percentile(times, 50),
      p99Us: percentile(times, 99),
      states: this.states.map((count) => count / cycles),
    };
  }
}

function lengthAt(row: Float64Array, at: number): number {
  return Math.hypot(row[at]!, row[at + 1]!, row[at + 2]!);
}
