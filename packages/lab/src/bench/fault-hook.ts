/*
 * Faults from within, without a line for them in the product: preloaded into every thread of a process
 * (`node --import`), does to one of them what a file orders. Beside it runs a thread whose timer shows how late this
 * process is for reasons that are not its own.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getEnvironmentData, isMainThread, setEnvironmentData, Worker } from 'node:worker_threads';
import {
  FAULT_FOLDER_VARIABLE,
  type FaultOrder,
  LATE_FILE,
  ORDER_FILE,
  reportActed,
  takeOrder,
} from './fault-orders.js';
import { watchLateness } from './lateness.js';

const SHARED = 'palpable-faults';
const SHARED_BYTES = 1024;
/**
 * Cells: number of the newest order, how far the clock is off (s), length of the order that stands behind them, number of
 * the newest order that was carried out.
 */
const [NEWEST, CLOCK, LENGTH, DONE, HEAD_BYTES] = [0, 1, 2, 3, 16];
const CHECK_EVERY_MS = 5;

const folder = process.env[FAULT_FOLDER_VARIABLE];
const script = process.argv[1] ?? '';
if (folder !== undefined) {
  if (isMainThread) startControl();
  if (script === fileURLToPath(import.meta.url)) runControl(folder);
  else hook(folder);
}

function startControl(): void {
  setEnvironmentData(SHARED, new SharedArrayBuffer(SHARED_BYTES));
  const worker = new Worker(new URL(import.meta.url));
  worker.unref();
}

function runControl(where: string): void {
  const shared = getEnvironmentData(SHARED) as SharedArrayBuffer;
  const cells = new Int32Array(shared, 0, HEAD_BYTES / 4);
  const check = () => {
    const order = takeOrder(join(where, ORDER_FILE));
    if (!order) return;
    if (order.action === 'clock') {
      cells[CLOCK] = Math.round((order.ms ?? 0) / 1000);
      reportActed(where, order.id);
      return;
    }
    const text = Buffer.from(JSON.stringify(order));
    new Uint8Array(shared, HEAD_BYTES).set(text);
    cells[LENGTH] = text.length;
    Atomics.add(cells, NEWEST, 1);
  };
  watchLateness(check, ([at, lateMs]) => fs.appendFileSync(join(where, LATE_FILE), `${at} ${lateMs}\n`));
  // The timer of the control keeps nobody; this thread stays until the process ends.
  setInterval(() => {}, 60_000);
}

/** The loop never comes back to its events, so that it is reached through the clock that it reads. */
function hook(where: string): void {
  const shared = getEnvironmentData(SHARED) as SharedArrayBuffer;
  const cells = new Int32Array(shared, 0, HEAD_BYTES / 4);
  const now = performance.now.bind(performance);
  // An order that came while this thread began, in place of one that was lost, is for it.
  let seen = Atomics.load(cells, DONE);
  const check = () => {
    if (Atomics.load(cells, NEWEST) === seen) return;
    seen = cells[NEWEST]!;
    const text = Buffer.from(new Uint8Array(shared, HEAD_BYTES, cells[LENGTH])).toString();
    const order = JSON.parse(text) as FaultOrder;
    if (!script.includes(order.target)) return;
    Atomics.store(cells, DONE, seen);
    act(where, order, now);
  };
  const dateNow = Date.now;
  Date.now = () => dateNow() + 1000 * Atomics.load(cells, CLOCK);
  if (isMainThread) return;
  performance.now = () => {
    check();
    return now();
  };
  setInterval(check, CHECK_EVERY_MS).unref();
}

function act(where: string, { id, action, ms }: FaultOrder, now: () => number): void {
  reportActed(where, id);
  if (action === 'throw') throw new Error('an error that was ordered');
  if (action === 'exit') process.exit(7);
  if (action === 'spin') {
    const end = now() + (ms ?? Number.POSITIVE_INFINITY);
    while (now() < end);
  }
  if (action === 'disk-full') fillDisk();
}

function fillDisk(): void {
  fs.writeSync = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  syncBuiltinESMExports();
}
