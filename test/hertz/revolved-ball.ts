import { createTetrahedralMesh, type TetrahedralMesh } from '@palpable/engine/advanced';

/** How finely the ball is cut: rings within the core around the pole, parts from the axis to the skin, parts around. */
export interface BallCells {
  readonly rings: number;
  readonly shells: number;
  readonly sectors: number;
  /** By how much each ring beyond the core is wider than the one before. */
  readonly growth: number;
}

export interface RevolvedBall {
  readonly mesh: TetrahedralMesh;
  /** Nodes furthest from the pole: where the ball is held. */
  readonly held: Uint32Array;
  /** Nodes within the core. */
  readonly core: Uint32Array;
}

/**
 * A ball around the origin, its lower pole at z = −radius, of tetrahedra that are small near the pole and grow away from
 * it: half a section, laid out in rings around the pole, turned about the axis. It ends `reach` radii from the pole.
 */
export function createRevolvedBall(radius: number, coreRadius: number, reach: number, cells: BallCells): RevolvedBall {
  const rings = ringRadii(coreRadius, reach * radius, cells);
  const { shells, sectors } = cells;
  const positions: number[] = [0, 0, -radius];
  const grid = rings.map((distance, ring) =>
    Array.from({ length: shells + 1 }, (_, shell): number[] => {
      if (ring === 0) return around(sectors, () => 0);
      // The skin is where a chord from the pole ends.
      const lean = (shell / shells) * Math.acos(distance / (2 * radius));
      const x = distance * Math.sin(lean);
      const z = distance * Math.cos(lean) - radius;
      if (shell === 0) {
        const node = addNode(positions, 0, 0, z);
        return around(sectors, () => node);
      }
      return around(sectors, (turn) => addNode(positions, x * Math.cos(turn), x * Math.sin(turn), z));
    }),
  );
  const nodes = Float64Array.from(positions);
  const mesh = createTetrahedralMesh(
    nodes,
    Uint32Array.from(fill(grid, sectors).flatMap((four) => turned(four, nodes))),
  );
  const core = grid.slice(0, cells.rings + 1).flat(2);
  return { mesh, held: distinct(grid.at(-1)!.flat()), core: distinct(core) };
}

/** Evenly within the core, then growing; the last is `end`. */
function ringRadii(core: number, end: number, { rings, growth }: BallCells): number[] {
  const radii = Array.from({ length: rings + 1 }, (_, n) => (core * n) / rings);
  for (let width = (growth * core) / rings; radii.at(-1)! < end; width *= growth) radii.push(radii.at(-1)! + width);
  const shrink = (end - core) / (radii.at(-1)! - core);
  return radii.map((distance) => (distance <= core ? distance : core + shrink * (distance - core)));
}

function around<T>(sectors: number, of: (turn: number) => T): T[] {
  return Array.from({ length: sectors }, (_, n) => of((2 * Math.PI * n) / sectors));
}

function addNode(positions: number[], x: number, y: number, z: number): number {
  positions.push(x, y, z);
  return positions.length / 3 - 1;
}

/** The cells between neighbouring rings, shells and sectors, as tetrahedra; those that the axis flattens are left out. */
function fill(grid: readonly (readonly (readonly number[])[])[], sectors: number): number[][] {
  const tetrahedra: number[][] = [];
  for (let ring = 0; ring + 1 < grid.length; ring += 1) {
    for (let shell = 0; shell + 1 < grid[0]!.length; shell += 1) {
      for (let sector = 0; sector < sectors; sector += 1) {
        const next = (sector + 1) % sectors;
        const triangle = (...corners: readonly (readonly [number, number])[]) => [
          ...corners.map(([a, b]) => grid[ring + a]![shell + b]![sector]!),
          ...corners.map(([a, b]) => grid[ring + a]![shell + b]![next]!),
        ];
        for (const prism of [triangle([0, 0], [1, 0], [1, 1]), triangle([0, 0], [1, 1], [0, 1])]) {
          tetrahedra.push(...cutPrism(prism).filter((four) => new Set(four).size === 4));
        }
      }
    }
  }
  return tetrahedra;
}

/** Three tetrahedra of a prism, corners 0 1 2 under 3 4 5. Diagonals start at the smallest node, so that neighbours agree. */
function cutPrism(prism: readonly number[]): number[][] {
  let v = [...prism];
  const smallest = v.indexOf(Math.min(...v));
  if (smallest >= 3) v = [...v.slice(3), ...v.slice(0, 3)];
  for (let turn = smallest % 3; turn > 0; turn -= 1) v = [v[1]!, v[2]!, v[0]!, v[4]!, v[5]!, v[3]!];
  const [a, b, c, d, e, f] = v as [number, number, number, number, number, number];
  const top = [a, e, f, d];
  return Math.min(b, f) < Math.min(c, e) ? [[a, b, c, f], [a, b, f, e], top] : [[a, b, c, e], [a, e, c, f], top];
}

/** With a positive volume. */
function turned(four: readonly number[], nodes: Float64Array): number[] {
  const [a, b, c, d] = four as [number, number, number, number];
  const edge = (to: number) => [0, 1, 2].map((axis) => nodes[3 * to + axis]! - nodes[3 * a + axis]!);
  const [u, v, w] = [edge(b), edge(c), edge(d)] as [number[], number[], number[]];
  const volume =
    u[0]! * (v[1]! * w[2]! - v[2]! * w[1]!) -
    u[1]! * (v[0]! * w[2]! - v[2]! * w[0]!) +
    u[2]! * (v[0]! * w[1]! - v[1]! * w[0]!);
  return volume > 0 ? [a, b, c, d] : [a, c, b, d];
}

function distinct(nodes: readonly number[]): Uint32Array {
  return Uint32Array.from(new Set(nodes)).sort();
}
