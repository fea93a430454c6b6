/**
 * The thread that finds the contacts. With shared memory it sleeps until the page writes a pose, answers it and sleeps
 * again: nothing is computed while nothing moves.
 */
import {
  appendContacts,
  type ContactQuery,
  type ContactSet,
  createContactQuery,
  createContactSet,
  transformPoint,
} from '@palpable/engine';
import { workerScope } from './browser-workers.js';
import { type ContactFrame, FrameNumber, frameBytes, openThreadEnd, viewFrame } from './contact-channel.js';
import type { ContactSetup, FromContactThread, ToContactThread } from './contact-messages.js';

interface Pair {
  readonly query: ContactQuery;
  readonly isShellOnTool: boolean;
  readonly environmentPose: Float64Array;
}

interface Contacts {
  readonly pairs: readonly Pair[];
  readonly set: ContactSet;
  readonly toolCentre: readonly [number, number, number];
  /** The same in the world, written anew for every pose. */
  readonly centre: Float64Array;
}

const WARM_UP_POSES = 150;

let contacts: Contacts | undefined;

workerScope.addEventListener('message', ({ data }: MessageEvent<ToContactThread>) => {
  try {
    if (data.kind === 'setup') start(data.setup);
    else answerMessage(contacts!, data.pose, data.count);
  } catch (error) {
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});

function tell(message: FromContactThread, transfer: Transferable[] = []): void {
  workerScope.postMessage(message, transfer);
}

function start(setup: ContactSetup): void {
  const { toolCentre, maxContacts } = setup;
  const pairs = setup.pairs.map(({ shell, field, shellOn, environmentPose }) => ({
    query: createContactQuery(shell, field, { shellOn, maxContacts }),
    isShellOnTool: shellOn === 'tool',
    environmentPose,
  }));
  contacts = { pairs, set: createContactSet(maxContacts), toolCentre, centre: new Float64Array(3) };
  warmUp(contacts, setup.toolPose);
  if (setup.memory) serveSharedMemory(contacts, setup.memory);
}

/**
 * Runs through poses from free to deep inside before the first one counts, so that the engine's code is compiled and the
 * times shown are those of a running loop.
 */
function warmUp(contacts: Contacts, toolPose: Float64Array): void {
  const pose = toolPose.slice();
  const goal = contacts.pairs[0]!.environmentPose;
  for (let step = 0; step <= WARM_UP_POSES; step++) {
    for (let k = 0; k < 3; k++) pose[k] = toolPose[k]! + ((goal[k]! - toolPose[k]!) * step) / WARM_UP_POSES;
    findContacts(contacts, pose);
  }
}

/** The contacts of the tool with all others. */
function findContacts({ pairs, set, centre }: Contacts, toolPose: Float64Array): void {
  set.count = 0;
  for (const { query, isShellOnTool, environmentPose } of pairs) {
    if (isShellOnTool) appendContacts(query, set, toolPose, environmentPose, centre);
    else appendContacts(query, set, environmentPose, toolPose, centre);
  }
}

function serveSharedMemory(contacts: Contacts, memory: SharedArrayBuffer): never {
  const end = openThreadEnd(memory, contacts.set.capacity);
  for (;;) {
    const { pose, count } = end.waitForPose();
    answer(end.frames.block, contacts, pose, count);
    if (end.publishFrame()) tell({ kind: 'announce' });
  }
}

function answerMessage(contacts: Contacts, pose: Float64Array, count: number): void {
  const { capacity } = contacts.set;
  const buffer = new ArrayBuffer(frameBytes(capacity));
  answer(viewFrame(buffer, 0, capacity), contacts, pose, count);
  tell({ kind: 'frame', buffer }, [buffer]);
}

function answer(frame: ContactFrame, contacts: Contacts, pose: Float64Array, count: number): void {
  const { pairs, set, centre } = contacts;
  transformPoint(centre, pose, ...contacts.toolCentre);
  const start = performance.now();
  findContacts(contacts, pose);
  const end = performance.now();
  frame.position.set(set.position.subarray(0, 3 * set.count));
  frame.normal.set(set.normal.subarray(0, 3 * set.count));
  frame.depth.set(set.depth.subarray(0, set.count));
  let deepest = 0;
  for (let i = 0; i < set.count; i++) deepest = Math.max(deepest, set.depth[i]!);
  const { numbers } = frame;
  numbers[FrameNumber.contacts] = set.count;
  numbers[FrameNumber.deepest] = deepest;
  let visited = 0;
  let capped = 0;
  for (const { query } of pairs) {
    visited += query.counters.visited;
    if (query.counters.capped !== 0) capped = 1;
  }
  numbers[FrameNumber.visited] = visited;
  numbers[FrameNumber.capped] = capped;
  numbers[FrameNumber.queryUs] = 1000 * (end - start);
  numbers[FrameNumber.pose] = count;
}
