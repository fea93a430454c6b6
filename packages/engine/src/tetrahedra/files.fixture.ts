import type { TetrahedralMesh } from './tetrahedral-mesh.js';

/** Small writers of every format and encoding, for tests of the readers. */
export interface TestFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The file beside it. */
  readonly other?: Uint8Array;
}

/** Two tetrahedra over a common face. */
export const TWO: TetrahedralMesh = {
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1),
  tetrahedra: Uint32Array.of(0, 1, 2, 3, 1, 2, 3, 4),
};

export function text(content: string): Uint8Array {
  return Uint8Array.from(content, (character) => character.charCodeAt(0));
}

/** One valid file of every format and encoding, all of the same mesh; with other elements where the format has them. */
export function testFiles(mesh: TetrahedralMesh = TWO): TestFile[] {
  const nodes = triples(mesh);
  const elements = quadruples(mesh);
  return [
    { name: 'a.msh', bytes: text(gmsh2Text(nodes, elements)) },
    { name: 'binary-2.msh', bytes: gmsh2Binary(nodes, elements, true) },
    { name: 'big-2.msh', bytes: gmsh2Binary(nodes, elements, false) },
    { name: 'text-4.msh', bytes: text(gmsh4Text(nodes, elements)) },
    { name: 'binary-4.msh', bytes: gmsh4Binary(nodes, elements) },
    { name: 'a.veg', bytes: text(veg(nodes, elements)) },
    { name: 'a.vtk', bytes: text(vtkText(nodes, elements)) },
    { name: 'binary.vtk', bytes: vtkBinary(nodes, elements) },
    { name: 'offsets.vtk', bytes: vtkOffsets(nodes, elements) },
    { name: 'a.mesh', bytes: text(medit(nodes, elements)) },
    { name: 'a.node', bytes: text(tetgenNodes(nodes, 0)), other: text(tetgenElements(elements, 0)) },
    { name: 'a.ele', bytes: text(tetgenElements(elements, 1)), other: text(tetgenNodes(nodes, 1)) },
  ];
}

function triples({ positions }: TetrahedralMesh): number[][] {
  return Array.from({ length: positions.length / 3 }, (_, i) => [...positions.subarray(3 * i, 3 * i + 3)]);
}

function quadruples({ tetrahedra }: TetrahedralMesh): number[][] {
  return Array.from({ length: tetrahedra.length / 4 }, (_, i) => [...tetrahedra.subarray(4 * i, 4 * i + 4)]);
}

const lines = (rows: readonly (readonly number[])[]) => rows.map((row) => `${row.join(' ')}\n`).join('');
const numbered = (rows: readonly number[][], first: number) => rows.map((row, i) => [i + first, ...row]);
const shifted = (rows: readonly number[][], by: number) => rows.map((row) => row.map((value) => value + by));

function gmsh2Text(nodes: number[][], elements: number[][]): string {
  const tetrahedra = shifted(elements, 1).map((row, i) => [i + 2, 4, 2, 1, 1, ...row]);
  return `$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 "part of it"\n$EndPhysicalNames\n$Nodes\n${nodes.length}\n${lines(numbered(nodes, 1))}$EndNodes\n$Elements\n${elements.length + 1}\n1 2 2 1 1 1 2 3\n${lines(tetrahedra)}$EndElements\n`;
}

/** Node numbers with gaps, as after a part was deleted. */
function gmsh4Text(nodes: number[][], elements: number[][]): string {
  const labels = nodes.map((_, i) => `${10 * (i + 1)}\n`).join('');
  const corners = elements.map((row, i) => [i + 7, ...row.map((node) => 10 * (node + 1))]);
  return `$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n$Nodes\n1 ${nodes.length} 10 ${10 * nodes.length}\n3 1 0 ${nodes.length}\n${labels}${lines(nodes)}$EndNodes\n$Elements\n2 ${elements.length + 1} 1 99\n2 1 2 1\n1 10 20 30\n3 1 4 ${elements.length}\n${lines(corners)}$EndElements\n`;
}

/** Bytes that grow. */
class Bytes {
  private readonly parts: number[] = [];
  private readonly littleEndian: boolean;

  constructor(littleEndian: boolean) {
    this.littleEndian = littleEndian;
  }

  text(content: string): this {
    this.parts.push(...text(content));
    return this;
  }

  int(...values: number[]): this {
    return this.put(4, values, (view, value) => view.setInt32(0, value, this.littleEndian));
  }

  long(...values: number[]): this {
    return this.put(8, values, (view, value) => view.setBigInt64(0, BigInt(value), this.littleEndian));
  }

  float(...values: number[]): this {
    return this.put(4, values, (view, value) => view.setFloat32(0, value, this.littleEndian));
  }

  double(...values: number[]): this {
    return this.put(8, values, (view, value) => view.setFloat64(0, value, this.littleEndian));
  }

  take(): Uint8Array {
    return Uint8Array.from(this.parts);
  }

  private put(bytes: number, values: number[], set: (view: DataView, value: number) => void): this {
    for (const value of values) {
      const view = new DataView(new ArrayBuffer(bytes));
      set(view, value);
      this.parts.push(...new Uint8Array(view.buffer));
    }
    return this;
  }
}

function gmsh2Binary(nodes: number[][], elements: number[][], littleEndian: boolean): Uint8Array {
  const file = new Bytes(littleEndian).text('$MeshFormat\n2.2 1 8\n').int(1).text('\n$EndMeshFormat\n');
  file.text(`$Nodes\n${nodes.length}\n`);
  for (const [i, node] of nodes.entries()) file.int(i + 1).double(...node);
  file.text(`\n$EndNodes\n$Elements\n${elements.length + 1}\n`).int(2, 1, 2, 1, 7, 7, 1, 2, 3);
  file.int(4, elements.length, 2);
  for (const [i, row] of shifted(elements, 1).entries()) file.int(i + 2, 7, 7, ...row);
  return file.text('\n$EndElements\n').take();
}

function gmsh4Binary(nodes: number[][], elements: number[][]): Uint8Array {
  const file = new Bytes(true).text('$MeshFormat\n4.1 1 8\n').int(1).text('\n$EndMeshFormat\n');
  file.text('$Entities\n').long(0, 0, 0, 0).text('\n$EndEntities\n$Nodes\n');
  file.long(1, nodes.length, 1, nodes.length).int(3, 1, 0).long(nodes.length);
  file.long(...nodes.map((_, i) => i + 1)).double(...nodes.flat());
  file.text('\n$EndNodes\n$Elements\n').long(2, elements.length + 1, 1, 99);
  file.int(2, 1, 2).long(1, 1, 1, 2, 3).int(3, 1, 4).long(elements.length);
  for (const [i, row] of shifted(elements, 1).entries()) file.long(i + 2, ...row);
  return file.text('\n$EndElements\n').take();
}

function veg(nodes: number[][], elements: number[][]): string {
  return `# A mesh\n\n*VERTICES\n${nodes.length} 3 0 0\n${lines(numbered(nodes, 1))}\n*ELEMENTS\nTET\n${elements.length} 4 0\n${lines(numbered(shifted(elements, 1), 1))}\n*MATERIAL body\nENU, 1000, 1e7, 0.45\n\n*REGION\nallElements, body\n`;
}

function vtkText(nodes: number[][], elements: number[][]): string {
  const cells = elements.map((row) => [4, ...row]);
  return `# vtk DataFile Version 3.0\ntwo\nASCII\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\nTIME 1 1 double\n0.5\nPOINTS ${nodes.length} double\n${lines(nodes)}CELLS ${elements.length + 1} ${5 * elements.length + 4}\n3 0 1 2\n${lines(cells)}CELL_TYPES ${elements.length + 1}\n5\n${elements.map(() => '10\n').join('')}POINT_DATA ${nodes.length}\n`;
}

function vtkBinary(nodes: number[][], elements: number[][]): Uint8Array {
  const file = new Bytes(false).text('# vtk DataFile Version 3.0\ntwo\nBINARY\nDATASET UNSTRUCTURED_GRID\n');
  file.text(`POINTS ${nodes.length} float\n`).float(...nodes.flat());
  file.text(`\nCELLS ${elements.length + 1} ${5 * elements.length + 4}\n`).int(3, 0, 1, 2);
  for (const row of elements) file.int(4, ...row);
  file.text(`\nCELL_TYPES ${elements.length + 1}\n`).int(5, ...elements.map(() => 10));
  return file.text('\n').take();
}

/** As version 5 writes it. */
function vtkOffsets(nodes: number[][], elements: number[][]): Uint8Array {
  const file = new Bytes(false).text('# vtk DataFile Version 5.1\ntwo\nBINARY\nDATASET UNSTRUCTURED_GRID\n');
  file.text(`POINTS ${nodes.length} double\n`).double(...nodes.flat());
  file.text('\nMETADATA\nINFORMATION 0\n\n');
  file.text(`CELLS ${elements.length + 1} ${4 * elements.length}\nOFFSETS vtktypeint64\n`);
  file.long(...Array.from({ length: elements.length + 1 }, (_, i) => 4 * i));
  file.text('\nCONNECTIVITY vtktypeint64\n').long(...elements.flat());
  file.text(`\nCELL_TYPES ${elements.length}\n`).int(...elements.map(() => 10));
  return file.text('\n').take();
}

function medit(nodes: number[][], elements: number[][]): string {
  const points = nodes.map((row) => [...row, 0]);
  const corners = shifted(elements, 1).map((row) => [...row, 1]);
  return `MeshVersionFormatted 2\n# by hand\nDimension\n3\nVertices\n${nodes.length}\n${lines(points)}Triangles\n1\n1 2 3 0\nTetrahedra\n${elements.length}\n${lines(corners)}End\n`;
}

function tetgenNodes(nodes: number[][], first: number): string {
  return `# nodes\n${nodes.length} 3 0 1\n${lines(numbered(nodes, first).map((row) => [...row, 0]))}`;
}

function tetgenElements(elements: number[][], first: number): string {
  return `${elements.length} 4 0\n${lines(numbered(shifted(elements, first), first))}# end\n`;
}
