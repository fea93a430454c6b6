import { auditTetrahedra, type ElasticBody } from '@palpable/engine';
import { formatNumber } from '../terminal/table.js';

/** What is known of the elasticity in an asset, as JSON says it. */
export type ElasticReport = ReturnType<typeof describeElastic>;

const SHOWN_FREQUENCIES = 5;

export function describeElastic(
  body: ElasticBody,
  { young, density }: { readonly young: number; readonly density: number },
) {
  const { compliance, modeShapes, modeStiffness, fixedVertices } = body;
  const audit = auditTetrahedra(body.tetrahedra);
  return {
    nodes: audit.nodes,
    tetrahedra: audit.tetrahedra,
    /** Degrees. */
    smallestDihedral: (audit.smallestDihedral * 180) / Math.PI,
    surfaceNodes: body.surfaceNodes.length,
    /** Of these, and held ones. */
    touchableNodes: body.columnCount,
    fixedNodes: fixedVertices.reduce((sum, isFixed) => sum + isFixed, 0),
    /** Of the compliance and the modes, in memory and in the asset. */
    megabytes: (compliance.byteLength + modeShapes.byteLength) / 1e6,
    /** Of the slowest vibrations for this modulus and density, Hz. */
    young,
    density,
    frequencies: Array.from(modeStiffness.slice(0, SHOWN_FREQUENCIES), (stiffness) => {
      return Math.sqrt((stiffness * young) / density) / (2 * Math.PI);
    }),
  };
}

export function elasticSentences(report: ElasticReport): string[] {
  const { nodes, tetrahedra, smallestDihedral, surfaceNodes, touchableNodes, fixedNodes, frequencies } = report;
  const size =
    `${formatNumber(tetrahedra)} tetrahedra on ${formatNumber(nodes)} nodes, smallest dihedral angle ` +
    `${formatNumber(smallestDihedral)}°; ${formatNumber(surfaceNodes)} nodes on the surface, ${formatNumber(touchableNodes)} ` +
    `of them touchable and ${formatNumber(fixedNodes)} held; ${formatNumber(report.megabytes)} MB.`;
  if (frequencies.length === 0) return [size];
  const sounds = frequencies.map((hertz) => formatNumber(hertz)).join(', ');
  return [
    size,
    `Slowest vibrations at E = ${formatNumber(report.young)} Pa and ${formatNumber(report.density)} kg/m³: ${sounds} Hz.`,
  ];
}
