import { describe, expect, it } from 'vitest';
import { createRandom } from '../../base/random.js';
import { createBox } from '../../mesh/shapes.js';
import { buildModel } from '../../model/models.js';
import { contactsOf, movedBy, proximityOf, roughened } from './proximity-rig.fixture.js';
import { createProximitySet } from './proximity-set.js';
import { thinContacts } from './thin-contacts.js';

const MM = 0.001;
const clip = buildModel('clip');
const pipe = buildModel('pipe');

describe('thinned contacts', () => {
  const set = proximityOf(clip, movedBy(pipe, 0, 0, 0.05 * MM), 0.3 * MM);

  it('are no more than asked for, each one of the set, the deepest among them', () => {
    const out = createProximitySet(60);
    expect(thinContacts(out, set, 40, { spacing: 0 })).toBe(40);
    const keys = new Map(contactsOf(set).map((contact) => [contact.key, contact]));
    for (const contact of contactsOf(out)) expect(contact).toEqual(keys.get(contact.key));
    expect(new Set(contactsOf(out).map(({ key }) => key)).size).toBe(40);
    expect(Math.min(...out.gap.subarray(0, 40))).toBe(Math.min(...set.gap.subarray(0, set.count)));
    expect(thinContacts(out, set, 1000, { spacing: 0 })).toBe(60);
  });

  it('leave no contact far from one that was chosen', () => {
    const out = createProximitySet(60);
    thinContacts(out, set, 60, { spacing: 0 });
    const chosen = contactsOf(out);
    for (const { pointB } of contactsOf(set)) {
      const nearest = Math.min(
        ...chosen.map((other) => Math.hypot(...pointB.map((x, axis) => x - other.pointB[axis]))),
      );
      expect(nearest).toBeLessThan(6 * MM);
    }
  });

  it('keep their spacing', () => {
    const out = createProximitySet(1000);
    const count = thinContacts(out, set, 1000, { spacing: 3 * MM });
    expect(count).toBeGreaterThan(20);
    expect(count).toBeLessThan(set.count / 3);
    const chosen = contactsOf(out);
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < i; j++) {
        const apart = Math.hypot(...chosen[i].pointB.map((x, axis) => x - chosen[j].pointB[axis]));
        const cosine = chosen[i].normal.reduce((sum, n, axis) => sum + n * chosen[j].normal[axis], 0);
        if (cosine > 1 - 1e-9) expect(apart).toBeGreaterThan(3 * MM);
      }
    }
  });

  it('keep contacts in one place whose normals differ', () => {
    const box = movedBy(createBox(10 * MM, 10 * MM, 10 * MM), 5.1 * MM, 5.1 * MM, 5.1 * MM);
    const found = proximityOf(box, buildModel('corner'), 0.5 * MM);
    const out = createProximitySet(12);
    expect(thinContacts(out, found, 12, { spacing: 2 * MM })).toBe(12);
  });

  it.each([0.05, 0.3, 2])('are those that comparing all with all chooses (alarm distance %f mm)', (alarm) => {
    const found = proximityOf(clip, movedBy(pipe, 0, 0, 0.05 * MM), alarm * MM);
    const out = createProximitySet(80);
    thinContacts(out, found, 80, { spacing: 0.2 * MM });
    expect(contactsOf(out).map(({ key }) => key)).toEqual(chosenByAll(contactsOf(found), 80, 0.2 * MM));
  });

  it('do not flicker while the gaps change a little, seed 9', () => {
    const random = createRandom(9);
    const out = createProximitySet(30);
    thinContacts(out, set, 30, { spacing: 0 });
    const before = new Set(contactsOf(out).map(({ key }) => key));
    let changed = 0;
    for (let cycle = 0; cycle < 20; cycle++) {
      const shaken = roughened(clip, 2e-6, Math.floor(1e6 * random()));
      thinContacts(out, proximityOf(shaken, movedBy(pipe, 0, 0, 0.05 * MM), 0.3 * MM), 30, { spacing: 0 });
      const now = new Set(contactsOf(out).map(({ key }) => key));
      changed += [...now].filter((key) => !before.has(key)).length;
      before.clear();
      for (const key of now) before.add(key);
    }
    expect(changed / (20 * 30)).toBeLessThan(0.1);
  });

  it('of an empty set are none', () => {
    const out = createProximitySet(10);
    thinContacts(out, set, 10, { spacing: 0 });
    expect(thinContacts(out, createProximitySet(10), 10, { spacing: 0 })).toBe(0);
    expect(out.count).toBe(0);
  });
});

/** Keys of the contacts chosen where none was chosen before: each time every contact is compared with every chosen one. */
function chosenByAll(contacts: ReturnType<typeof contactsOf>, most: number, spacing: number): unknown[] {
  const gaps = contacts.map(({ gap }) => gap);
  const [low, high] = [Math.min(...gaps), Math.max(...gaps)];
  const extent = [0, 1, 2].reduce((sum, axis) => {
    const along = contacts.map(({ pointB }) => pointB[axis]);
    return sum + (Math.max(...along) - Math.min(...along)) ** 2;
  }, 0);
  const turn = Math.max(extent / 4, (4 * spacing) ** 2);
  const chosen = [gaps.indexOf(low)];
  while (chosen.length < most) {
    const scores = contacts.map((contact) => {
      const apart = Math.min(
        ...chosen.map((c) => {
          const other = contacts[c];
          const cosine = contact.normal.reduce((sum, n, axis) => sum + n * other.normal[axis], 0);
          const squared = contact.pointB.reduce((sum, x, axis) => sum + (x - other.pointB[axis]) ** 2, 0);
          return contact === other ? 0 : squared + turn * Math.max(0, 1 - cosine);
        }),
      );
      return apart > spacing * spacing ? apart * (1 - (0.8 * (contact.gap - low)) / (high - low)) ** 2 : 0;
    });
    const best = scores.indexOf(Math.max(...scores));
    if (!(scores[best] > 0)) break;
    chosen.push(best);
  }
  return chosen.map((c) => contacts[c].key);
}
