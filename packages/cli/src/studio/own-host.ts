import { isIP } from 'node:net';

/**
 * Whether a request means this server. A page elsewhere can give its own name the address of this machine (DNS
 * rebinding) and would then be let in as if it were ours; only the `Host` that the browser sends tells. Names of this
 * machine alone are right when it listens for itself; when the user opened it to the network, so is any address of it.
 */
export function isOwnHost(header: string | undefined, listening: string): boolean {
  // HTTP/1.0 has no such header, and no browser speaks it.
  if (header === undefined) return true;
  const name = nameOf(header);
  if (isLoopback(name) || name === nameOf(listening)) return true;
  return !isLoopback(nameOf(listening)) && isIP(name) !== 0;
}

/** Without port, brackets and the dot at the end. */
function nameOf(host: string): string {
  if (isIP(host) === 6) return host.toLowerCase();
  const inBrackets = /^\[([^\]]*)\](?::\d*)?$/.exec(host);
  return (inBrackets?.[1] ?? host.replace(/:\d*$/, '').replace(/\.$/, '')).toLowerCase();
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
