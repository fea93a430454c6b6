/** The files that a scene of the user's own is made from. */
import type { MeshSource } from '../scene/scene.js';
import type { SceneBefore } from './compose-scene.js';
import type { Part } from './part.js';

type BytesSource = Extract<MeshSource, { kind: 'bytes' }>;

/** Those that the scene on the stage was made from stay with it; the new ones come on top. */
export function broughtSources(
  { bodies }: Pick<SceneBefore, 'bodies'>,
  parts: readonly Part[],
): ReadonlyMap<string, BytesSource> {
  const files = new Map<string, BytesSource>();
  for (const { source } of bodies) if (source.kind === 'bytes') files.set(source.fileName, source);
  for (const { fileName, bytes, second } of parts) files.set(fileName, { kind: 'bytes', bytes, fileName, second });
  return files;
}
