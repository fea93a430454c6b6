import type { TriangleMesh } from '@palpable/engine';

/*
 * What all other libraries are given, and what is asked of them. Each does one step under the force and torque of the
 * coupling; everything around that — coupling, motion, check, statistics — is the same code for all.
 */

/** A convex piece, in the frame of its part, m. */
export type Piece =
  | { readonly kind: 'box'; readonly centre: Triple; readonly half: Triple }
  /** Along z, about the origin; `half` without its ends. */
  | { readonly kind: 'capsule'; readonly radius: number; readonly half: number }
  | { readonly kind: 'hull'; readonly points: Float64Array };

export type Triple = readonly [number, number, number];

/** A shape in two forms. */
export interface PeerPart {
  readonly mesh: TriangleMesh;
  /** Exact where the scene knows them, else hulls that V-HACD found. */
  readonly pieces: readonly Piece[];
  readonly isExact: boolean;
}

export interface PeerTask {
  /** About its centre of mass. */
  readonly tool: PeerPart;
  /** Where it stands; it does not move. */
  readonly body: PeerPart;
  readonly friction: number;
  /** Of the tool, kg, and the same about all axes, kg m². */
  readonly mass: number;
  readonly inertia: number;
  /** s */
  readonly timeStep: number;
}

export type PeerForm = 'mesh' | 'pieces';

/** In which forms the parts are given. */
export interface PeerForms {
  readonly tool: PeerForm;
  readonly body: PeerForm;
}

/** Position, quaternion x, y, z, w, velocity, angular velocity: of the tool's centre of mass, world frame. */
export type PeerState = Float64Array;
export const STATE_SIZE = 13;
export const STATE_VELOCITY = 7;
export const STATE_TURNING = 10;

export interface PeerWorld {
  /** Applies force (N) and torque (N m), world frame, and does one step: microseconds of that call alone. */
  step(wrench: Float64Array): number;
  read(state: PeerState): void;
  /** Points of contact of the last step; a world that was made without `counting` may say 0. */
  contacts(): number;
  dispose(): void;
}

export interface PeerWorldOptions {
  readonly forms: PeerForms;
  /** The tool's centre of mass and orientation at the start, at rest. */
  readonly start: Float64Array;
  /** Whether contacts are asked for, where that costs time within the step. */
  readonly counting: boolean;
}

/** A library that is there. */
export interface Peer {
  /** Forms that it takes; `isExact` of the parts. */
  forms(isExact: boolean): readonly PeerForms[];
  createWorld(task: PeerTask, options: PeerWorldOptions): PeerWorld;
}

export interface PeerLibrary {
  readonly name: string;
  readonly package: string;
  /** With which it was measured. */
  readonly version: string;
  /** Rejects if it is not installed. */
  readonly load: () => Promise<Peer>;
}

/** A package that may be missing: neither it nor its types are there when the lab is built. */
export async function importPeer<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module;
}

export function timeStepCall(call: () => void): number {
  const started = performance.now();
  call();
  return (performance.now() - started) * 1000;
}

/** Corners of a mesh as single-precision numbers, which is what most take. */
export function floatPositions({ positions }: TriangleMesh): Float32Array {
  return Float32Array.from(positions);
}

export function cornersOf(piece: Extract<Piece, { kind: 'hull' }>): Triple[] {
  const { points } = piece;
  return Array.from({ length: points.length / 3 }, (_, n) => [points[3 * n]!, points[3 * n + 1]!, points[3 * n + 2]!]);
}
