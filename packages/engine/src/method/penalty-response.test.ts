import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import type { ShellOwner } from '../contact/contact-query.js';
import { type ContactSet, createContactSet } from '../contact/contact-set.js';
import { createPose, rotationMatrix } from '../math/pose.js';
import { turnPose } from '../math/rotation.js';
import { addPenaltyStiffness, addPenaltyWrench } from './penalty-response.js';
import type { ContactPair, ToolContacts } from './tool-contacts.js';

const SEED = 20261115;
const CONTACTS_PER_PAIR = 7;

/** Strewn contacts of one pair per role, as far as the penalty response looks at them. */
function strewnContacts(roles: readonly ShellOwner[]): ToolContacts {
  const random = createRandom(SEED);
  const signed = () => 2 * random() - 1;
  const set = createContactSet(roles.length * CONTACTS_PER_PAIR);
  set.count = set.capacity;
  for (let c = 0; c < set.count; c += 1) {
    const normal = [signed(), signed(), signed() + 0.1];
    const size = Math.hypot(...normal);
    set.normal.set(
      normal.map((component) => component / size),
      3 * c,
    );
    set.arm.set([0.1 * signed(), 0.1 * signed(), 0.1 * signed()], 3 * c);
    set.depth[c] = 0.02 * random();
    set.stiffness[c] = 1000 * (0.1 + random());
  }
  return {
    pairs: roles.map((shellOn) => ({ query: { shellOn } }) as ContactPair),
    ends: Int32Array.from(roles, (_, p) => (p + 1) * CONTACTS_PER_PAIR),
    set,
  } as unknown as ToolContacts;
}

/**
 * The contacts after the tool has moved by `twist`: normals and stiffness constant in the world, every contact a plane.
 * A point of the tool moves with it; a point of the environment stays, and it is the tool's material below it that moves.
 */
function moved(contacts: ToolContacts, twist: Float64Array): ToolContacts {
  const { set, pairs, ends } = contacts;
  const copy: ContactSet = { ...set, arm: set.arm.slice(), depth: set.depth.slice() };
  const pose = createPose();
  turnPose(pose, twist, 3);
  const turn = rotationMatrix(new Float64Array(9), pose);
  for (let c = 0, p = 0; c < set.count; c += 1) {
    while (c >= ends[p]) p += 1;
    const arm = set.arm.subarray(3 * c, 3 * c + 3);
    for (let row = 0; row < 3; row += 1) {
      const turned = turn[3 * row] * arm[0] + turn[3 * row + 1] * arm[1] + turn[3 * row + 2] * arm[2];
      copy.depth[c] -= set.normal[3 * c + row] * (twist[row] + turned - arm[row]);
      copy.arm[3 * c + row] = pairs[p].query.shellOn === 'tool' ? turned : arm[row] - twist[row];
    }
  }
  return { ...contacts, set: copy };
}

function wrenchOf(contacts: ToolContacts): Float64Array {
  const wrench = new Float64Array(6);
  addPenaltyWrench(wrench, contacts);
  return wrench;
}

/** ∂w/∂Δ by central differences, 6×6. */
function differences(contacts: ToolContacts): Float64Array {
  const step = 1e-5;
  const matrix = new Float64Array(36);
  for (let column = 0; column < 6; column += 1) {
    const twist = new Float64Array(6);
    twist[column] = step;
    const ahead = wrenchOf(moved(contacts, twist));
    twist[column] = -step;
    const behind = wrenchOf(moved(contacts, twist));
    for (let row = 0; row < 6; row += 1) matrix[6 * row + column] = (ahead[row] - behind[row]) / (2 * step);
  }
  return matrix;
}

describe('the derivative of the penalty wrench', () => {
  const scenes: ShellOwner[][] = [['tool'], ['environment'], ['tool', 'environment', 'environment', 'tool']];
  test.each(scenes.map((roles) => [roles.join(', '), roles] as const))('is that of differences: %s', (_, roles) => {
    const contacts = strewnContacts(roles);
    const stiffness = new Float64Array(36);
    addPenaltyStiffness(stiffness, contacts);
    const expected = differences(contacts);
    // Forces, mixed terms and torques differ in size by the length of the arms: each block has its own scale.
    for (const rows of [0, 3]) {
      for (const columns of [0, 3]) {
        let scale = 0;
        let error = 0;
        for (let i = 0; i < 3; i += 1) {
          for (let j = 0; j < 3; j += 1) {
            const at = 6 * (rows + i) + columns + j;
            scale = Math.max(scale, Math.abs(expected[at]));
            error = Math.max(error, Math.abs(stiffness[at] - expected[at]));
          }
        }
        expect(error / scale, `block ${rows}, ${columns}`).toBeLessThan(1e-6);
      }
    }
  });

  test('is added to what is there', () => {
    const contacts = strewnContacts(['tool']);
    const once = new Float64Array(36);
    addPenaltyStiffness(once, contacts);
    const onTop = new Float64Array(36).fill(1);
    addPenaltyStiffness(onTop, contacts);
    for (let e = 0; e < 36; e += 1) expect(onTop[e]).toBeCloseTo(1 + once[e], 9);
  });
});

describe('the penalty wrench', () => {
  test('is k d N with its torque about the centre of mass', () => {
    const contacts = strewnContacts(['tool']);
    contacts.set.count = 1;
    contacts.set.normal.set([0, 0, 1]);
    contacts.set.arm.set([0.1, 0.2, -0.3]);
    contacts.set.depth[0] = 0.002;
    contacts.set.stiffness[0] = 500;
    const wrench = wrenchOf(contacts);
    [0, 0, 1, 0.2, -0.1, 0].forEach((expected, i) => {
      expect(wrench[i]).toBeCloseTo(expected, 14);
    });
  });

  test('has no part of contacts without stiffness', () => {
    const contacts = strewnContacts(['tool', 'environment']);
    contacts.set.stiffness.fill(0);
    const stiffness = new Float64Array(36);
    addPenaltyStiffness(stiffness, contacts);
    expect([...wrenchOf(contacts), ...stiffness].every((entry) => entry === 0)).toBe(true);
  });
});
