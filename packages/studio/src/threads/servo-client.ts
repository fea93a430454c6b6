/**
 * The page's side of the loop's thread. Poses and wrenches go through shared memory, and so do the rows that tell of the
 * newest cycle; commands are answered one by one, in the order in which they were given.
 */
import { checkSceneValue, type DeviceLimits, type PreparedBody } from '@palpable/engine';
import {
  cellOf,
  createLiveMemory,
  createPortMemory,
  createRing,
  createRingReader,
  createSceneContactMemory,
  type FromLoop,
  LIVE_WIDTH,
  type LoopSetup,
  openDelassusPictures,
  openPictures,
  openPortHost,
  openShapeReader,
  openTelemetry,
  type PortMemory,
  type TripleReader,
} from '@palpable/engine/advanced';
import { PAGE_DEVICE_LIMITS, type PageDevicePort } from '../devices/page-device.js';
import { createCommandQueue } from './command-queue.js';
import { startContactSide } from './contact-side-client.js';
import { hearWorker } from './hear-worker.js';

/** The mouse speaks 60 times a second and the loop asks 1,000 times: in so many seconds the tool follows. */
const SMOOTHING = 0.02;
/** More could be found than seen: they would cover each other. */
const SHOWN_CONTACTS = 1000;
/** Rows that wait for the page, a power of two: sixteen seconds, for a tab that is hidden for a moment. */
const WAITING_ROWS = 16_384;
/**
 * Seconds. The devices of a page have no motors: a loop that is late for a moment hurts nobody, while a force that comes
 * and goes on a busy machine confuses.
 */
const STALL = 0.25;
/** A device with motors speaks with every cycle; a browser is late now and then, seconds. */
const MOTOR_SILENT_AFTER = 0.02;

export interface ServoSetup {
  /** What the scene file holds. */
  readonly scene: unknown;
  readonly bodies: ReadonlyMap<string, PreparedBody>;
  /** Name of the body that moves with the device. */
  readonly tool: string;
  /**
   * World pose that the tool starts with, wherever the device is by then: a tool that starts inside of another body
   * could not come out again.
   */
  readonly home: Float64Array;
  /** For a device with motors: what it can give. It is followed at once, and minded more strictly. */
  readonly motor?: DeviceLimits;
}

export interface ServoListener {
  onLost(message: string): void;
  /** The contact thread was lost and is started again, or is not: a sentence. The loop goes on. */
  onTrouble?(sentence: string): void;
  /** The loop has taken the tool's first pose: from now on the port may be given to somebody else. */
  onHeard?(port: PortMemory): void;
}

export type ServoClient = Readonly<ReturnType<typeof createServoClient>>;

export function createServoClient(setup: ServoSetup, listener: ServoListener) {
  const worker = new Worker(new URL('./servo-worker.ts', import.meta.url), { type: 'module', name: 'loop' });
  const loop = describeLoop(setup);
  const { host, rows, pictures, delassus, shapes, port } = openLoop(loop);
  const commands = createCommandQueue(loop.memory.mailbox);
  const held = createHeldPort(host, setup.home);
  const newest = createNewestRow(rows);
  let isHeard = false;

  const contactSide = startContactSide(loop, (sentence) => listener.onTrouble?.(sentence));
  let isEnded = false;
  const end = (message: string) => {
    isEnded = true;
    void contactSide?.end();
    worker.terminate();
    commands.end(message);
  };
  const lose = (message: string) => {
    end(message);
    listener.onLost(message);
  };
  const hear = (data: FromLoop) => {
    if (data.kind === 'event') commands.answer(data.event);
    else if (data.kind === 'failed') lose(data.message);
    else if (data.kind === 'ended') lose('it was asked to end');
  };
  hearWorker(worker, hear, lose);
  const begin = () => {
    if (!isEnded) worker.postMessage(loop);
  };
  // First the contacts: a tool that starts without any would fall into what it touches.
  if (contactSide) {
    contactSide.ready.then(begin, (error: Error) => {
      if (!isEnded) lose(error.message);
    });
  } else begin();
  pictures.want();

  return {
    /** Whether contacts are found in a thread of their own. */
    hasContactThread: contactSide !== null,
    /** For the devices of the page. */
    port: held.port,
    /** Every row, in order. It has one reader: whoever draws or records them gets them from there. */
    everyRow: createRingReader(loop.memory.rows!),
    /** Carried out between two cycles; resolves with what came of it, rejects when the loop ends before. */
    command: commands.send,
    /** What the newest cycle left, with the totals behind it; undefined before the first. One array, filled again. */
    get newestRow() {
      return newest.look();
    },
    /** The same; undefined when none came since the last time. */
    takeRow() {
      const row = newest.take();
      // With smoothing every cycle has a pose, from the first one on that was heard; without, only the very first has.
      if (row && !isHeard && (setup.motor || cellOf(row, 'fresh') === 1)) {
        isHeard = true;
        held.release();
        listener.onHeard?.(port);
      }
      return row;
    },
    /** The newest contacts, to be looked at until the next call; undefined when none came. Asks for the next ones. */
    takePicture() {
      if (!pictures.take()) return undefined;
      pictures.want();
      return pictures.block;
    },
    /** Names of the bodies that bend, in the order of their shapes. */
    bending: loop.contacts?.shapes?.bodies.map(({ name }) => name) ?? [],
    /** Their newest surfaces, to be looked at until the next call; undefined when none came. */
    takeShapes: () => (shapes?.take() ? shapes.block : undefined),
    /** The newest Delassus operator, to be looked at until the next call; undefined when none came. */
    takeDelassus: () => (delassus.take() ? delassus.block : undefined),
    /** Asks for the next one. */
    wantDelassus: () => delassus.want(),
    close: () => end('the page closed it'),
  };
}

function describeLoop({ scene, bodies, tool, motor }: ServoSetup): LoopSetup {
  const device = {
    kind: 'port',
    port: createPortMemory(),
    limits: motor ?? PAGE_DEVICE_LIMITS,
    // A mouse that rests says nothing, and is still there.
    silentAfter: motor ? MOTOR_SILENT_AFTER : Number.POSITIVE_INFINITY,
  } as const;
  const { scene: checked } = checkSceneValue(scene);
  const { stopButton } = checked?.devices?.[tool] ?? checked?.device ?? {};
  const workspace = { smoothing: motor ? 0 : SMOOTHING };
  const hands = [{ tool, device, workspace, ...(stopButton != null && { stopButton }) }];
  // A scene that begins with another method and changes to a threaded one later finds its contacts in the loop.
  const contacts = checked && createSceneContactMemory(checked, bodies, [tool], true);
  return {
    scene,
    bodies,
    hands,
    memory: createLiveMemory(hands.length, createRing(LIVE_WIDTH, WAITING_ROWS), SHOWN_CONTACTS),
    options: motor ? {} : { stall: STALL },
    ...(contacts && { contacts }),
  };
}

function openLoop({ hands, memory, contacts }: LoopSetup) {
  const { device } = hands[0]!;
  if (device.kind !== 'port') throw new Error('The devices of the page need a port.');
  return {
    port: device.port,
    host: openPortHost(device.port),
    rows: openTelemetry(memory, 0),
    pictures: openPictures(memory.pictures[0]!),
    delassus: openDelassusPictures(memory.delassus!),
    shapes: contacts?.shapes ? openShapeReader(contacts.shapes) : undefined,
  };
}

/** Gives the loop the tool's first pose, and those of the devices only when it has been heard. */
function createHeldPort(host: PageDevicePort, home: Float64Array) {
  let waiting: { readonly pose: Float64Array; readonly buttons: number } | undefined;
  let isHeld = true;
  host.putPose(home, 0);
  const port: PageDevicePort = {
    putPose(pose, buttons) {
      if (isHeld) waiting = { pose: pose.slice(), buttons };
      else host.putPose(pose, buttons);
    },
    takeWrench: (out, nowMs) => host.takeWrench(out, nowMs),
  };
  return {
    port,
    release() {
      isHeld = false;
      if (waiting) host.putPose(waiting.pose, waiting.buttons);
      waiting = undefined;
    },
  };
}

/** The newest row for two who look at it: one asks for it at any time, the other only for what is new to it. */
function createNewestRow(rows: TripleReader<Float64Array>) {
  const row = new Float64Array(rows.block.length);
  let isAny = false;
  let isNew = false;
  const look = () => {
    if (rows.take()) {
      row.set(rows.block);
      isAny = true;
      isNew = true;
    }
    return isAny ? row : undefined;
  };
  return {
    look,
    take() {
      look();
      if (!isNew) return undefined;
      isNew = false;
      return row;
    },
  };
}
