import { parseHaplyAddress } from '../device/haply/haply-address.js';
import { probeHaply } from '../device/haply/haply-client.js';
import { probeVrpn } from '../device/vrpn/probe-vrpn.js';
import { parseVrpnAddress } from '../device/vrpn/vrpn-address.js';
import { DEVICE_KINDS } from '../servo/device-request.js';
import { printJson } from '../terminal/json.js';
import { positiveNumber } from '../terminal/option-values.js';
import { printTable } from '../terminal/table.js';
import type { CommandDefinition } from './command.js';

/** One device that answered, or a place where none did. */
interface FoundDevice {
  readonly kind: string;
  /** As it is written after `--device`; null where nothing answered. */
  readonly device: string | null;
  readonly note: string;
}

export const devicesCommand: CommandDefinition<[], { vrpn?: string; haply?: string; seconds: number }> = {
  usage: 'devices',
  summary: 'list the devices that answer, as you write them after --device',
  examples: ['palpable devices', 'palpable devices --vrpn lab-pc:3883'],
  options: (command) =>
    command
      .option('--vrpn <host:port>', 'where to look for a VRPN server (default: localhost:3883)')
      .option('--haply <url>', 'where to look for a Haply service (default: ws://localhost:10001)')
      .option('--seconds <number>', 'how long to wait for an answer', positiveNumber, 2),
  async run({ stdout, json }, { vrpn = 'localhost:3883', haply, seconds }) {
    const timeoutMs = 1000 * seconds;
    const found = [
      { kind: 'simulated', device: 'simulated', note: DEVICE_KINDS.simulated },
      { kind: 'replay', device: 'replay:FILE', note: DEVICE_KINDS.replay },
      ...(await Promise.all([findVrpn(vrpn, timeoutMs), findHaply(haply, timeoutMs)])).flat(),
    ];
    if (json) {
      printJson({ devices: found }, stdout);
      return undefined;
    }
    printTable(
      found.map(({ kind, device, note }) => ({ device: device ?? `(${kind})`, 'what it is': note })),
      stdout,
    );
    stdout.write('In the studio also: mouse and keyboard, SpaceMouse, gamepad, WebXR.\n');
    return undefined;
  },
};

/** Under which earlier versions of this command asked; servers that run since then still have it. */
const OLD_PROBE_NAME = 'palpable devices';

async function findVrpn(place: string, timeoutMs: number): Promise<FoundDevice[]> {
  const { host, tcpPort } = parseVrpnAddress(`any@${place}`);
  const answer = await probeVrpn(host, tcpPort, timeoutMs);
  if (!answer) return [{ kind: 'vrpn', device: null, note: `no VRPN server answers at ${host}:${tcpPort}` }];
  const names = answer.senders.filter((name) => !name.startsWith('VRPN ') && name !== OLD_PROBE_NAME);
  if (names.length === 0) return [{ kind: 'vrpn', device: null, note: `the VRPN server at ${place} lists no device` }];
  const isHeard = (name: string) => answer.heard.includes(name);
  // The devices that are there first: a VRPN server also remembers every name that a client has ever asked for.
  return [...names.filter(isHeard), ...names.filter((name) => !isHeard(name))].map((name) => ({
    kind: 'vrpn',
    device: `vrpn:${name}@${place}`,
    note: isHeard(name) ? 'named by a VRPN server' : 'named by the server, nothing heard from it',
  }));
}

async function findHaply(given: string | undefined, timeoutMs: number): Promise<FoundDevice[]> {
  const { url } = parseHaplyAddress(given === undefined ? 'haply' : `haply:${given}`);
  const ids = await probeHaply(url, timeoutMs);
  if (!ids) return [{ kind: 'haply', device: null, note: `no Haply service answers at ${url}` }];
  if (ids.length === 0) return [{ kind: 'haply', device: null, note: `the Haply service at ${url} has no Inverse3` }];
  return ids.map((id) => ({ kind: 'haply', device: `haply:${url}#${id}`, note: 'an Inverse3' }));
}
