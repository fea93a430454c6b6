/** The thread that finds the contacts where no loop runs, which would tell its own. */
import {
  type ContactQuery,
  type ContactSet,
  createContactQuery,
  createContactSet,
  transformPoint,
} from '@palpable/engine';
import { appendContacts } from '@palpable/engine/advanced';
import { messageOf } from '../controls/words.js';
import { workerScope } from './browser-workers.js';
import type { ContactSetup, FromContactThread, ToContactThread } from './contact-frame.js';
import { createFrame, FrameNumber } from './contact-frame.js';

interface Pair {
  readonly query: ContactQuery;
  readonly isShellOnTool: boolean;
  readonly environmentPose: Float64Array;
}

interface Contacts {
  readonly pairs: readonly Pair[];
  readonly set: ContactSet;
  readonly toolCentre: readonly [number, number, number];
  /** The same in the world, written again for every pose. */
  readonly centre: Float64Array;
}

let contacts: Contacts | undefined;

workerScope.addEventListener('message', ({ data }: MessageEvent<ToContactThread>) => {
  try {
    if (data.kind === 'setup') start(data.setup);
    else answer(contacts!, data.pose, data.count);
  } catch (error) {
    tell({ kind: 'failed', message: messageOf(error) });
  }
});

function tell(message: FromContactThread): void {
  workerScope.postMessage(message, []);
}

function start(setup: ContactSetup): void {
  const { toolCentre, maxContacts } = setup;
  const pairs = setup.pairs.map(({ shell, field, shellOn, environmentPose }) => ({
    query: createContactQuery(shell, field, { shellOn, maxContacts }),
    isShellOnTool: shellOn === 'tool',
    environmentPose,
  }));
  contacts = { pairs, set: createContactSet(maxContacts), toolCentre, centre: new Float64Array(3) };
}

/** The contacts of the tool with all others. */
function findContacts({ pairs, set, centre }: Contacts, toolPose: Float64Array): void {
  set.count = 0;
  for (const { query, isShellOnTool, environmentPose } of pairs) {
    if (isShellOnTool) appendContacts(query, set, toolPose, environmentPose, centre);
    else appendContacts(query, set, environmentPose, toolPose, centre);
  }
}

function answer(contacts: Contacts, pose: Float64Array, count: number): void {
  const { pairs, set, centre } = contacts;
  transformPoint(centre, pose, ...contacts.toolCentre);
  const start = performance.now();
  findContacts(contacts, pose);
  const end = performance.now();
  const frame = createFrame(set.count);
  frame.position.set(set.position.subarray(0, 3 * set.count));
  frame.normal.set(set.normal.subarray(0, 3 * set.count));
  frame.depth.set(set.depth.subarray(0, set.count));
  const { numbers } = frame;
  numbers[FrameNumber.contacts] = set.count;
  numbers[FrameNumber.deepest] = frame.depth.reduce((deepest, depth) => Math.max(deepest, depth), 0);
  numbers[FrameNumber.capped] = pairs.some(({ query }) => query.counters.capped !== 0) ? 1 : 0;
  numbers[FrameNumber.queryUs] = 1000 * (end - start);
  numbers[FrameNumber.pose] = count;
  tell({ kind: 'frame', frame });
}
