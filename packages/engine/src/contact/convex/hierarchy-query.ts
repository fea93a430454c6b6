import type { TreeWorkspace } from '../../field/tree-query.js';
import type { TriangleTree } from '../../field/triangle-tree.js';
import type { ConvexHierarchy } from '../../hierarchy/convex-hierarchy.js';
import type { ConvexPair } from './convex-pair.js';
import type { Polytope } from './epa.js';

/**
 * What the query of two hierarchies needs besides the poses: settings, scratch, what it remembers from one question to
 * the next, and counters. Made once per pair of bodies; `queryHierarchies` then works without allocation.
 */

export interface HierarchyQueryOptions {
  /** The paper's d: surfaces nearer than this are contacts although they do not touch, metres. */
  readonly distanceTolerance: number;
  /** Nodes whose deviation is at most this stand for everything beneath them, metres; 0 asks the finest surfaces. */
  readonly tolerance: number;
  /**
   * How deep a surface may have passed behind another to be still recognised, metres; four times d unless given. Larger
   * costs time, since more pairs may be meant, and must stay below half of the thinnest wall to be of use.
   */
  readonly maxDepth?: number;
  /** No more contacts than this, the deepest; 256 unless given. */
  readonly maxContacts?: number;
  /** After this many pairs nothing is refined any more: what is left answers at the level reached; 20,000 unless given. */
  readonly maxPairs?: number;
}

/** Numbers of the last query. Bits of `capped`: 1 contacts, 2 pairs. */
export interface HierarchyCounters {
  /** Pairs of nodes that were looked at. */
  pairs: number;
  /** Of these, pairs whose hulls were measured. */
  measured: number;
  /** Support points asked for by GJK and EPA. */
  iterations: number;
  /** Pairs of nodes that were fine enough. */
  ends: number;
  capped: number;
  /** 1 if the last poses held a number that is not finite; there are no contacts then. */
  badPose: number;
}

/** Bit of `HierarchyCounters.capped`: more contacts were found than `maxContacts`. */
export const CAPPED_HIERARCHY_CONTACTS = 1;
/** Bit of `HierarchyCounters.capped`: the query ended at `maxPairs` pairs of hulls. */
export const CAPPED_HIERARCHY_PAIRS = 2;

/** One body as the query sees it: its hierarchy, and what follows from it. */
export interface QueryBody {
  readonly hierarchy: ConvexHierarchy;
  /** Per node, m: how far finest geometry beneath sticks out of the hull. */
  readonly protrusion: Float64Array;
  /** Sine and cosine of the spread. */
  readonly spreadSine: Float64Array;
  readonly spreadCosine: Float64Array;
  /** Cosine of the largest angle at which a contact of this node can meet its mean normal, if the surfaces are apart. */
  readonly coneCosine: Float64Array;
  /** The same for surfaces that have passed each other, which only faces tell. */
  readonly faceCosine: Float64Array;
  /** The same for its faces alone: beyond, the contact is one of an edge or a corner. */
  readonly ownCosine: Float64Array;
  /** 1: the patch has an outer side as a whole. 0: it bends so far that only its hull as a solid has a meaning. */
  readonly oriented: Uint8Array;
  /** The finest surface, to tell inside from outside. */
  readonly tree: TriangleTree;
  readonly treeWorkspace: TreeWorkspace;
}

/** Simplices of earlier questions, by pair of nodes; a table with one place per hash, the newer entry stays. */
export interface SimplexCache {
  readonly tool: Int32Array;
  readonly environment: Int32Array;
  readonly count: Uint8Array;
  /** Four vertices each. */
  readonly toolVertex: Int32Array;
  readonly environmentVertex: Int32Array;
}

/** Contacts while they are found, in the environment's frame. One place more than the capacity is for a newcomer. */
export interface FoundContacts {
  count: number;
  readonly capacity: number;
  readonly tool: Int32Array;
  readonly environment: Int32Array;
  /** 1: the hulls are apart and the surfaces have passed each other, so that the depth is a conclusion. */
  readonly inferred: Uint8Array;
  readonly onTool: Float64Array;
  readonly onEnvironment: Float64Array;
  readonly normal: Float64Array;
  readonly depth: Float64Array;
}

/** Two convex hierarchies that are tested against each other every cycle, with the memory this needs. */
export interface HierarchyQuery {
  readonly tool: QueryBody;
  readonly environment: QueryBody;
  /** Pieces nearer than this are contacts, metres. */
  readonly distanceTolerance: number;
  /** Largest distance of the pieces used from the finest surface, metres. */
  readonly tolerance: number;
  /** How deep an overlap may be and still be recognised, metres. */
  readonly maxDepth: number;
  readonly maxContacts: number;
  readonly maxPairs: number;
  readonly counters: HierarchyCounters;
  /** Which node of each tree made each contact of the last query, in the order of the contacts. */
  readonly contactTool: Int32Array;
  readonly contactEnvironment: Int32Array;
  readonly workspace: {
    readonly relative: Float64Array;
    readonly environmentRotation: Float64Array;
    readonly pair: ConvexPair;
    readonly polytope: Polytope;
    readonly stackTool: Int32Array;
    readonly stackEnvironment: Int32Array;
    /** Mean normal of the tool's node in the environment's frame, then the way out by both normals, then a trial. */
    readonly toolNormal: Float64Array;
    readonly out: Float64Array;
    /** The overlapping pair whose surfaces face each other most, if no other contact tells how to leave it. */
    readonly lastResort: Int32Array;
    readonly lastResortFacing: Float64Array;
    /** Points nearer than this to each other are the same, metres. */
    readonly mergeDistance: Float64Array;
    readonly cache: SimplexCache;
    readonly found: FoundContacts;
  };
}
