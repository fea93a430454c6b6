/**
 * What the studio shows, in the words of the scene file: the same keys, plus what only a page needs (a sentence for the
 * reader, addresses of files, names of things).
 */
export interface StudioBody {
  /** What the thing is called in sentences ("the bunny") and in the scene file. */
  readonly label: string;
  /** Address of the mesh file, seen from the page. */
  readonly meshUrl: string;
  readonly meshFileName: string;
  /** Name of the prepared asset in the folder `assets` beside the page; it need not exist. */
  readonly assetName: string;
  /** Metres per unit of the file. */
  readonly scale: number;
  readonly position: readonly [number, number, number];
  /** Unit quaternion x, y, z, w. */
  readonly rotation: readonly [number, number, number, number];
  /** Points of the surface, on the body that carries the shell. */
  readonly shell?: { readonly count: number; readonly seed: number };
  /** Voxels along the longest side, on the body that carries the field. */
  readonly field?: { readonly resolution: number };
}

/** What a scene file holds, as far as the page changes it; the loop checks all of it. */
export interface SceneFile {
  readonly palpable: number;
  readonly method?: object;
  readonly friction?: object;
}

export interface StudioScene {
  readonly file: SceneFile;
  readonly name: string;
  readonly explanation: string;
  readonly tool: StudioBody;
  readonly environment: StudioBody;
  /** Contacts kept at most; the deepest and best spread ones. */
  readonly maxContacts: number;
}
