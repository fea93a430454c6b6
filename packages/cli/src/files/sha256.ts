import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Of some pieces of bytes one after the other, as hexadecimal digits. */
export function sha256(...pieces: Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/** Of a file of any size. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}
