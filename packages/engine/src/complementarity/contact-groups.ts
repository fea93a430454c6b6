import { UnionFind } from '../base/union-find.js';
import { type ConeProblem, createConeProblem } from './cone-problem.js';
import { BLOCK_STRIDE } from './one-contact.js';

/** Contacts that act on each other through W, and none besides. */
export interface ContactGroup {
  readonly contacts: readonly number[];
  readonly problem: ConeProblem;
}

/** Parts of a problem that can be solved apart, in the order of their first contacts. */
export function splitGroups(problem: ConeProblem): ContactGroup[] {
  const { column, count, rowStart } = problem;
  const joined = new UnionFind(count);
  for (let row = 0; row < count; row += 1) {
    for (let block = rowStart[row]; block < rowStart[row + 1]; block += 1) joined.join(row, column[block]);
  }
  const groups = new Map<number, number[]>();
  const place = new Int32Array(count);
  for (let contact = 0; contact < count; contact += 1) {
    const root = joined.find(contact);
    const contacts = groups.get(root) ?? [];
    groups.set(root, contacts);
    place[contact] = contacts.push(contact) - 1;
  }
  return Array.from(groups.values(), (contacts) => ({ contacts, problem: extract(problem, contacts, place) }));
}

function extract(whole: ConeProblem, contacts: readonly number[], place: Int32Array): ConeProblem {
  const blockCount = contacts.reduce((sum, i) => sum + whole.rowStart[i + 1] - whole.rowStart[i], 0);
  const part = createConeProblem(contacts.length, blockCount);
  part.count = contacts.length;
  let block = 0;
  contacts.forEach((contact, row) => {
    part.coefficient[row] = whole.coefficient[contact];
    part.free.set(whole.free.subarray(3 * contact, 3 * contact + 3), 3 * row);
    for (let from = whole.rowStart[contact]; from < whole.rowStart[contact + 1]; from += 1) {
      if (from === whole.diagonal[contact]) part.diagonal[row] = block;
      part.column[block] = place[whole.column[from]];
      part.blocks.set(whole.blocks.subarray(BLOCK_STRIDE * from, BLOCK_STRIDE * (from + 1)), BLOCK_STRIDE * block);
      block += 1;
    }
    part.rowStart[row + 1] = block;
  });
  return part;
}
