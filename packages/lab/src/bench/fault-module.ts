/*
 * A user's own device that goes wrong when a file orders it to, for `--device module:…`: it presses into a plate a
 * thousand times a second and writes down what it is given to feel.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeviceLink, LinkOptions } from '@palpable/cli/internal';
import { FAULT_FOLDER_VARIABLE, reportActed, takeOrder } from './fault-orders.js';
import { wallMs } from './lateness.js';

/** Wrong from the start, or at the end. */
export type ModuleFault = 'throw-connect' | 'hang-close' | 'throw-close';

export const MODULE_FAULT_VARIABLE = 'PALPABLE_MODULE_FAULT';
export const MODULE_ORDER_FILE = 'module.json';
/** Lines of a time (ms since 1970) and a force (N), or the word `close`. */
export const MODULE_LOG_FILE = 'module.log';
/** m. The same press as that of the receiver's hand. */
export const PRESS_Z = -0.0108;
export const PRESS_AMPLITUDE = 0.0002;

const LOG_EVERY_MS = 5;

export default function connect({ port }: LinkOptions): DeviceLink {
  const folder = process.env[FAULT_FOLDER_VARIABLE] ?? '.';
  const fault = process.env[MODULE_FAULT_VARIABLE] as ModuleFault | undefined;
  if (fault === 'throw-connect') throw new Error('the device is on fire');
  const wrench = new Float64Array(6);
  let written = 0;
  let writtenAt = 0;
  const log = (what: number | 'close') => appendFileSync(join(folder, MODULE_LOG_FILE), `${wallMs()} ${what}\n`);
  const timer = setInterval(() => {
    const seconds = performance.now() / 1000;
    const [x, y, z] = [2.3, 3.1, 1.7].map((hertz) => PRESS_AMPLITUDE * Math.sin(2 * Math.PI * hertz * seconds));
    port.putPose([x!, y!, PRESS_Z + z!, 0, 0, 0, 1], 0);
    port.takeWrench(wrench, performance.now());
    const force = Math.hypot(...wrench);
    // The end of a push is written at once.
    const due = wallMs() - writtenAt >= LOG_EVERY_MS;
    if (force !== written && (due || force === 0)) {
      log(force);
      written = force;
      writtenAt = wallMs();
    }
    obey(folder);
  }, 1);
  return {
    name: 'a device with faults',
    state: 'connected',
    limits: { force: 8, torque: 0.1 },
    async close() {
      log('close');
      clearInterval(timer);
      if (fault === 'throw-close') throw new Error('the device does not let go');
      if (fault === 'hang-close') await new Promise(() => {});
    },
  };
}

function obey(folder: string): void {
  const order = takeOrder(join(folder, MODULE_ORDER_FILE));
  if (!order) return;
  reportActed(folder, order.id);
  if (order.action === 'throw') throw new Error('the device has lost its motor');
  if (order.action === 'reject') void Promise.reject(new Error('the device does not answer'));
  if (order.action === 'exit') process.exit(0);
}
