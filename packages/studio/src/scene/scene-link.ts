/** A scene as text for the end of an address: its JSON in base64url, which every browser and chat program leaves alone. */
import { PalpableError } from '@palpable/engine';

/** Longer addresses are cut off by programs that pass them on. */
export const LONGEST_LINK = 30_000;

export function encodeScene(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Throws a `PalpableError` when the text is none that `encodeScene` wrote. */
export function decodeScene(text: string): unknown {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new PalpableError(
      'format-invalid',
      'The link does not hold a complete scene; perhaps it was cut off. Ask for the link again, or for the scene as a file.',
      'scene',
    );
  }
}
