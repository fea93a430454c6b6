import { square } from '../math/portable.js';
import type { Dissection } from './dissection.js';
import type { Neighbourhood } from './node-graph.js';

/**
 * Where the numbers of a factor K = L Lᵀ will stand, known before any of them is computed. Each part of the dissection
 * has a dense panel of L: its own rows and then those rows above it that it reaches, three numbers per node and axis.
 */
export interface FactorPlan extends Dissection {
  /** Place in the order by node. */
  readonly place: Uint32Array;
  /** Part by place in the order. */
  readonly partOf: Uint32Array;
  /** Part p reaches the places reach[reachStart[p]] … beyond its own, ascending. */
  readonly reachStart: Uint32Array;
  readonly reach: Uint32Array;
  /** Where each panel begins in the values of the factor; rows one after the other, as long as the part is wide. */
  readonly panelStart: Float64Array;
  /** Numbers in L, with the zeros that its dense panels hold. */
  readonly valueCount: number;
  /** Most bytes that intermediate sums take while the factor is computed. */
  readonly scratchBytes: number;
}

export function planFactor(dissection: Dissection, neighbours: Neighbourhood): FactorPlan {
  const { order, partStart, parent } = dissection;
  const partCount = parent.length;
  const place = new Uint32Array(order.length);
  const partOf = new Uint32Array(order.length);
  for (let at = 0; at < order.length; at += 1) place[order[at]] = at;
  for (let part = 0; part < partCount; part += 1) partOf.fill(part, partStart[part], partStart[part + 1]);
  const reaches = reachedPlaces(dissection, neighbours, place);
  const reachStart = new Uint32Array(partCount + 1);
  const panelStart = new Float64Array(partCount + 1);
  for (let part = 0; part < partCount; part += 1) {
    const width = partStart[part + 1] - partStart[part];
    reachStart[part + 1] = reachStart[part] + reaches[part].length;
    panelStart[part + 1] = panelStart[part] + 9 * width * (width + reaches[part].length);
  }
  const reach = new Uint32Array(reachStart[partCount]);
  reaches.forEach((places, part) => {
    reach.set(places, reachStart[part]);
  });
  return {
    ...dissection,
    place,
    partOf,
    reachStart,
    reach,
    panelStart,
    valueCount: panelStart[partCount],
    scratchBytes: scratchBytes(parent, reaches),
  };
}

/** Per part the places beyond it that its nodes, or the parts below it, are bound to. */
function reachedPlaces(dissection: Dissection, neighbours: Neighbourhood, place: Uint32Array): Uint32Array[] {
  const { order, partStart, parent } = dissection;
  const below: number[][] = Array.from(parent, () => []);
  const reaches: Uint32Array[] = [];
  const seenFrom = new Int32Array(order.length).fill(-1);
  for (let part = 0; part < parent.length; part += 1) {
    const end = partStart[part + 1];
    const places: number[] = [];
    const add = (at: number) => {
      if (at < end || seenFrom[at] === part) return;
      seenFrom[at] = part;
      places.push(at);
    };
    for (let at = partStart[part]; at < end; at += 1) {
      const node = order[at];
      for (let i = neighbours.start[node]; i < neighbours.start[node + 1]; i += 1) add(place[neighbours.nodes[i]]);
    }
    for (const child of below[part]) for (const at of reaches[child]) add(at);
    reaches.push(Uint32Array.from(places).sort());
    if (parent[part] >= 0) below[parent[part]].push(part);
  }
  return reaches;
}

/** The updates that wait for their part at the worst moment: those of the children go when the parent has taken them. */
function scratchBytes(parent: Int32Array, reaches: readonly Uint32Array[]): number {
  const size = (part: number) => 8 * 9 * square(reaches[part].length);
  const waiting = new Float64Array(parent.length);
  let now = 0;
  let most = 0;
  for (let part = 0; part < parent.length; part += 1) {
    now += size(part);
    most = Math.max(most, now);
    now -= waiting[part];
    if (parent[part] >= 0) waiting[parent[part]] += size(part);
  }
  return most;
}
