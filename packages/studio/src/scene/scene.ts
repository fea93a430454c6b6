/**
 * A scene as the studio shows it: what the scene file holds, the same checked, and what only a page needs (a sentence for
 * the reader, where the meshes come from, whether something was prepared).
 */
import type { LengthUnit, PrepareOptions, Scene } from '@palpable/engine';
import type { SceneMesh } from '@palpable/engine/advanced';

/** Where the mesh of a body comes from. */
export type MeshSource =
  /** A file on the host; the address is seen from the page. */
  | { readonly kind: 'address'; readonly url: string; readonly fileName: string }
  /** A shape or a model of the engine. */
  | { readonly kind: 'built-in'; readonly mesh: Exclude<SceneMesh, string> }
  /** A file that the user brought; `second` is the other one where TetGen keeps a mesh in two. */
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      readonly fileName: string;
      readonly second?: Uint8Array | undefined;
    };

/** All that the thread needs that makes a body ready. Can be sent to a worker. */
export interface StudioBody {
  /** What the thing is called in sentences ("the bunny") and in the scene file. */
  readonly label: string;
  readonly source: MeshSource;
  readonly unit: LengthUnit | null;
  /** A further factor on all coordinates. */
  readonly scale: number;
  /** m */
  readonly position: readonly [number, number, number];
  /** Unit quaternion x, y, z, w. */
  readonly rotation: readonly [number, number, number, number];
  /** Which of field, shell, hierarchy and elasticity it needs, and how fine. */
  readonly plan: PrepareOptions;
  /** Name of the prepared asset in the folder `assets` beside the page; undefined where none was made. */
  readonly assetName: string | undefined;
}

/** What to show and where to put the floor when all is at home, metres in the world. */
export interface StudioView {
  /** m */
  readonly centre: readonly [number, number, number];
  /** m */
  readonly radius: number;
  /** Height, m. */
  readonly floor: number;
}

export interface StudioScene {
  /** In the address of the page: that of the gallery, or one that this tab made up. */
  readonly id: string;
  /** What the scene file holds. */
  readonly value: unknown;
  readonly scene: Scene;
  readonly name: string;
  readonly explanation: string;
  /** The one that moves with the device: the scene's first. */
  readonly tool: StudioBody;
  /** All others, in the order of the scene. */
  readonly environments: readonly StudioBody[];
  /** The first of them, which a slice is cut through. */
  readonly environment: StudioBody;
  /** Contacts shown at most; the deepest and best spread ones. */
  readonly maxContacts: number;
  /** Undefined: as the bodies lie. */
  readonly view: StudioView | undefined;
  /** What the page does differently from what the file says, in sentences. */
  readonly notes: readonly string[];
}

/** Names of the files that the user brought. */
export function broughtFiles({ tool, environments }: StudioScene): string[] {
  return [tool, ...environments].flatMap(({ source }) => (source.kind === 'bytes' ? source.fileName : []));
}
