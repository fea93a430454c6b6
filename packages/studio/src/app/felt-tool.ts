/**
 * The tool between the devices of the page and the loop: the devices say where they are, the loop says where the tool
 * is and what is felt. Without a loop (a page that is not isolated has no shared memory) the tool is where the device is.
 */
import {
  checkSceneValue,
  type LiveCommand,
  lengthOf,
  type PreparedBody,
  placeOf,
  TELEMETRY_CYCLES,
  TELEMETRY_MISSED,
  transformPoint,
} from '@palpable/engine';
import type { PageDevicePort } from '../devices/page-device.js';
import type { StudioScene } from '../scene/scene.js';
import { createServoClient, type ServoClient } from '../threads/servo-client.js';
import { createLoopReadings } from './loop-readings.js';
import { type Feel, feel, hasToolMoved, loopState } from './state.js';
import type { LoopSnapshot } from './test-hook.js';

/** Less than this is neither seen nor sent on, m and parts of a unit quaternion. */
const SHOWN_STEP = 1e-6;
/** Tool and device are drawn apart from here on: a millimetre, or a turn that moves the tool's surface by about as much. */
const APART = 0.001;
const APART_TURN = 0.01;

export interface FeltToolListener {
  /** What is to be felt where no loop runs. */
  standIn(out: Float64Array): void;
  /** Tool or device is somewhere else than when this was last told. */
  onMoved(): void;
  onRefused(problem: string): void;
  onLost(message: string): void;
}

export class FeltTool {
  /** World poses of the tool's mesh. */
  readonly toolPose: Float64Array;
  /** Where the devices of the page have put it. */
  readonly devicePose: Float64Array;
  /** Where the loop has the device: it follows the one above in a few hundredths of a second. */
  readonly followedPose: Float64Array;
  /** Between the centres of tool and device, m. */
  gap = 0;
  /** Whether tool and device are to be told apart on the stage. */
  isApart = false;

  private readonly scene: StudioScene;
  private readonly home: Float64Array;
  private readonly listener: FeltToolListener;
  private readonly readings = createLoopReadings();
  private centre: readonly [number, number, number] = [0, 0, 0];
  private loop: ServoClient | undefined;
  private newest: Float64Array | undefined;

  /** Where the devices of the page meet the loop. */
  readonly port: PageDevicePort = {
    putPose: (pose, buttons) => {
      hasToolMoved.value = true;
      this.devicePose.set(pose);
      this.loop?.port.putPose(pose, buttons);
      if (!this.isFelt) this.followDevice();
    },
    takeWrench: (out, nowMs) => {
      if (this.loop) this.loop.port.takeWrench(out, nowMs);
      else this.listener.standIn(out);
    },
  };

  constructor(scene: StudioScene, home: Float64Array, listener: FeltToolListener) {
    this.scene = scene;
    this.home = home;
    this.listener = listener;
    this.toolPose = home.slice();
    this.devicePose = home.slice();
    this.followedPose = home.slice();
    feel.value = readFeel(scene.file);
  }

  /** Whether a loop runs and has told of a cycle. */
  get isFelt(): boolean {
    return this.newest !== undefined;
  }

  /** Does nothing where loops cannot run. */
  start(bodies: ReadonlyMap<string, PreparedBody>, centre: readonly [number, number, number]): void {
    this.close();
    this.centre = centre;
    if (loopState.value === 'impossible') return;
    loopState.value = 'starting';
    feel.value = { ...feel.value, isPaused: false };
    const scene = withFeel(this.scene.file, feel.value);
    this.loop = createServoClient(
      { scene, bodies, tool: this.scene.tool.label, home: this.home },
      { onLost: (message) => this.lose(message) },
    );
    this.loop.port.putPose(this.devicePose, 0);
    this.watch(this.loop);
  }

  close(): void {
    this.loop?.close();
    this.loop = undefined;
    this.newest = undefined;
    this.readings.clear();
  }

  /** Takes the newest cycle. Called before every picture and at every chance to draw one. */
  follow(): void {
    const row = this.loop?.takeRow();
    if (!row) return;
    loopState.value = 'running';
    this.newest = row;
    const hasToolMoved = takePose(this.toolPose, row, placeOf('tpx'));
    const hasDeviceMoved = takePose(this.followedPose, row, placeOf('dpx'));
    if (hasToolMoved || hasDeviceMoved) {
      this.measureGap();
      this.listener.onMoved();
    }
    this.readings.onRow(row, this.gap);
  }

  /** Changes the method or a parameter of it while it is felt. */
  set<Key extends 'method' | 'friction'>(key: Key, value: Feel[Key]): void {
    const path = key === 'method' ? 'method.kind' : 'friction.coefficient';
    void this.command({ kind: 'set', path, value }, { ...feel.value, [key]: value });
  }

  /** Takes the force away, or brings it back. */
  setPaused(isPaused: boolean): void {
    void this.command({ kind: isPaused ? 'pause' : 'resume' }, { ...feel.value, isPaused });
  }

  snapshot(): LoopSnapshot | undefined {
    const row = this.newest;
    if (!row) return undefined;
    return {
      cycles: row[TELEMETRY_CYCLES]!,
      missed: row[TELEMETRY_MISSED]!,
      force: lengthOf(row, 'fx'),
      torque: lengthOf(row, 'tx'),
      gap: this.gap,
      devicePose: [...this.followedPose],
      ...feel.value,
    };
  }

  /** The panel shows the wish at once, and takes it back when the loop refuses. */
  private async command(command: LiveCommand, wished: Feel): Promise<void> {
    if (!this.loop) return;
    const before = feel.value;
    feel.value = wished;
    try {
      const { problem } = await this.loop.command(command);
      if (problem === undefined) return;
      feel.value = before;
      this.listener.onRefused(problem);
    } catch {
      // The loop ended meanwhile, which is told by itself.
    }
  }

  /** As long as this loop runs, looks for news whenever a picture could be drawn. */
  private watch(loop: ServoClient): void {
    requestAnimationFrame(() => {
      if (this.loop !== loop) return;
      this.follow();
      this.watch(loop);
    });
  }

  private lose(message: string): void {
    this.close();
    loopState.value = 'lost';
    this.followDevice();
    this.listener.onLost(message);
  }

  private followDevice(): void {
    this.toolPose.set(this.devicePose);
    this.followedPose.set(this.devicePose);
    this.measureGap();
    this.listener.onMoved();
  }

  private measureGap(): void {
    const { toolPose, followedPose, centre } = this;
    transformPoint(toolCentre, toolPose, ...centre);
    transformPoint(deviceCentre, followedPose, ...centre);
    this.gap = Math.hypot(...toolCentre.map((part, k) => part - deviceCentre[k]!));
    this.isApart = this.gap > APART || turnBetween(toolPose, followedPose) > APART_TURN;
  }
}

const toolCentre = new Float64Array(3);
const deviceCentre = new Float64Array(3);

/** Copies a pose out of a row, unless it is where it was. */
function takePose(out: Float64Array, row: Float64Array, at: number): boolean {
  const hasMoved = out.some((part, k) => Math.abs(row[at + k]! - part) > SHOWN_STEP);
  if (hasMoved) out.set(row.subarray(at, at + 7));
  return hasMoved;
}

/** Angle from one pose to another, rad. */
function turnBetween(from: Float64Array, to: Float64Array): number {
  let dot = 0;
  for (let k = 3; k < 7; k += 1) dot += from[k]! * to[k]!;
  return 2 * Math.acos(Math.min(1, Math.abs(dot)));
}

/** As the scene file says, with its defaults. */
function readFeel(file: unknown): Feel {
  const { scene } = checkSceneValue(file);
  if (!scene) return feel.value;
  return { method: scene.method.kind, friction: scene.friction.coefficient, isPaused: false };
}

/** The scene with what the user chose, for a loop that starts again. */
function withFeel(file: StudioScene['file'], { method, friction }: Feel): unknown {
  return {
    ...file,
    method: { ...file.method, kind: method },
    friction: { ...file.friction, coefficient: friction },
  };
}
