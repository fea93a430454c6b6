/**
 * The tool between the devices of the page and the loop: the devices say where they are, the loop says where the tool
 * is and what is rendered. Without a loop (a page that is not isolated has no shared memory) the tool is where the device is.
 */
import {
  checkSceneValue,
  type DeviceLimits,
  FAULT_EMERGENCY_STOP,
  type LiveCommand,
  type LiveEvent,
  type PreparedBody,
  transformPoint,
} from '@palpable/engine';
import {
  type ContactPicture,
  cellOf,
  changedScene,
  createLoopHeartbeat,
  HEARTBEAT_LOOK_MS,
  lengthOf,
  type PortMemory,
  placeOf,
  TELEMETRY_CYCLES,
  TELEMETRY_MISSED,
} from '@palpable/engine/advanced';
import { messageOf } from '../controls/words.js';
import type { MotorLoop, PageDevicePort } from '../devices/page-device.js';
import type { StudioScene } from '../scene/scene.js';
import { createServoClient, type ServoClient } from '../threads/servo-client.js';
import { createLoopReadings } from './loop-readings.js';
import { hasContactThread, hasToolMoved, isLoopSilent, isPaused, isStopped, loopState, sceneValue } from './state.js';
import type { LoopSnapshot } from './test-hook.js';

/** Less than this is neither seen nor sent on, m and parts of a unit quaternion. */
const SHOWN_STEP = 1e-6;
/** Tool and device are drawn apart from here on: a millimetre, or a rotation that moves the surface by about as much. */
const APART = 0.001;
const APART_ROTATION = 0.01;
/** A loop that is silent for so long is ended and offered to be started again, milliseconds. */
const STUCK_MS = 500;
/** How long a frame waits for the contacts that belong to it; the loop gives them within a cycle. */
const LONGEST_WAIT_MS = 2;
/** So long after a change of the scene the loop may still build what follows from it. */
const CHANGING_MS = 5000;

export interface LiveToolListener {
  /** What is to be rendered where no loop runs. */
  standIn(out: Float64Array): void;
  /** Tool or device is somewhere else than when this was last reported. */
  onMoved(): void;
  /** Force and torque that the newest cycle gave to the hand, N and N m, world frame; undefined when the loop ended. */
  onWrench(wrench: Float64Array | undefined, isLimited: boolean): void;
  /** Contacts that the loop had a moment ago. */
  onContacts(contacts: ContactPicture): void;
  /** A loop began. */
  onStarted(loop: ServoClient): void;
  /** Whenever a frame could be drawn while a loop runs, with its newest row. */
  onFrame(newest: Float64Array | undefined, loop: ServoClient): void;
  /** A command was carried out, or refused. */
  onEvent(event: LiveEvent): void;
  /** The loop has missed its cycles for a while: until it goes on there is no force. */
  onSilent(): void;
  onLost(message: string): void;
  /** Something went wrong, and the loop goes on. */
  onTrouble(sentence: string): void;
}

/** What was changed stays while the tab is open: whoever opens another scene and comes back finds it again. */
const editedScenes = new Map<string, unknown>();

export class LiveTool {
  /** World poses of the tool's mesh. */
  readonly toolPose: Float64Array;
  /** Where the devices of the page have put it. */
  readonly devicePose: Float64Array;
  /** Where the loop has the device: it follows the one above in a few hundredths of a second. */
  readonly followedPose: Float64Array;
  /** Between the centres of tool and device, m. */
  gap = 0;
  /** Whether tool and device are drawn apart on the stage. */
  isApart = false;
  /** Whether the loop reports its contacts. */
  hasContacts = false;

  private readonly scene: StudioScene;
  private readonly home: Float64Array;
  private readonly listener: LiveToolListener;
  private readonly readings = createLoopReadings();
  private centre: readonly [number, number, number] = [0, 0, 0];
  private loop: ServoClient | undefined;
  private newest: Float64Array | undefined;
  private bodies: ReadonlyMap<string, PreparedBody> | undefined;
  private motorLimits: DeviceLimits | undefined;
  private onPort: (port: PortMemory | undefined) => void = () => {};
  /** The page is hidden. */
  private isAway = false;
  private beating: ReturnType<typeof setInterval> | undefined;
  private changedMs = Number.NEGATIVE_INFINITY;
  /** A stop that the loop reports counts from this cycle on: those before did not know of the release. */
  private releasedAt = 0;
  private readonly wrench = new Float64Array(6);

  /** Where the devices of the page meet the loop. */
  readonly port: PageDevicePort = {
    putPose: (pose, buttons) => {
      hasToolMoved.value = true;
      this.devicePose.set(pose);
      this.loop?.port.putPose(pose, buttons);
      if (!this.hasLoop) this.followDevice();
    },
    takeWrench: (out, nowMs) => {
      if (this.loop) this.loop.port.takeWrench(out, nowMs);
      else if (loopState.value === 'impossible') this.listener.standIn(out);
      else out.fill(0);
    },
  };

  /** For a device with motors; undefined where no loop can run. */
  readonly motor: MotorLoop | undefined =
    loopState.value === 'impossible'
      ? undefined
      : {
          setMotor: (limits) => {
            this.motorLimits = limits;
            if (this.loop && this.bodies) this.start(this.bodies, this.centre);
          },
          onPort: (listener) => (this.onPort = listener),
        };

  constructor(scene: StudioScene, home: Float64Array, listener: LiveToolListener) {
    this.scene = scene;
    this.home = home;
    this.listener = listener;
    this.toolPose = home.slice();
    this.devicePose = home.slice();
    this.followedPose = home.slice();
    sceneValue.value = editedScenes.get(scene.id) ?? scene.value;
    isPaused.value = false;
  }

  /** Whether a loop runs and has reported a cycle. */
  get hasLoop(): boolean {
    return this.newest !== undefined;
  }

  /** Does nothing where loops cannot run. */
  start(bodies: ReadonlyMap<string, PreparedBody>, centre: readonly [number, number, number]): void {
    this.close();
    this.centre = centre;
    this.bodies = bodies;
    if (loopState.value === 'impossible') return;
    loopState.value = 'starting';
    isPaused.value = false;
    this.loop = createServoClient(
      {
        scene: sceneValue.value,
        bodies,
        tool: this.scene.tool.label,
        home: this.home,
        ...(this.motorLimits && { motor: this.motorLimits }),
      },
      {
        onLost: (message) => this.lose(message),
        onTrouble: (sentence) => this.listener.onTrouble(sentence),
        onHeard: (port) => {
          if (this.motorLimits) this.onPort(port);
        },
      },
    );
    hasContactThread.value = this.loop.hasContactThread;
    // It waits for the loop, which carries it out before its first cycle.
    if (isStopped.value) void this.command({ kind: 'halt' });
    this.loop.port.putPose(this.devicePose, 0);
    this.listener.onStarted(this.loop);
    this.watch(this.loop);
    this.listenToHeart(this.loop);
    if (this.isAway) this.setAway(true);
  }

  close(): void {
    clearInterval(this.beating);
    isLoopSilent.value = false;
    this.releasedAt = 0;
    this.onPort(undefined);
    this.loop?.close();
    this.loop = undefined;
    this.newest = undefined;
    this.hasContacts = false;
    this.readings.clear();
    this.listener.onWrench(undefined, false);
  }

  /** Takes the newest cycle. Called before every frame and at every chance to draw one. */
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
    const at = placeOf('fx');
    for (let k = 0; k < 6; k += 1) this.wrench[k] = row[at + k]!;
    this.listener.onWrench(this.wrench, cellOf(row, 'limited') === 1);
    this.readings.onRow(row, this.gap);
  }

  /** The contacts for the frame that is about to be drawn, as fresh as the tool's pose. */
  awaitContacts(): void {
    const latest = performance.now() + LONGEST_WAIT_MS;
    while (this.hasContacts && !this.takeContacts() && performance.now() < latest);
  }

  /** False when there are no new ones. */
  private takeContacts(): boolean {
    const picture = this.loop?.takePicture();
    if (!picture) return false;
    this.hasContacts = true;
    this.listener.onContacts(picture);
    return true;
  }

  /** Changes a key of the running scene; says why not if it cannot be. */
  async set(path: string, value: unknown): Promise<string | null> {
    const problem = await this.command({ kind: 'set', path, value });
    if (problem !== null) return problem;
    const changed = changedScene(sceneValue.value, path, value);
    if (typeof changed === 'string') return changed;
    sceneValue.value = changed.value;
    editedScenes.set(this.scene.id, changed.value);
    return null;
  }

  /** Takes the force away, or brings it back. */
  setPaused(wished: boolean): void {
    isPaused.value = wished;
    void this.command({ kind: wished ? 'pause' : 'resume' });
  }

  /** The page is hidden, or shown again: no force meanwhile, and then as much as was asked for before. */
  setAway(isAway: boolean): void {
    this.isAway = isAway;
    if (!isPaused.value) void this.command({ kind: isAway ? 'pause' : 'resume' });
  }

  /** The emergency stop: no force until `release`, whatever else is asked for. */
  stop(): void {
    isStopped.value = true;
    void this.command({ kind: 'halt' });
  }

  release(): void {
    isStopped.value = false;
    this.releasedAt = Number.POSITIVE_INFINITY;
    void this.command({ kind: 'release' });
  }

  snapshot(): LoopSnapshot | undefined {
    const row = this.newest;
    if (!row) return undefined;
    const isSilent = isLoopSilent.value;
    return {
      cycles: row[TELEMETRY_CYCLES]!,
      missed: row[TELEMETRY_MISSED]!,
      force: isSilent ? 0 : lengthOf(row, 'fx'),
      torque: isSilent ? 0 : lengthOf(row, 'tx'),
      gap: this.gap,
      devicePose: [...this.followedPose],
      ...readFeel(sceneValue.value),
      isPaused: isPaused.value,
      isStopped: isStopped.value,
      isSilent,
      contactRate: cellOf(row, 'contact_rate'),
    };
  }

  /** Null when it was carried out. */
  private async command(command: LiveCommand): Promise<string | null> {
    if (!this.loop) return 'The loop is not running; start it again first.';
    const noteChange = () => {
      if (command.kind === 'set') this.changedMs = performance.now();
    };
    try {
      noteChange();
      const event = await this.loop.command(command);
      noteChange();
      if (command.kind === 'release') this.releasedAt = event.cycle;
      this.listener.onEvent(event);
      return event.problem ?? null;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** As long as this loop runs, checks for news whenever a frame could be drawn. */
  private watch(loop: ServoClient): void {
    requestAnimationFrame(() => {
      if (this.loop !== loop) return;
      this.follow();
      this.takeContacts();
      this.listener.onFrame(this.newest, loop);
      this.watch(loop);
    });
  }

  /** By a timer of its own: frames may be drawn seldom, or not at all. */
  private listenToHeart(loop: ServoClient): void {
    const heartbeat = createLoopHeartbeat(STUCK_MS);
    this.beating = setInterval(() => {
      const row = loop.newestRow;
      if (!row) return;
      const nowMs = performance.now();
      const cycles = row[TELEMETRY_CYCLES]!;
      const beat = heartbeat.look(cycles, nowMs, nowMs - this.changedMs < CHANGING_MS);
      if (cycles > this.releasedAt && (cellOf(row, 'faults') & FAULT_EMERGENCY_STOP) !== 0) isStopped.value = true;
      if (beat === 'stuck') this.lose('it stopped answering');
      else if (beat === 'beats') isLoopSilent.value = false;
      else if (!isLoopSilent.value) this.fallSilent();
    }, HEARTBEAT_LOOK_MS);
  }

  private fallSilent(): void {
    // A row that nobody has read yet must not bring its force back.
    this.follow();
    isLoopSilent.value = true;
    this.readings.silence();
    this.listener.onSilent();
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
    this.isApart = this.gap > APART || rotationBetween(toolPose, followedPose) > APART_ROTATION;
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
function rotationBetween(from: Float64Array, to: Float64Array): number {
  let dot = 0;
  for (let k = 3; k < 7; k += 1) dot += from[k]! * to[k]!;
  return 2 * Math.acos(Math.min(1, Math.abs(dot)));
}

/** What a snapshot says of the scene. */
function readFeel(value: unknown): Pick<LoopSnapshot, 'method' | 'friction'> {
  const { scene } = checkSceneValue(value);
  return { method: scene?.method.kind ?? '', friction: scene?.friction.coefficient ?? 0 };
}
