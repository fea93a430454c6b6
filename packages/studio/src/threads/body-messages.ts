/** What the page and a body's thread say to each other. */
import type { ErrorCode, PreparedBody } from '@palpable/engine';
import type { ShadedMesh } from '../scene/creased-normals.js';
import type { StudioBody } from '../scene/scene.js';

/** A body ready to touch: what a prepared asset holds, or what was built in its place. */
export interface LoadedBody {
  readonly prepared: PreparedBody;
  /** Point that rotations turn about, body frame: the centre of mass. */
  readonly centre: readonly [number, number, number];
  readonly origin: 'asset' | 'built';
}

/** A rectangle in the body frame, sampled at the middles of `columns` × `rows` cells. */
export interface SlicePlane {
  readonly corner: readonly [number, number, number];
  readonly along: readonly [number, number, number];
  readonly up: readonly [number, number, number];
  readonly columns: number;
  readonly rows: number;
}

export interface LoadRequest {
  readonly body: StudioBody;
  /** Address of the page, which the addresses of files are relative to; a worker's own is another one. */
  readonly pageUrl: string;
  /** Build field and shell even where a prepared asset exists. */
  readonly ignoreAsset: boolean;
}

export type ToBodyThread =
  | { readonly kind: 'load'; readonly request: LoadRequest }
  | { readonly kind: 'slice'; readonly plane: SlicePlane };

export type FromBodyThread =
  | { readonly kind: 'progress'; readonly stage: string; readonly fraction: number | undefined }
  | { readonly kind: 'mesh'; readonly mesh: ShadedMesh }
  | { readonly kind: 'loaded'; readonly body: LoadedBody }
  | { readonly kind: 'slice'; readonly plane: SlicePlane; readonly distances: Float32Array }
  | { readonly kind: 'failed'; readonly code: ErrorCode | undefined; readonly message: string };
