import { createHash } from 'node:crypto';

/** Of some pieces of bytes one after the other, as hexadecimal digits. */
export function sha256(...pieces: Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}
