/** What is going on with files that the user brought, as signals for the dialog. */
import { isPalpableError } from '@palpable/engine';
import { signal } from '@preact/signals';
import { openScene } from '../app/scene-store.js';
import { guessRoles, guessUnit, type Part, type ReadPart } from '../drop/part.js';
import type { ReadProgress } from '../drop/read-part.js';
import { readFiles } from './read-files.js';

export type FileProgress = ReadProgress & { readonly name: string };

export type Dropped =
  | { readonly kind: 'reading'; readonly files: readonly FileProgress[] }
  | { readonly kind: 'parts'; readonly parts: readonly Part[]; readonly leftOut: readonly string[] }
  /** `readable`: those of the files that could be read. */
  | { readonly kind: 'refused'; readonly text: string; readonly readable: readonly Part[] };

export const dropped = signal<Dropped | undefined>(undefined);
export const isDropOpen = signal(false);

let reading: AbortController | undefined;

/**
 * Reads the files and asks what to do with them; a scene file is opened at once. Never throws.
 *
 * @param folders names of folders among them
 */
export async function takeFiles(files: readonly File[], folders: readonly string[] = []): Promise<void> {
  if (files.length + folders.length === 0) return;
  reading?.abort();
  const own = new AbortController();
  reading = own;
  dropped.value = { kind: 'reading', files: [] };
  isDropOpen.value = true;
  const onProgress = (name: string, progress: ReadProgress) => {
    if (!own.signal.aborted) noteProgress({ name, ...progress });
  };
  try {
    const read = await readFiles(files, folders, { signal: own.signal, onProgress });
    if (own.signal.aborted) return;
    if (read.kind === 'scene') {
      isDropOpen.value = false;
      openScene(read.scene);
      return;
    }
    const parts = guessChoices(read.parts);
    const text = read.problems.join('\n');
    if (text === '') dropped.value = { kind: 'parts', parts, leftOut: read.leftOut };
    else dropped.value = { kind: 'refused', text, readable: parts };
  } catch (error) {
    if (own.signal.aborted) return;
    // The files that are still being read belong to nothing any more.
    own.abort();
    const text = isPalpableError(error) ? error.message : `The files cannot be read (${String(error)}). Try again.`;
    dropped.value = { kind: 'refused', text, readable: [] };
  }
}

/** Forgets the files; the scene on the stage stays. */
export function dismissFiles(): void {
  reading?.abort();
  isDropOpen.value = false;
}

function guessChoices(read: readonly ReadPart[]): Part[] {
  // Whoever brings tetrahedra has an elastic body in mind.
  const parts = read.map((part) => ({ ...part, unit: guessUnit(part), isSoft: part.format === 'tetrahedra' }));
  const roles = guessRoles(parts);
  return parts.map((part, index) => ({ ...part, role: roles[index]! }));
}

/** In the order in which the files were brought. */
function noteProgress(file: FileProgress): void {
  const state = dropped.value;
  if (state?.kind !== 'reading') return;
  const index = state.files.findIndex(({ name }) => name === file.name);
  const files = index < 0 ? [...state.files, file] : state.files.with(index, file);
  dropped.value = { kind: 'reading', files };
}

/** Files may be dropped anywhere on the page; `onOver` hears whether some are held over it. */
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
    const { files, items } = event.dataTransfer!;
    void takeFiles([...files], foldersAmong(items));
  });
}

/** Only while the event is being handled is this known. */
function foldersAmong(items: DataTransferItemList): string[] {
  return [...items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry?.isDirectory ? entry.name : [];
  });
}
