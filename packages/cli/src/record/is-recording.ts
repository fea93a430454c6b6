import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { LIVE_COLUMNS } from '@palpable/engine/advanced';
import { isMcap } from './read-mcap.js';

const HEAD_BYTES = 4096;

/** Whether a file is a recording rather than a result, by its beginning. What cannot be read is neither. */
export function isRecording(path: string): boolean {
  return isMcapFile(path) || isLiveCsv(path);
}

/** By its first bytes; the name may say anything. */
export function isMcapFile(path: string): boolean {
  return isMcap(headOf(path));
}

function isLiveCsv(path: string): boolean {
  const columns = headOf(path).toString('utf8').split('\n', 1)[0]!.split(',');
  return LIVE_COLUMNS.every((name) => columns.includes(name));
}

/** Empty for what cannot be read, so that reading it says why. */
function headOf(path: string): Buffer {
  try {
    // Opening a pipe would wait for ever.
    if (!statSync(path).isFile()) return Buffer.alloc(0);
    const file = openSync(path, 'r');
    const head = Buffer.alloc(HEAD_BYTES);
    const length = readSync(file, head, 0, HEAD_BYTES, 0);
    closeSync(file);
    return head.subarray(0, length);
  } catch {
    return Buffer.alloc(0);
  }
}
