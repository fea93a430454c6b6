import { describe, expect, test } from 'vitest';
import { createContactSet } from '../../contact/contact-set.js';
import {
  CONTACT_DYNAMIC,
  CONTACT_SEPARATING,
  CONTACT_STATIC,
  createFrictionProblem,
} from '../../friction/friction-problem.js';
import { writeTangents } from '../../friction/tangent-frame.js';
import type { ContactPair, ToolContacts } from '../tool-contacts.js';
import { type Separation, setContactRoles } from './contact-roles.js';

/** Contacts with the normal z at the given arms; the second half belongs to a second pair. */
function levelContacts(arms: readonly (readonly number[])[], dynamicPoints: Uint8Array | null = null) {
  const problem = createFrictionProblem(arms.length);
  const set = createContactSet(arms.length);
  problem.count = arms.length;
  set.count = arms.length;
  arms.forEach((arm, c) => {
    problem.arm.set(arm, 3 * c);
    problem.normal.set([0, 0, 1], 3 * c);
    writeTangents(problem.tangent, problem.normal, c);
    set.point[c] = c;
  });
  const half = arms.length >> 1;
  const pairs = [null, dynamicPoints].map((points) => ({ dynamicPoints: points }));
  const ends = Int32Array.of(half, arms.length);
  const contacts = { pairs: pairs as ContactPair[], ends, set } as unknown as ToolContacts;
  return { problem, contacts };
}

function rolesFor(
  separation: Separation,
  displacement: readonly number[],
  force: readonly number[],
  dynamicPoints: Uint8Array | null = null,
): number[] {
  const { problem, contacts } = levelContacts(
    [
      [-0.05, 0, -0.05],
      [0.05, 0, -0.05],
    ],
    dynamicPoints,
  );
  setContactRoles(problem, contacts, separation, Float64Array.from(displacement), Float64Array.from(force));
  return [...problem.role];
}

describe('separating contacts', () => {
  const UP = [0, 0, 1e-3, 0, 0, 0];
  const DOWN = [0, 0, -1e-3, 0, 0, 0];
  /** Rises at −x and sinks at +x: what a pull along x at the centre of mass does. */
  const TIPPING = [1e-3, 0, 0, 0, 0.01, 0];

  test('are those that the coupling lifts off', () => {
    expect(rolesFor('pull', UP, [0, 0, 1])).toEqual([CONTACT_SEPARATING, CONTACT_SEPARATING]);
    expect(rolesFor('pull', UP, [0, 0, -1])).toEqual([CONTACT_STATIC, CONTACT_STATIC]);
    expect(rolesFor('pull', DOWN, [0, 0, 1])).toEqual([CONTACT_STATIC, CONTACT_STATIC]);
  });

  test('are not the edge that rises while the tool is pressed and pulled; the printed test strips it', () => {
    const pressedAndPulled = [3, 0, -1];
    expect(rolesFor('pull', TIPPING, pressedAndPulled)).toEqual([CONTACT_STATIC, CONTACT_STATIC]);
    expect(rolesFor('printed', TIPPING, pressedAndPulled)).toEqual([CONTACT_SEPARATING, CONTACT_STATIC]);
  });

  test('are judged point by point', () => {
    expect(rolesFor('pull', TIPPING, [1, 0, 1])).toEqual([CONTACT_SEPARATING, CONTACT_STATIC]);
  });

  test('do not exist when switched off', () => {
    expect(rolesFor('off', UP, [0, 0, 1])).toEqual([CONTACT_STATIC, CONTACT_STATIC]);
  });

  test('do not include those declared dynamic', () => {
    const dynamicPoints = Uint8Array.of(1, 1);
    expect(rolesFor('pull', UP, [0, 0, 1], dynamicPoints)).toEqual([CONTACT_SEPARATING, CONTACT_DYNAMIC]);
    expect(rolesFor('off', DOWN, [0, 0, -1], dynamicPoints)).toEqual([CONTACT_STATIC, CONTACT_DYNAMIC]);
  });
});
