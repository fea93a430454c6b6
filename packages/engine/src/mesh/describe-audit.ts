import type { MeshAudit } from './audit.js';
import { AREAS, inUnit, LENGTHS, VOLUMES } from './quantity-words.js';

/** The audit in sentences for people: what the mesh is, what is wrong with it, and what follows for haptics. */
export function describeAudit(audit: MeshAudit): string[] {
  return [...describeSize(audit), ...describeSurface(audit), ...describeFlaws(audit), ...describeSides(audit)];
}

function describeSize(audit: MeshAudit): string[] {
  const parts = audit.components === 1 ? 'in one piece' : `in ${count(audit.components, 'piece')}`;
  const size = audit.size.map((metres) => inUnit(metres, LENGTHS)).join(' × ');
  return [
    `${count(audit.triangles, 'triangle')} on ${count(audit.vertices, 'vertex', 'vertices')}, ${parts}.`,
    `Size ${size}, surface ${inUnit(audit.area, AREAS)}.`,
  ];
}

function describeSurface(audit: MeshAudit): string[] {
  if (audit.closed) {
    const cavities = audit.cavities > 0 ? ` with ${count(audit.cavities, 'cavity', 'cavities')}` : '';
    const lines = [
      `Closed${cavities}: it bounds a volume of ${inUnit(audit.volume, VOLUMES)}; inside and outside are certain.`,
    ];
    if (audit.tJunctionEdges > 0) {
      lines.push(`${count(audit.tJunctionEdges, 'edge')} meet others piece by piece (T-junctions): harmless, no gap.`);
    }
    return lines;
  }
  const why: string[] = [];
  if (audit.openEdges > 0) why.push(count(audit.openEdges, 'open edge'));
  if (audit.inconsistentEdges > 0)
    why.push(`${count(audit.inconsistentEdges, 'edge')} between triangles with opposite orientations`);
  if (why.length === 0) why.push('edges with more triangles of one orientation than of the other');
  return [`Open (${why.join(', ')}): the sign comes from winding numbers; the volume is not meaningful.`];
}

function describeFlaws(audit: MeshAudit): string[] {
  const lines: string[] = [];
  if (audit.nonManifoldEdges > 0) {
    lines.push(
      `${count(audit.nonManifoldEdges, 'non-manifold edge')} (more than two triangles meet): harmless for distance and contact, but sides next to them are judged separately.`,
    );
  }
  if (audit.degenerateTriangles > 0) {
    lines.push(
      `${count(audit.degenerateTriangles, 'degenerate triangle')} without area: no effect on contact; cleaning removes them.`,
    );
  }
  if (audit.duplicateTriangles > 0) {
    lines.push(
      `${count(audit.duplicateTriangles, 'duplicate triangle')}: would count twice in the winding number and in shell points; cleaning removes them.`,
    );
  }
  return lines;
}

function describeSides(audit: MeshAudit): string[] {
  const lines: string[] = [];
  if (audit.invertedComponents > 0) {
    lines.push(
      `${count(audit.invertedComponents, 'inverted piece')}: contact there would pull inward instead of pushing out; cleaning flips them.`,
    );
  }
  if (audit.misorientedTriangles > 0) {
    lines.push(`${count(audit.misorientedTriangles, 'triangle')} are oriented inward; cleaning flips them.`);
  }
  if (audit.oneSidedComponents > 0) {
    lines.push(
      `${count(audit.oneSidedComponents, 'one-sided piece')} (like a Möbius strip): it has no inside; use it as a sheet with an offset.`,
    );
  }
  return lines;
}

function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? singular : plural}`;
}
