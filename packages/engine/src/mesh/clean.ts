import { PalpableError } from '../base/errors.js';
import { removeCollapsed, removeDuplicates, removeSlivers } from './degenerate.js';
import { buildEdgeTable } from './edge-table.js';
import { applyOrientation, planOrientation } from './orient.js';
import { meshBounds, type TriangleMesh, triangleCount, vertexCount } from './triangle-mesh.js';
import { weldMesh } from './weld.js';

/** How closely vertices are welded. */
export interface CleanOptions {
  /**
   * Distance within which vertices become one, metres. Default: a millionth of the longest side, which heals the
   * rounding of files without joining anything you could feel. 0 joins only vertices that are equal bit by bit.
   */
  readonly weldTolerance?: number;
}

/** A mesh ready for field and shell, and what was done to it. */
export interface CleanedMesh {
  readonly mesh: TriangleMesh;
  /** Vertices that were joined with others or that no triangle used. */
  readonly mergedVertices: number;
  readonly degenerateTriangles: number;
  readonly duplicateTriangles: number;
  /** Triangles flipped so that all face outward. */
  readonly turnedTriangles: number;
}

const WELD_FRACTION = 1e-6;

function longestSide(mesh: TriangleMesh): number {
  const { min, max } = meshBounds(mesh);
  return Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

/**
 * Welds vertices, leaves out degenerate and duplicate triangles, and turns the rest outward. Throws `mesh-empty` when
 * nothing is left.
 */
export function cleanMesh(mesh: TriangleMesh, options: CleanOptions = {}): CleanedMesh {
  const welded = weldMesh(mesh, options.weldTolerance ?? WELD_FRACTION * longestSide(mesh));
  const proper = removeCollapsed(welded);
  const single = removeDuplicates(proper);
  const smooth = removeSlivers(single);
  if (smooth.triangles.length === 0) {
    throw new PalpableError(
      'mesh-empty',
      'No triangle of the mesh has any area; check the export, the unit and the welding tolerance.',
    );
  }
  const edges = buildEdgeTable(smooth.triangles, vertexCount(smooth));
  const plan = planOrientation(smooth, edges);
  // Removing triangles may have left vertices without any.
  const oriented = weldMesh(applyOrientation(smooth, plan));
  return {
    mesh: oriented,
    mergedVertices: vertexCount(mesh) - vertexCount(oriented),
    degenerateTriangles: triangleCount(welded) - triangleCount(proper) + triangleCount(single) - triangleCount(smooth),
    duplicateTriangles: triangleCount(proper) - triangleCount(single),
    turnedTriangles: plan.turn.reduce((total, turn) => total + turn, 0),
  };
}
