import { PalpableError } from '../base/errors.js';
import { type BuildHooks, throwIfCancelled } from '../base/progress.js';
import type { DistanceField } from '../field/distance-field.js';
import { GrowableFloat64, GrowableUint32 } from '../mesh/growable.js';
import { checkElementSize, forEachLatticeTetrahedron, latticeNode, layOutLattice } from './bcc-lattice.js';
import { CutLattice, NO_CUT } from './cut-lattice.js';
import { type LostPlaces, LostSearch } from './lost-places.js';
import { cutName, fillTetrahedron, POINT_NAMES } from './stuffing-stencils.js';
import { findPieces } from './tetrahedra-faces.js';
import { checkLatticeSize, checkNodeCount, MAX_NODES } from './tetrahedra-size.js';
import { keepTetrahedra, type TetrahedralMesh, tetrahedraVolume, volume6 } from './tetrahedral-mesh.js';

/** How finely to fill a closed surface with tetrahedra. */
export interface MeshTetrahedraOptions {
  /** Longest edge of an inner element, metres; the others inside are √3/2 of it. Halving it makes eight times as many. */
  readonly elementSize: number;
  /** Keep only the largest piece; true unless given, since separate pieces cannot be one elastic body. */
  readonly largestOnly?: boolean;
  /** Most nodes that are made; 500,000 unless given. */
  readonly maxNodes?: number;
}

/** A mesh made from a field, with what should be known about it. */
export interface MeshedSolid extends TetrahedralMesh {
  /** Longest edge of an inner element, metres. */
  readonly elementSize: number;
  /** m³ */
  readonly volume: number;
  /** Face-connected pieces before all but the largest were left out. */
  readonly pieces: number;
  /** Walls of the solid in which no element was made. */
  readonly lost: LostPlaces;
  /** What the user should know, in sentences. */
  readonly warnings: readonly string[];
}

/** Share of the volume that may be lost (tips of sharp corners) before it is told. */
const TELL_LOST = 0.005;

/**
 * Fills the zero surface of a field with tetrahedra: isosurface stuffing (Labelle and Shewchuk 2007), uniform.
 *
 * The signs of the field are taken at the nodes of a body-centred cubic lattice. Nodes that the surface passes closely
 * are moved onto it; the tetrahedra that it then still cuts are filled by stencils. All nodes of the surface lie on the
 * zero surface of the field; every dihedral angle lies between 10.7° and 164.8°, whatever the shape. Sharp edges are
 * chamfered by up to about half an element. What is thinner than an element may be lost: it is looked for and told.
 *
 * Same field, same size: same mesh, to the last bit.
 */
export function meshTetrahedra(
  field: DistanceField,
  options: MeshTetrahedraOptions,
  hooks: BuildHooks = {},
): MeshedSolid {
  const { elementSize, largestOnly = true, maxNodes = MAX_NODES } = options;
  checkElementSize(elementSize);
  const reach = field.offset;
  const { bounds } = field;
  const min = [bounds[0] - reach, bounds[1] - reach, bounds[2] - reach];
  const max = [bounds[3] + reach, bounds[4] + reach, bounds[5] + reach];
  const lattice = layOutLattice(min, max, elementSize);
  checkLatticeSize(lattice);
  hooks.onProgress?.('sampling the lattice', 0);
  const cut = new CutLattice(field, lattice);
  throwIfCancelled(hooks.signal);
  checkNodeCount(cut.estimateNodes(), maxNodes, elementSize);
  cut.warp();
  const lost = new LostSearch(field, cut);
  const all = fill(cut, lost, hooks);
  if (all.tetrahedra.length === 0) throw nothingMade(elementSize, lost.result());
  const { mesh, pieces } = largestOnly ? largestPiece(all) : { mesh: all, pieces: findPieces(all).count };
  const made = { elementSize, volume: tetrahedraVolume(mesh), pieces, lost: lost.result() };
  hooks.onProgress?.('filling', 1);
  return { ...mesh, ...made, warnings: warningsOf(made, tetrahedraVolume(all), field, largestOnly) };
}

function fill(cut: CutLattice, lost: LostSearch, hooks: BuildHooks): TetrahedralMesh {
  const { lattice } = cut;
  const collected = new ElementCollector(cut);
  const stencil = new Int32Array(12);
  const states = new Uint8Array(4);
  forEachLatticeTetrahedron(
    lattice,
    (places) => {
      for (let corner = 0; corner < 4; corner++) {
        const at = 3 * corner;
        const node = latticeNode(lattice, places[at], places[at + 1], places[at + 2]);
        collected.corners[corner] = node;
        states[corner] = cut.stateOf(node);
      }
      const count = fillTetrahedron(stencil, states, places);
      if (count === 0) lost.look(places, collected.corners);
      else collected.add(stencil, count, places);
    },
    (layer) => {
      throwIfCancelled(hooks.signal);
      hooks.onProgress?.('filling', 0.3 + (0.7 * layer) / lattice.cubes[2]);
    },
  );
  return collected.take();
}

/** Numbers the points in the order in which elements first use them. */
class ElementCollector {
  /** Lattice nodes of the tetrahedron at hand. */
  readonly corners = new Int32Array(4);
  private readonly cut: CutLattice;
  private readonly numberOfNode: Int32Array;
  private readonly numberOfCut: Int32Array;
  private readonly positions = new GrowableFloat64();
  private readonly elements = new GrowableUint32();
  /** Numbers of the points of the tetrahedron at hand, by name; −1 where not yet asked. */
  private readonly named = new Int32Array(POINT_NAMES);
  private readonly point = new Float64Array(3);

  constructor(cut: CutLattice) {
    this.cut = cut;
    this.numberOfNode = new Int32Array(cut.lattice.nodeCount).fill(-1);
    this.numberOfCut = new Int32Array(cut.cutCount).fill(-1);
  }

  add(stencil: Int32Array, count: number, places: Int32Array): void {
    this.named.fill(-1);
    this.nameCorners(places);
    for (let i = 0; i < 4 * count; i++) {
      if (this.named[stencil[i]] < 0) this.nameCut(stencil[i], places);
      this.elements.push(this.named[stencil[i]]);
    }
    for (let element = this.elements.length / 4 - count; element < this.elements.length / 4; element++) {
      this.turnRight(element);
    }
  }

  take(): TetrahedralMesh {
    const mesh = { positions: this.positions.take(), tetrahedra: this.elements.take() };
    return keepTetrahedra(mesh, new Uint8Array(mesh.tetrahedra.length / 4).fill(1));
  }

  private nameCorners(places: Int32Array): void {
    for (let corner = 0; corner < 4; corner++) {
      const node = this.corners[corner];
      if (this.numberOfNode[node] < 0) {
        const at = 3 * corner;
        this.cut.positionOf(this.point, node, places[at], places[at + 1], places[at + 2]);
        this.numberOfNode[node] = this.addPoint();
      }
      this.named[corner] = this.numberOfNode[node];
    }
  }

  private nameCut(name: number, places: Int32Array): void {
    for (let i = 0; i < 3; i++) {
      for (let j = i + 1; j < 4; j++) {
        if (cutName(i, j) !== name) continue;
        const index = this.cut.cutBetween(places, i, j);
        if (index === NO_CUT) throw new Error('A stencil uses an edge that the surface does not cut.');
        if (this.numberOfCut[index] < 0) {
          this.cut.cutPosition(this.point, index);
          this.numberOfCut[index] = this.addPoint();
        }
        this.named[name] = this.numberOfCut[index];
      }
    }
  }

  private addPoint(): number {
    this.positions.push3(this.point[0], this.point[1], this.point[2]);
    return this.positions.length / 3 - 1;
  }

  private turnRight(element: number): void {
    const { data } = this.elements;
    if (volume6({ positions: this.positions.data, tetrahedra: data }, element) > 0) return;
    const last = data[4 * element + 3];
    data[4 * element + 3] = data[4 * element + 2];
    data[4 * element + 2] = last;
  }
}

function largestPiece(all: TetrahedralMesh): { mesh: TetrahedralMesh; pieces: number } {
  const pieces = findPieces(all);
  if (pieces.count === 1) return { mesh: all, pieces: 1 };
  const volumes = new Float64Array(pieces.count);
  pieces.of.forEach((piece, element) => {
    volumes[piece] += volume6(all, element);
  });
  const largest = volumes.indexOf(volumes.reduce((most, volume) => Math.max(most, volume), 0));
  return {
    mesh: keepTetrahedra(
      all,
      Uint8Array.from(pieces.of, (piece) => +(piece === largest)),
    ),
    pieces: pieces.count,
  };
}

function nothingMade(elementSize: number, lost: LostPlaces): PalpableError {
  const advice =
    lost.suggestedSize > 0 ? `about ${lost.suggestedSize} m would do` : 'use a smaller one, or a closed solid';
  return new PalpableError(
    'option-invalid',
    `No element of ${elementSize} m fits into the solid, which is too thin for it everywhere; ${advice}.`,
  );
}

function warningsOf(
  { elementSize, volume, pieces, lost }: Omit<MeshedSolid, keyof TetrahedralMesh | 'warnings'>,
  volumeOfAll: number,
  field: DistanceField,
  largestOnly: boolean,
): string[] {
  const warnings: string[] = [];
  if (field.voxelSize > elementSize / 2) {
    warnings.push(
      `The field's voxels of ${field.voxelSize} m are coarse for elements of ${elementSize} m; build it with voxels of at most ${elementSize / 2} m.`,
    );
  }
  const share = lost.volume / (volumeOfAll + lost.volume);
  if (share > TELL_LOST) {
    warnings.push(
      `About ${percent(share)} of the solid, walls about ${lost.thickness} m thick, got no elements, too thin for elements of ${elementSize} m; about ${lost.suggestedSize} m would do.`,
    );
  }
  if (pieces > 1) {
    const what = largestOnly
      ? `only the largest was kept, with ${percent(volume / volumeOfAll)} of the volume`
      : 'all of them were kept';
    warnings.push(
      `The elements form ${pieces} pieces that share no faces; ${what}: smaller elements join what thin bridges connect.`,
    );
  }
  return warnings;
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}
