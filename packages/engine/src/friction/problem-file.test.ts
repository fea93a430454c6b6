import { describe, expect, it } from 'vitest';
import { isPalpableError } from '../base/errors.js';
import { createRandom } from '../base/random.js';
import { CONTACT_DYNAMIC, CONTACT_SEPARATING, createFrictionProblem } from './friction-problem.js';
import { decodeProblem, encodeProblem, isProblemFile } from './problem-file.js';
import { randomContactProblem } from './problems.fixture.js';

const sample = (count: number, seed = 1) =>
  randomContactProblem(createRandom(seed), { count, spread: 1, coefficient: [0.1, 0.9], force: 20 });

function messageOf(change: (file: ReturnType<typeof plain>) => void): string {
  const file = plain();
  change(file);
  return messageOfText(JSON.stringify(file));
}

function messageOfText(text: string): string {
  try {
    decodeProblem(text);
  } catch (error) {
    if (isPalpableError(error)) return error.message;
    throw error;
  }
  throw new Error('The text was accepted.');
}

// biome-ignore lint/suspicious/noExplicitAny: files that are wrong in every way are made of it.
const plain = (): any => JSON.parse(encodeProblem(sample(3)));

describe('a friction problem in a file', () => {
  it('comes back bit for bit', () => {
    const problem = sample(40);
    problem.role[3] = CONTACT_SEPARATING;
    problem.role[4] = CONTACT_DYNAMIC;
    problem.stretch.set([1e-300, -0], 10);
    problem.wrench[2] = 5e-324;
    problem.wrench[3] = -0;
    const again = decodeProblem(encodeProblem(problem));
    for (const key of Object.keys(problem) as (keyof typeof problem)[]) {
      expect(again[key], key).toStrictEqual(problem[key]);
    }
    expect(Object.is(again.wrench[3], -0)).toBe(true);
  });

  it('leaves out what the pool holds beyond the count', () => {
    const problem = sample(5);
    problem.count = 2;
    const again = decodeProblem(encodeProblem(problem));
    expect([again.count, again.capacity]).toEqual([2, 2]);
    expect([...again.arm]).toEqual([...problem.arm.subarray(0, 6)]);
  });

  it('may have no contacts', () => {
    const problem = sample(1);
    problem.count = 0;
    const text = encodeProblem(problem);
    expect(isProblemFile(text)).toBe(true);
    expect(decodeProblem(text).count).toBe(0);
  });

  it('may leave out tangents, role, stretch and the coupling, and have flat matrices', () => {
    const problem = sample(6);
    const file = JSON.parse(encodeProblem(problem));
    file.stiffness = file.stiffness.flat();
    file.inertia = file.inertia.flat();
    delete file.couplingWrench;
    delete file.couplingStiffness;
    for (const contact of file.contacts) {
      delete contact.tangents;
      delete contact.role;
      delete contact.stretch;
    }
    const again = decodeProblem(JSON.stringify(file));
    expect([...again.tangent]).toEqual([...problem.tangent]);
    expect([...again.stiffness]).toEqual([...problem.stiffness]);
    again.couplingWrench.forEach((value, i) => {
      expect(value).toBeCloseTo(problem.couplingWrench[i], 10);
    });
    again.couplingStiffness.forEach((value, i) => {
      expect(value).toBeCloseTo(problem.couplingStiffness[i], 8);
    });
  });

  it('is refused with every mistake at its path, with what was found and what was expected', () => {
    const message = messageOf((file) => {
      file.mass = -1;
      file.wrench = [1, 2, 3];
      file.frictoin = 'cone';
      file.contacts[0].normal = [0, 0, 2];
      file.contacts[1].role = 'sticky';
      file.contacts[2].coefficient = '0.5';
      delete file.contacts[2].arm;
    });
    expect(message).toContain('in 7 places');
    expect(message).toContain('mass: found -1, expected a number above 0 (kg)');
    expect(message).toContain('wrench: found [1,2,3], expected 6 finite numbers');
    expect(message).toContain('frictoin: found "cone", expected no such key');
    expect(message).toContain('contacts[0].normal: found [0,0,2], expected a vector of length 1, not 2');
    expect(message).toContain('contacts[1].role: found "sticky", expected "static", "separating" or "dynamic"');
    expect(message).toContain('contacts[2].coefficient: found "0.5", expected a number, 0 or above');
    expect(message).toContain('contacts[2].arm: found nothing, expected 3 finite numbers');
  });

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  it.each<[string, string, (file: any) => void]>([
    ['another kind', 'kind: found "scene"', (file) => Object.assign(file, { kind: 'scene' })],
    ['another version', 'palpable: found 2, expected 1', (file) => Object.assign(file, { palpable: 2 })],
    ['no list of contacts', 'contacts: found {}, expected a list', (file) => Object.assign(file, { contacts: {} })],
    ['a contact that is a number', 'contacts[1]: found 7', (file) => file.contacts.splice(1, 1, 7)],
    ['a singular stiffness', 'stiffness: found', (file) => Object.assign(file, { stiffness: new Array(36).fill(0) })],
    [
      'an inertia that is not positive',
      'inertia: found [1,0,0,0,1,0,0,0,-1], expected a symmetric, positive definite matrix',
      (file) => Object.assign(file, { inertia: [1, 0, 0, 0, 1, 0, 0, 0, -1] }),
    ],
    [
      'tangents that are not at right angles',
      'contacts[0].tangents: found',
      (file) => Object.assign(file.contacts[0], { tangents: [file.contacts[0].normal, file.contacts[0].normal] }),
    ],
    [
      'a normal force on nothing stiff',
      'contacts[2].normalStiffness: found 0, expected a number above 0',
      (file) => Object.assign(file.contacts[2], { normalForce: 1, normalStiffness: 0 }),
    ],
  ])('is refused with %s', (_, expected, change) => {
    expect(messageOf(change)).toContain(expected);
  });

  it('is refused as text that is not JSON, or not an object, with the place', () => {
    expect(messageOfText('{\n  "mass": 1,\n  oops\n}')).toContain('line 3, column 3');
    expect(messageOfText('[1, 2]')).toContain('found [1,2], expected an object');
    expect(messageOfText(encodeProblem(sample(1)).replace('"mass": 1,', '"mass": 1e999,'))).toContain(
      'mass: found Infinity',
    );
    expect(messageOfText('')).toContain('not valid JSON');
  });

  it('names a hundred mistakes and counts the rest', () => {
    const file = plain();
    file.contacts = new Array(150).fill(0);
    expect(messageOfText(JSON.stringify(file))).toContain('… and 50 more');
  });

  it('is not written with numbers that JSON cannot hold', () => {
    const problem = createFrictionProblem(1);
    problem.wrench[1] = Number.NaN;
    expect(() => encodeProblem(problem)).toThrow('wrench[1] is NaN, expected a finite number');
  });
});
