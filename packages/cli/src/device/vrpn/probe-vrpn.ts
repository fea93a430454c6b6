import { connect } from 'node:net';
import { VrpnConnection } from './connection.js';

export interface VrpnAnswer {
  /** Devices, and what the server calls itself. */
  readonly senders: string[];
  readonly types: string[];
}

/** A server names everything at once; when it has been still for so long, that was all. */
const STILL_MS = 150;
const PROBE_NAME = 'palpable devices';

/** What a VRPN server has to offer; null where none answers in time. */
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
    const connection = new VrpnConnection(connect({ host, port }), PROBE_NAME, {
      onReady: () => {
        isReady = true;
        waitForMore();
      },
      onDescription: (kind, name) => {
        (kind === 'sender' ? senders : types).add(name);
        waitForMore();
      },
      onClosed: () => {
        clearTimeout(still);
        clearTimeout(limit);
        resolve(isReady ? { senders: [...senders], types: [...types] } : null);
      },
    });
    const limit = setTimeout(() => connection.abort('out of time'), timeoutMs);
  });
}
