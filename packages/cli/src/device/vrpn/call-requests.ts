import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';

export interface CallRequests {
  close(): void;
}

export interface CallRequestEvents {
  onRequest(host: string, port: number): void;
  /** Requests cannot be heard (any more). */
  onFailure(reason: string): void;
}

/**
 * How VRPN usually connects: a client listens on a TCP port of its own and asks by datagram, `"host port"`, to be called
 * there. (With `tcp://` in its address it calls by itself instead.) The host in the text is ignored: only
 * whoever asks is called, so that nobody can point us at somebody else.
 */
export function hearCallRequests(host: string, port: number, events: CallRequestEvents): CallRequests {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  let isOpen = true;
  const close = () => {
    if (isOpen) socket.close();
    isOpen = false;
  };
  socket.on('message', (text, from) => {
    const wanted = /^\S+ (\d{1,5})\0?\s*$/.exec(text.toString('latin1'));
    const wantedPort = Number(wanted?.[1] ?? 0);
    if (wantedPort > 0 && wantedPort < 65_536) events.onRequest(from.address, wantedPort);
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    close();
    events.onFailure(error.code ?? error.message);
  });
  socket.bind(port, host);
  return { close };
}
