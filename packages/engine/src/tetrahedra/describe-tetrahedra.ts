import { inUnit, LENGTHS, VOLUMES } from '../mesh/quantity-words.js';
import { auditTetrahedra, type TetrahedraAudit } from './audit-tetrahedra.js';
import type { ElementList } from './element-shapes.js';
import type { TetrahedralMesh } from './tetrahedral-mesh.js';

/** Angles outside of these make an element stiff or its numbers poor; radians. Good meshers keep within them. */
const POOR_SMALL = (5 * Math.PI) / 180;
const POOR_LARGE = (170 * Math.PI) / 180;

/** The audit in sentences for people: what the mesh is, what is wrong with it, and what to change. */
export function describeTetrahedraAudit(audit: TetrahedraAudit): string[] {
  return [...describeSize(audit), ...describeShape(audit), ...problemsOf(audit), ...describeFlaws(audit)];
}

/** Why a mesh cannot be an elastic body, in sentences that say what to change; empty when it can. */
export function tetrahedraProblems(mesh: TetrahedralMesh): string[] {
  return problemsOf(auditTetrahedra(mesh));
}

function describeSize(audit: TetrahedraAudit): string[] {
  const parts = audit.components === 1 ? 'in one piece' : `in ${audit.components} pieces`;
  return [
    `${number(audit.tetrahedra)} tetrahedra on ${number(audit.nodes)} nodes, ${parts}; ${number(audit.surfaceTriangles)} triangles on ${number(audit.surfaceNodes)} nodes bound it.`,
    `Size ${audit.size.map((side) => inUnit(side, LENGTHS)).join(' × ')}, volume ${inUnit(audit.volume, VOLUMES)}; edges from ${inUnit(audit.smallestEdge, LENGTHS)} to ${inUnit(audit.largestEdge, LENGTHS)}.`,
  ];
}

function describeShape(audit: TetrahedraAudit): string[] {
  if (audit.largestDihedral === 0) return [];
  const angles = `Dihedral angles from ${degrees(audit.smallestDihedral)} to ${degrees(audit.largestDihedral)}`;
  const isPoor = audit.smallestDihedral < POOR_SMALL || audit.largestDihedral > POOR_LARGE;
  return [isPoor ? `${angles}: poor; remesh it, or optimise it in the mesher, for accurate results.` : `${angles}.`];
}

function problemsOf(audit: TetrahedraAudit): string[] {
  if (audit.tetrahedra === 0) return ['There are no elements; give a volume mesh of tetrahedra.'];
  const problems: string[] = [];
  if (audit.inverted.count > 0) {
    problems.push(
      `${elements(audit.inverted, 'is inverted', 'are inverted')}: their stiffness would be negative; repair the mesh, or flip them when reading if only their nodes are in the wrong order.`,
    );
  }
  if (audit.flat.count > 0) {
    problems.push(
      `${elements(audit.flat, 'is flat', 'are flat')}, without volume: remove them or mesh the part again.`,
    );
  }
  if (audit.overlappingFaces > 0) {
    problems.push(
      `${number(audit.overlappingFaces)} faces belong to more elements than two sides allow: elements are duplicated or overlap; remove the duplicates.`,
    );
  }
  if (audit.components > 1) {
    problems.push(
      `The elements form ${number(audit.components)} pieces that share no faces, the largest with ${number(audit.largestComponent)} elements: ${joinAdvice(audit)}.`,
    );
  }
  return problems;
}

function joinAdvice({ coincidentNodes }: TetrahedraAudit): string {
  return coincidentNodes > 0
    ? `${number(coincidentNodes)} nodes coincide with others; merge them in the mesher, or make a body of each piece`
    : 'make a body of each piece, or join them over common faces';
}

function describeFlaws(audit: TetrahedraAudit): string[] {
  const flaws: string[] = [];
  if (audit.components === 1 && audit.coincidentNodes > 0) {
    flaws.push(`${number(audit.coincidentNodes)} nodes coincide with others: cracks, if they were meant to be joined.`);
  }
  if (audit.unusedNodes > 0) {
    flaws.push(`${number(audit.unusedNodes)} nodes belong to no element and never move.`);
  }
  if (audit.nonManifoldEdges + audit.pinchedNodes > 0) {
    flaws.push(
      `The surface touches itself along ${number(audit.nonManifoldEdges)} edges and at ${number(audit.pinchedNodes)} nodes: smaller elements avoid that.`,
    );
  }
  if (!audit.surfaceClosed && audit.overlappingFaces === 0)
    flaws.push('The surface is open, which a valid mesh never is.');
  return flaws;
}

/** "3 elements are flat (4, 7, 9)", numbered from 1 as files do. */
function elements(list: ElementList, singular: string, plural: string): string {
  const first = list.first.slice(0, 5).map((element) => element + 1);
  const more = list.count > first.length ? ', …' : '';
  const what = list.count === 1 ? `element ${singular}` : `elements ${plural}`;
  return `${number(list.count)} ${what} (${first.join(', ')}${more})`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function degrees(angle: number): string {
  return `${Number(((angle * 180) / Math.PI).toFixed(1))}°`;
}
