import { PalpableError } from '../base/errors.js';
import { TextScanner } from '../mesh/text-scanner.js';
import { type RawTetrahedra, readLabelledElement, requireRows, TetrahedraCollector } from './raw-tetrahedra.js';

/** Reads TetGen's two files. Nodes have the numbers that the file of nodes gives them, from 0 or from 1. */
export function readTetgen(nodeFile: Uint8Array, elementFile: Uint8Array): RawTetrahedra {
  const nodes = new TextScanner(nodeFile, { hashComments: true });
  const elements = new TextScanner(elementFile, { hashComments: true });
  const lines = new TetrahedraCollector((offset) =>
    offset < 0 ? `Line ${nodes.lineOf(-offset)} of the .node file` : `Line ${elements.lineOf(offset)} of the .ele file`,
  );
  inFile('.node', () => readNodes(nodes, lines));
  inFile('.ele', () => readElements(elements, lines));
  return lines.finish();
}

/** Says in which of the two files something is wrong. */
function inFile(name: string, read: () => void): void {
  try {
    read();
  } catch (error) {
    throw error instanceof PalpableError ? error.at(name) : error;
  }
}

function readNodes(scanner: TextScanner, collector: TetrahedraCollector): void {
  const count = scanner.nextInteger();
  const dimension = scanner.nextNumberOfLine();
  if (dimension !== 3) scanner.failHere(`gives nodes of ${dimension} coordinates where 3 were expected`);
  scanner.skipLine();
  requireRows(scanner, count, 8, 'nodes');
  for (let i = 0; i < count; i++) {
    const label = scanner.nextInteger();
    // Offsets into the file of nodes are told from those into the other one by their sign.
    const offset = -scanner.offset;
    const x = scanner.nextNumberOfLine();
    const y = scanner.nextNumberOfLine();
    collector.addNode(label, x, y, scanner.nextNumberOfLine(), offset);
    scanner.skipLine();
  }
}

function readElements(scanner: TextScanner, collector: TetrahedraCollector): void {
  const count = scanner.nextInteger();
  const corners = scanner.nextTokenOfLine() ? scanner.tokenNumber() : 4;
  if (corners !== 4 && corners !== 10)
    scanner.failHere(`gives elements of ${corners} nodes where 4 or 10 were expected`);
  scanner.skipLine();
  requireRows(scanner, count, 10, 'tetrahedra');
  for (let i = 0; i < count; i++) {
    readLabelledElement(scanner, collector);
    if (corners === 10) collector.curved++;
    scanner.skipLine();
  }
}
