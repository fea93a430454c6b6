import { PalpableError } from '../base/errors.js';
import { GrowableFloat64 } from '../mesh/growable.js';
import { truncated } from '../mesh/raw-mesh.js';
import type { TextScanner } from '../mesh/text-scanner.js';

/** What a file says of the material of its elements. */
export interface MaterialHint {
  /** kg/m³ */
  readonly density: number;
  /** Young's modulus, Pa */
  readonly young: number;
  /** Poisson's ratio */
  readonly poisson: number;
}

/** What a reader found in a file: the file's own unit and numbering made ours, with what the user should know. */
export interface RawTetrahedra {
  readonly positions: Float64Array;
  readonly tetrahedra: Uint32Array;
  /** The number that the file gives to each node. */
  readonly nodeLabels: Float64Array;
  readonly warnings: string[];
  readonly material?: MaterialHint;
}

/** Most elements, and most nodes, that are accepted, as for surfaces: more do not fit the memory of a browser tab. */
const MOST = 16_000_000;

/**
 * Collects nodes and elements by the numbers that a file gives them, in any order, and says at the end what does not
 * fit together. `where` names a place in the file ("Line 12") from the offset that came with an element or a node.
 */
export class TetrahedraCollector {
  /** Elements of other kinds. */
  skipped = 0;
  /** Elements with nodes on their edges, of which only the corners are taken. */
  curved = 0;
  private readonly where: (offset: number) => string;
  private readonly positions = new GrowableFloat64();
  private readonly labels = new GrowableFloat64();
  private readonly corners = new GrowableFloat64();
  private readonly offsets = new GrowableFloat64();
  private readonly indexOf = new Map<number, number>();

  constructor(where: (offset: number) => string) {
    this.where = where;
  }

  addNode(label: number, x: number, y: number, z: number, offset: number): void {
    if (this.indexOf.has(label)) {
      this.fail(offset, `gives node ${label} a second time; every node must have a number of its own`);
    }
    this.indexOf.set(label, this.labels.length);
    checkLimit(this.labels.length, 'nodes');
    this.labels.push(label);
    this.positions.push3(x, y, z);
  }

  addTetrahedron(a: number, b: number, c: number, d: number, offset: number): void {
    this.corners.push(a);
    this.corners.push3(b, c, d);
    this.offsets.push(offset);
    checkLimit(this.offsets.length, 'tetrahedra');
  }

  /** Nodes that no element uses are left out: they would float without any stiffness. */
  finish(): RawTetrahedra {
    const total = this.corners.length;
    if (total === 0) {
      const others = this.skipped > 0 ? ` but ${this.skipped} other elements` : '';
      throw new PalpableError(
        'mesh-empty',
        `The file holds no tetrahedra${others}; export a volume mesh of tetrahedra.`,
      );
    }
    const used = new Uint8Array(this.labels.length);
    const tetrahedra = new Uint32Array(total);
    for (let i = 0; i < total; i++) {
      const index = this.indexOf.get(this.corners.data[i]);
      if (index === undefined) {
        this.fail(
          this.offsets.data[i >> 2],
          `uses node ${this.corners.data[i]}, which is not among the ${this.labels.length} nodes of the file`,
        );
      }
      tetrahedra[i] = index;
      used[index] = 1;
    }
    return this.compact(tetrahedra, used);
  }

  private compact(tetrahedra: Uint32Array, used: Uint8Array): RawTetrahedra {
    const kept = new Uint32Array(used.length);
    const positions = new GrowableFloat64();
    const labels = new GrowableFloat64();
    for (let node = 0; node < used.length; node++) {
      if (used[node] === 0) continue;
      kept[node] = labels.length;
      labels.push(this.labels.data[node]);
      const { data } = this.positions;
      positions.push3(data[3 * node], data[3 * node + 1], data[3 * node + 2]);
    }
    return {
      positions: positions.take(),
      tetrahedra: tetrahedra.map((node) => kept[node]),
      nodeLabels: labels.take(),
      warnings: this.warnings(used.length - labels.length),
    };
  }

  private warnings(unused: number): string[] {
    const warnings: string[] = [];
    if (this.skipped > 0) warnings.push(`${this.skipped} elements that are no tetrahedra were left out.`);
    if (this.curved > 0) {
      warnings.push(
        `${this.curved} tetrahedra have nodes on their edges: only their corners are used, edges are straight.`,
      );
    }
    if (unused > 0) warnings.push(`${unused} nodes that no tetrahedron uses were left out.`);
    return warnings;
  }

  private fail(offset: number, what: string): never {
    throw new PalpableError(
      'format-invalid',
      `${this.where(offset)} ${what}; the file is damaged: repair it or export it again.`,
    );
  }
}

function checkLimit(count: number, what: string): void {
  if (count <= MOST) return;
  throw new PalpableError(
    'too-large',
    `The mesh has more than ${MOST / 1e6} million ${what}; mesh it with larger elements.`,
  );
}

/** Fails if what is left of the text cannot hold as many rows as announced, of so many bytes each at least. */
export function requireRows(scanner: TextScanner, count: number, bytesEach: number, what: string): void {
  const needed = count * bytesEach - 1;
  if (needed > scanner.remaining) throw truncated(`A list of ${count} ${what}`, needed, scanner.remaining);
}

/** Reads a label, which nothing refers to, and the four corners after it. */
export function readLabelledElement(scanner: TextScanner, collector: TetrahedraCollector): void {
  scanner.nextInteger();
  const offset = scanner.offset;
  const a = scanner.nextInteger();
  const b = scanner.nextInteger();
  const c = scanner.nextInteger();
  collector.addTetrahedron(a, b, c, scanner.nextInteger(), offset);
}
