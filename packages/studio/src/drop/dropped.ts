/** What is going on with files that the user brought, as signals for the dialog. */
import { isPalpableError } from '@palpable/engine';
import { signal } from '@preact/signals';
import { openScene } from '../app/scene-store.js';
import { guessRoles, guessUnit, type Part } from './part.js';
import { readFiles } from './read-files.js';

export type Dropped =
  | { readonly kind: 'reading'; readonly names: readonly string[] }
  | { readonly kind: 'parts'; readonly parts: readonly Part[] }
  | { readonly kind: 'refused'; readonly text: string };

export const dropped = signal<Dropped | undefined>(undefined);
export const isDropOpen = signal(false);

let reading: AbortController | undefined;

/** Reads the files and asks what to do with them; a scene file is opened at once. Never throws. */
export async function takeFiles(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  reading?.abort();
  const own = new AbortController();
  reading = own;
  dropped.value = { kind: 'reading', names: files.map(({ name }) => name) };
  isDropOpen.value = true;
  try {
    const read = await readFiles(files, own.signal);
    if (own.signal.aborted) return;
    if (read.kind === 'scene') {
      isDropOpen.value = false;
      openScene(read.scene);
      return;
    }
    const roles = guessRoles(read.parts);
    const parts = read.parts.map((part, index) => ({ ...part, unit: guessUnit(part), role: roles[index]! }));
    dropped.value = { kind: 'parts', parts };
  } catch (error) {
    if (own.signal.aborted) return;
    const text = isPalpableError(error) ? error.message : `The files cannot be read (${String(error)}).`;
    dropped.value = { kind: 'refused', text };
  }
}

/** Forgets the files; the scene on the stage stays. */
export function dismissFiles(): void {
  reading?.abort();
  isDropOpen.value = false;
}

/** Files may be dropped anywhere on the page; `onOver` hears whether some hang over it. */
export function listenToDrops(onOver: (isOver: boolean) => void): void {
  const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    onOver(true);
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) onOver(false);
  });
  addEventListener('drop', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    onOver(false);
    void takeFiles([...event.dataTransfer!.files]);
  });
}
