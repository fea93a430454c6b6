import type { ElasticBody } from '../elasticity/elastic-body.js';
import type { NumberArray } from './pack-array.js';

/** What the JSON of an asset holds of an elastic body beside its arrays. */
export interface ElasticContent {
  readonly poisson: number;
  readonly columnCount: number;
  readonly volume: number;
}

/** The arrays by their names in an asset; the types are those of an `ElasticBody`, bytes as whole numbers. */
export function packElastic(body: ElasticBody): { content: ElasticContent; arrays: [string, NumberArray][] } {
  const { tetrahedra, surface, poisson, columnCount, volume } = body;
  return {
    content: { poisson, columnCount, volume },
    arrays: [
      ['positions', tetrahedra.positions],
      ['tetrahedra', tetrahedra.tetrahedra],
      ['surface.positions', surface.positions],
      ['surface.triangles', surface.triangles],
      ['surfaceNodes', body.surfaceNodes],
      ['fixedVertices', Uint32Array.from(body.fixedVertices)],
      ['columnOf', body.columnOf],
      ['compliance', body.compliance],
      ['modeStiffness', body.modeStiffness],
      ['modeShapes', body.modeShapes],
      ['weightResponse', body.weightResponse],
      ['modeWeight', body.modeWeight],
    ],
  };
}

export function unpackElastic(content: ElasticContent, take: <T extends NumberArray>(name: string) => T): ElasticBody {
  return {
    ...content,
    tetrahedra: { positions: take('positions'), tetrahedra: take('tetrahedra') },
    surface: { positions: take('surface.positions'), triangles: take('surface.triangles') },
    surfaceNodes: take('surfaceNodes'),
    fixedVertices: Uint8Array.from(take<Uint32Array>('fixedVertices')),
    columnOf: take('columnOf'),
    compliance: take('compliance'),
    modeStiffness: take('modeStiffness'),
    modeShapes: take('modeShapes'),
    weightResponse: take('weightResponse'),
    modeWeight: take('modeWeight'),
  };
}
