import type { IncomingMessage } from 'node:http';
import type { StaticFile } from './static-files.js';

/** First and last byte of a part. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of a file that a GET asks for; undefined means all of it: without `Range`, for several parts at once, for what
 * cannot be read, and when `If-Range` names another version of the file.
 */
export function rangeOf(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { size, etag }: Pick<StaticFile, 'size' | 'etag'>,
): ByteRange | 'unsatisfiable' | undefined {
  const wanted = /^bytes=(\d*)-(\d*)$/.exec(headers.range?.replace(/\s/g, '') ?? '');
  const known = headers['if-range'];
  if (method !== 'GET' || !wanted || (known !== undefined && known !== etag)) return undefined;
  const [from, to] = [wanted[1]!, wanted[2]!];
  if (from === '') return to === '' ? undefined : lastBytes(Number(to), size);
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < start) return undefined;
  return start < size ? { start, end } : 'unsatisfiable';
}

function lastBytes(count: number, size: number): ByteRange | 'unsatisfiable' {
  return count > 0 && size > 0 ? { start: Math.max(0, size - count), end: size - 1 } : 'unsatisfiable';
}
