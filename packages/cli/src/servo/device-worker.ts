import { parentPort, workerData } from 'node:worker_threads';
import { isPalpableError } from '@palpable/engine';
import {
  cellOf,
  createRingReader,
  haltPort,
  type LiveColumn,
  openPortHost,
  portHaltFade,
} from '@palpable/engine/advanced';
import { connectModule } from '../device/connect-module.js';
import type { DeviceLink, LinkState } from '../device/device-link.js';
import { parseHaplyAddress } from '../device/haply/haply-address.js';
import { connectHaply } from '../device/haply/haply-client.js';
import { parseVrpnAddress } from '../device/vrpn/vrpn-address.js';
import { connectVrpn } from '../device/vrpn/vrpn-client.js';
import { serveVrpn, type VrpnServer } from '../device/vrpn/vrpn-server.js';
import { settledWithin } from '../parallel/within.js';
import type { ReportedError } from '../record/recorder-messages.js';
import type { DeviceJob, FromDevices, LinkRequest, ServeRequest, ToDevices } from './device-messages.js';
import { haplyDevice } from './device-request.js';
import { fadeMsOf } from './fade.js';

/**
 * The thread of everything that can move a motor: connections to devices, and the tools shown to other programs. It does
 * nothing else, so that neither a terminal that blocks nor a scene that is being prepared keeps a force on the wire.
 *
 * There is one end, `letGo`: the forces fade, each link sends zero and closes its connection. It begins when a port is halted, by
 * whichever thread, or with the first error here.
 */
const TICK_MS = 2;
const SERVE_MS = 1;
/** A link that does not close within this time is left behind. */
const CLOSING_MS = 500;

const { links: requests, serve, released } = workerData as DeviceJob;
const parent = parentPort!;
const tell = (message: FromDevices) => parent.postMessage(message);
const log = (line: string) => tell({ kind: 'log', line });

const links: DeviceLink[] = [];
const states: LinkState[] = [];
const servers: VrpnServer[] = [];
let startMs: number | null = null;
let isEnding = false;

// A module of the user's runs here. Whatever it does, the motors let go before the thread ends.
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
process.exit = (code) => {
  throw new Error(`a device called process.exit(${code ?? ''}); throw an error instead`);
};

parent.on('message', (message: ToDevices) => {
  if (message.kind === 'begin') startMs = message.startMs;
  else letGo(null);
});
const ticker = setInterval(tick, TICK_MS);
open().catch(fail);

async function open(): Promise<void> {
  for (const request of requests) {
    const link = await connect(request);
    links.push(link);
    // The end came while it was being opened.
    if (isEnding) await link.close();
  }
  if (serve) await openServers(serve);
  if (!isEnding) tell({ kind: 'ready', links: links.map(({ name, limits }) => ({ name, limits })) });
}

async function connect({ kind, address, limits, silentAfter, port }: LinkRequest): Promise<DeviceLink> {
  const common = { port: openPortHost(port), onLog: log, ...(limits && { limits }) };
  if (kind === 'haply') return connectHaply({ ...common, ...parseHaplyAddress(haplyDevice(address)) });
  if (kind === 'module') return connectModule(address, common);
  return connectVrpn({ ...common, ...parseVrpnAddress(address), ...(silentAfter !== null && { silentAfter }) });
}

async function openServers({ tools, port, rows }: ServeRequest): Promise<void> {
  for (const [index, name] of tools.entries()) {
    servers.push(await serveVrpn({ name, port: port + index, onLog: log }));
  }
  const reader = createRingReader(rows);
  const row = new Float64Array(rows.width);
  const hasSpoken = tools.map(() => false);
  setInterval(() => {
    while (startMs !== null && !isEnding && reader.read(row)) {
      const hand = cellOf(row, 'hand');
      hasSpoken[hand] ||= cellOf(row, 'fresh') === 1;
      // Before the device has spoken there is no tool to show.
      if (hasSpoken[hand]) show(servers[hand]!, row, startMs);
    }
  }, SERVE_MS);
}

const POSE = ['tpx', 'tpy', 'tpz', 'tqx', 'tqy', 'tqz', 'tqw'] as const;
const WRENCH = ['fx', 'fy', 'fz', 'tx', 'ty', 'tz'] as const;

/** One cycle of one hand, with its own time. */
function show(server: VrpnServer, row: Float64Array, zeroMs: number): void {
  const timeMs = zeroMs + 1000 * cellOf(row, 'time');
  const cells = (columns: readonly LiveColumn[]) => columns.map((column) => cellOf(row, column));
  server.setPose(cells(POSE), cellOf(row, 'buttons'), timeMs);
  server.setWrench(cells(WRENCH), timeMs);
}

function tick(): void {
  links.forEach(({ state }, link) => {
    if (states[link] !== state) tell({ kind: 'state', link, state });
    states[link] = state;
  });
  if (requests.some(({ port }) => portHaltFade(port) > 0)) letGo(null);
}

function fail(error: unknown): void {
  letGo(reportable(error));
}

/** The first call counts: what fails while everything ends is a consequence. */
function letGo(error: ReportedError | null): void {
  if (isEnding) return;
  isEnding = true;
  const fades = links.map(({ limits }, index) => {
    haltPort(requests[index]!.port, fadeMsOf(limits));
    return portHaltFade(requests[index]!.port);
  });
  setTimeout(() => void hangUp(error), Math.max(0, ...fades) + TICK_MS);
}

async function hangUp(error: ReportedError | null): Promise<void> {
  clearInterval(ticker);
  const closing = [...links, ...servers].map(async (one) => one.close());
  // Zero is sent in the very call of `close`; what it then waits for is only the other side's farewell.
  const cell = new Int32Array(released);
  Atomics.store(cell, 0, 1);
  Atomics.notify(cell, 0);
  let problem = error;
  const ended = Promise.allSettled(closing).then((results) => {
    for (const result of results) if (result.status === 'rejected') problem ??= reportable(result.reason);
  });
  await settledWithin(ended, CLOSING_MS);
  tell({ kind: 'closed', error: problem });
}

function reportable(error: unknown): ReportedError {
  if (isPalpableError(error)) return { code: error.code, message: error.message, path: error.path };
  const where = error instanceof Error ? placeOf(error) : '';
  const what = error instanceof Error ? error.message : String(error);
  const isOwn = requests.some(({ kind }) => kind === 'module');
  const whose = isOwn ? 'The module of a device failed' : 'The device thread failed';
  return { code: isOwn ? 'option-invalid' : 'worker-failed', message: `${whose}: ${what}${where}.`, path: undefined };
}

/** File and line of where it was thrown. */
function placeOf({ stack = '' }: Error): string {
  const place = /\n\s+at (?:.*\()?(?:file:\/\/)?(.+?:\d+):\d+\)?/.exec(stack)?.[1];
  return place === undefined ? '' : ` (${place})`;
}
