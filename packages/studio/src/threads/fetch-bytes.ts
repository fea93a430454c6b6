/** Fetches a file and tells how far it is. */
import { PalpableError } from '@palpable/engine';

/**
 * The bytes at `url`; undefined when the host has no such file. `onFraction` gets undefined while the length is unknown
 * (the host compresses on the way, so what it announces is not what arrives).
 */
export async function fetchBytes(
  url: string,
  onFraction: (fraction: number | undefined) => void,
): Promise<Uint8Array | undefined> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch {
    throw new PalpableError('file-unreadable', 'The host did not answer; check the connection and try again.').at(
      nameOf(url),
    );
  }
  if (response.status === 404) return undefined;
  // Many static hosts answer every unknown address with their start page.
  if (response.headers.get('Content-Type')?.startsWith('text/html')) return undefined;
  if (!response.ok || !response.body) {
    throw new PalpableError('file-unreadable', `The host answered with status ${response.status}.`).at(nameOf(url));
  }
  return readAll(response, response.body, onFraction);
}

async function readAll(
  response: Response,
  body: ReadableStream<Uint8Array>,
  onFraction: (fraction: number | undefined) => void,
): Promise<Uint8Array> {
  const announced = response.headers.has('Content-Encoding') ? 0 : Number(response.headers.get('Content-Length'));
  const parts: Uint8Array[] = [];
  let received = 0;
  const reader = body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    received += next.value.length;
    onFraction(announced > 0 ? Math.min(1, received / announced) : undefined);
  }
  const bytes = new Uint8Array(received);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

function nameOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
