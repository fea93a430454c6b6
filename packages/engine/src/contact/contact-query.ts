import type { DistanceField } from '../field/distance-field.js';
import type { PointShell } from '../shell/point-shell.js';
import type { FacePairs } from './face-pairs.js';

/**
 * What a query of shell against field needs besides the poses: its settings, its scratch memory and its counters.
 * Made once per pair of bodies; `queryContacts` then works without allocation.
 */

/** Which of the two bodies moves with the device. */
export type ShellOwner = 'tool' | 'environment';

/** Limits of a contact query and who carries the shell. */
export interface ContactQueryOptions {
  /** Who carries the shell; the other one has the field. It decides which way contacts push. */
  readonly shellOn: ShellOwner;
  /** Points this far outside the zero surface are reported as well, metres; 0 unless given. */
  readonly margin?: number;
  /**
   * Whether contacts count only as deep as they surely are, and not at all where the field is rough; not unless given.
   * Interpolation rounds what is bent within a voxel: it fills notches, and what touches their walls seems to be inside.
   */
  readonly isCautious?: boolean;
  /** The same for edges and corners of the shell that lie in notches alone, where the faces beside them bear the load. */
  readonly doubtsEdges?: boolean;
  /**
   * The query the other way round, where flat faces that lie on each other need not be queried point by point
   * (`face-pairs.ts`); always query that one after this one, at the same poses.
   */
  readonly mirror?: ContactQuery;
  /** No more contacts than this; beyond, the finest level that still fits is thinned to its deepest points. */
  readonly maxContacts?: number;
  /** No more points than this are sampled in one query; the most promising ones go first. */
  readonly maxVisited?: number;
}

/** Numbers of the last query. Bits of `capped`: 1 contacts, 2 visited points. */
export interface ContactCounters {
  /** Points that were sampled. */
  visited: number;
  /** Points that were not sampled, because a point above them was too far from the surface. */
  culled: number;
  capped: number;
  /** 1 if the last poses held a number that is not finite; there are no contacts then. */
  badPose: number;
}

/** Bit of `ContactQuery.counters.capped` and `MethodOutput.capped`: more contacts were found than `maxContacts`. */
export const CAPPED_CONTACTS = 1;
/** Bit of `ContactQuery.counters.capped` and `MethodOutput.capped`: the query ended at `maxVisited` points. */
export const CAPPED_VISITED = 2;

/** A shell and a field that are tested against each other every cycle, with the memory this needs. */
export interface ContactQuery {
  /** The points that are tested. */
  readonly shell: PointShell;
  /** What they are tested against. */
  readonly field: DistanceField;
  readonly shellOn: ShellOwner;
  /** Metres outside the zero surface. */
  readonly margin: number;
  /** The same for the next query alone: no more than `margin`, and that unless a method sets it, m. */
  within: number;
  /** Most contacts that a query reports. */
  readonly maxContacts: number;
  /** Most points that a query samples. */
  readonly maxVisited: number;
  /** Of the last query. */
  readonly counters: ContactCounters;
  /** Largest difference between a value interpolated from exact nodes of a brick and the true distance, metres. */
  readonly brickError: number;
  readonly isCautious: boolean;
  readonly doubtsEdges: boolean;
  /** What a point's own value may be off when it counts as a contact, metres. */
  readonly contactError: number;
  /** Flat faces of both bodies, by pairs; null where every point is queried. */
  readonly facePairs: FacePairs | null;
  /** By point of the shell: its flat face, −1 for none; and by face, 1 while points of a pair stand for it. */
  readonly faceOf: Int16Array;
  readonly replaced: Uint8Array;
  /** Numbers of the field's grid that every sample needs. */
  readonly grid: QueryGrid;
  /** Scratch memory. */
  readonly workspace: QueryWorkspace;
}

export interface QueryGrid {
  /** Coarse cells along x, y, z. */
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  /** Coarse nodes from one row, and from one layer, to the next. */
  readonly row: number;
  readonly layer: number;
  readonly cellSide: number;
  readonly perCell: number;
  readonly perVoxel: number;
}

interface QueryWorkspace {
  readonly relative: Float64Array;
  readonly relativeRotation: Float64Array;
  /** Faces that points of pairs stand for. */
  replacedCount: number;
  /** From a point of the shell to coordinates in coarse cells: three rows of a matrix and a translation each. */
  readonly toCells: Float64Array;
  readonly shellRotation: Float64Array;
  readonly fieldRotation: Float64Array;
  /** Points to sample on the next level, and how near to the surface they or those below them may be at best. */
  nextCount: number;
  readonly next: Uint32Array;
  readonly nextBound: Float64Array;
  /** Points to sample on this level. */
  activeCount: number;
  readonly active: Uint32Array;
  /** Contacts found on this level: points and distances. */
  foundCount: number;
  readonly found: Uint32Array;
  readonly foundDistance: Float64Array;
  /** Direction of one edge in the world. */
  readonly edge: Float64Array;
  /** Gradients in the field's frame, by point. */
  readonly gradient: Float64Array;
  /** By point: the `travel` up to which its value is above 0, and that up to which the surface is not there, m. */
  readonly nearAfter: Float64Array;
  readonly lowestAfter: Float64Array;
  /** By point: the voxel where it was sampled last, and the values at its corners, which the field has here and there. */
  readonly voxelOf: Float64Array;
  readonly corners: Float32Array;
  /** How far any point may have gone since the first query, and since the last, m. */
  readonly travel: Float64Array;
  /** 1 while the tree is walked and the list is made. */
  isWalk: number;
  /** Points that may become contacts before the shell has gone far, level by level. */
  listCount: number;
  readonly list: Uint32Array;
  listLevels: number;
  readonly listEnds: Uint32Array;
  /** Those that may before it has gone a part of that. */
  readonly close: Uint32Array;
  readonly closeEnds: Uint32Array;
  /** In the order of the `LISTED_…` constants. */
  readonly listed: Float64Array;
  /** Of the shell: the middle of its bounds and the distance of the point that is furthest from it, m. */
  readonly middle: Float64Array;
  readonly lastMiddle: Float64Array;
  readonly lastRelative: Float64Array;
}
