import { connect } from 'node:net';
import { VrpnConnection } from './connection.js';
import { EMPTY_PAYLOAD, VRPN_TYPE } from './payloads.js';
import { isVrpnName } from './wire.js';

export interface VrpnAnswer {
  /** Devices, what the server calls itself, and every name that a client has ever asked it for. */
  readonly senders: string[];
  /** Those of them that have sent something, if only the answer to a ping: the devices that are there. */
  readonly heard: string[];
  readonly types: string[];
}

/** A server names everything at once; when it has been still for so long, that was all. */
const STILL_MS = 150;

/**
 * What a VRPN server has to offer; null where none answers in time. It has no name of its own, which the server would
 * remember. Each name is pinged under that name: VRPN's devices answer, and nobody does for a name without a device.
 */
export function probeVrpn(host: string, port: number, timeoutMs: number): Promise<VrpnAnswer | null> {
  return new Promise((resolve) => {
    const senders = new Set<string>();
    const types = new Set<string>();
    let isReady = false;
    let still: NodeJS.Timeout | undefined;
    const waitForMore = () => {
      clearTimeout(still);
      still = setTimeout(() => connection.abort('seen enough'), STILL_MS);
    };
    const connection = new VrpnConnection(connect({ host, port }), null, {
      onReady: () => {
        isReady = true;
        waitForMore();
      },
      onDescription: (kind, name) => {
        (kind === 'sender' ? senders : types).add(name);
        if (kind === 'sender' && isSpeakable(name)) connection.send(name, [[VRPN_TYPE.ping, EMPTY_PAYLOAD]]);
        waitForMore();
      },
      onClosed: () => {
        clearTimeout(still);
        clearTimeout(limit);
        resolve(isReady ? { senders: [...senders], heard: [...connection.heard], types: [...types] } : null);
      },
    });
    const limit = setTimeout(() => connection.abort('out of time'), timeoutMs);
  });
}

/** A name that was not UTF-8 cannot be written as it came, and the server would remember what we made of it. */
function isSpeakable(name: string): boolean {
  return isVrpnName(name) && !name.includes('\ufffd');
}
