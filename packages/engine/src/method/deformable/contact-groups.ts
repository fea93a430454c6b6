import type { WorldContacts } from './contacts.js';
import type { WorldBody } from './world-body.js';

/**
 * Contacts that feel each other, through bodies that move or bend (Duriez et al., section 3.4). A body that stands still
 * and is rigid links nothing.
 */
export interface ContactGroups {
  count: number;
  /** Contacts of each group, by index, and how many there are. */
  readonly members: readonly Int32Array[];
  readonly sizes: Int32Array;
  /** Of each body: a body of the same group, itself in the end. */
  readonly parent: Int32Array;
  /** Group of each body that is the root of one; −1 for none. */
  readonly groupOf: Int32Array;
}

export function createContactGroups(capacity: number, bodies: number): ContactGroups {
  return {
    count: 0,
    members: Array.from({ length: bodies }, () => new Int32Array(capacity)),
    sizes: new Int32Array(bodies),
    parent: new Int32Array(bodies),
    groupOf: new Int32Array(bodies),
  };
}

export function groupContacts(
  groups: ContactGroups,
  { count, side }: WorldContacts,
  bodies: readonly WorldBody[],
): void {
  const { members, sizes, parent, groupOf } = groups;
  groups.count = 0;
  for (let b = 0; b < bodies.length; b += 1) {
    parent[b] = b;
    groupOf[b] = -1;
  }
  for (let c = 0; c < count; c += 1) {
    const first = side.body[2 * c];
    const second = side.body[2 * c + 1];
    if (answers(bodies[first]) && answers(bodies[second])) parent[rootOf(parent, first)] = rootOf(parent, second);
  }
  for (let c = 0; c < count; c += 1) {
    const body = answers(bodies[side.body[2 * c]]) ? side.body[2 * c] : side.body[2 * c + 1];
    const root = rootOf(parent, body);
    if (groupOf[root] < 0) {
      groupOf[root] = groups.count;
      sizes[groups.count] = 0;
      groups.count += 1;
    }
    const group = groupOf[root];
    members[group][sizes[group]] = c;
    sizes[group] += 1;
  }
}

function answers({ rigid, elastic }: WorldBody): boolean {
  return rigid !== null || elastic !== null;
}

function rootOf(parent: Int32Array, body: number): number {
  let root = body;
  while (parent[root] !== root) root = parent[root];
  return root;
}
