import { readFile } from 'node:fs/promises';
import { SocketAddress } from 'node:net';

/** Both ends of a TCP connection, as we see it. */
export interface TcpEnds {
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}

/** Bytes that the system holds for one connection. */
export interface SocketQueues {
  /** Sent by us and not confirmed by the other machine. */
  readonly unconfirmed: number;
  /** Received for the peer and not read by it; null when the peer is on another machine. */
  readonly unread: number | null;
}

/** The text of the system's table of sockets, with a line for each; empty where the system has none. */
export type ReadSocketTable = () => Promise<string>;

/** Linux has one for each version of IP; elsewhere there is nothing to read. */
export async function readSocketTable(): Promise<string> {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'latin1').catch(() => ''));
  return (await Promise.all(tables)).join('\n');
}

/** Number in the line, local address, remote address, state, and the two queues; all in base 16. */
const LINE = /^\s*\d+: ([0-9A-F]+:[0-9A-F]{4}) ([0-9A-F]+:[0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]+):([0-9A-F]+) /gm;

/** What the table says of a connection; null when it is not in there. */
export function findQueues(table: string, ends: TcpEnds): SocketQueues | null {
  const local = endOf(ends.localAddress, ends.localPort);
  const remote = endOf(ends.remoteAddress, ends.remotePort);
  const [localPort, remotePort] = [hexPort(ends.localPort), hexPort(ends.remotePort)];
  let unconfirmed: number | null = null;
  let unread: number | null = null;
  for (const [, from, to, sent, received] of table.matchAll(LINE)) {
    // Of thousands of lines only these two are worth parsing.
    if (from.endsWith(localPort) && to.endsWith(remotePort)) {
      if (endOfHex(from) === local && endOfHex(to) === remote) unconfirmed = Number.parseInt(sent, 16);
    }
    if (from.endsWith(remotePort) && to.endsWith(localPort)) {
      if (endOfHex(from) === remote && endOfHex(to) === local) unread = Number.parseInt(received, 16);
    }
  }
  return unconfirmed === null ? null : { unconfirmed, unread };
}

function hexPort(port: number): string {
  return `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** One spelling for every address; an IPv4 address within IPv6 is the same as without. */
function endOf(address: string, port: number): string {
  const plain = address.replace(/%.*$/, '');
  const canonical = plain.includes(':') ? new SocketAddress({ address: plain, family: 'ipv6' }).address : plain;
  return `${canonical.replace(/^::ffff:(?=[\d.]+$)/, '')} ${port}`;
}

/** Each 32 bits stand in the machine's own byte order, which on all machines that matter is little-endian. */
function endOfHex(end: string): string {
  const [hex, port] = end.split(':');
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => [6, 4, 2, 0].map((at) => word.slice(at, at + 2)));
  const address =
    bytes.length === 4
      ? bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
      : bytes
          .map((byte, k) => (k % 2 === 0 ? byte : `${byte}:`))
          .join('')
          .slice(0, -1);
  return endOf(address, Number.parseInt(port, 16));
}
