import { checkSceneValue, frictionModels, methods } from '@palpable/engine';
import { describe, expect, it } from 'vitest';
import {
  type Choices,
  frictionNote,
  impliedValue,
  inWords,
  isUsed,
  liveParameter,
  liveParameters,
  matchesFilter,
  offeredChoices,
  readChoices,
  readValue,
} from './parameter-model.js';

const choices = (changes: Partial<Choices> = {}): Choices => ({
  method: 'static-friction',
  model: 'cone',
  constraint: 'heuristic',
  detection: 'shell',
  ...changes,
});

const used = (changes: Partial<Choices>) =>
  liveParameters.map(({ path }) => path).filter((path) => isUsed(path, choices(changes)));

describe('liveParameters', () => {
  it('has a method and a friction model that use each of them', () => {
    const all = methods.flatMap(({ kind: method }) =>
      frictionModels.flatMap(({ name: model }) =>
        ['heuristic', 'manifold'].flatMap((constraint) =>
          ['shell', 'hierarchy'].map((detection) => ({ method, model, constraint, detection })),
        ),
      ),
    );
    const unused = liveParameters.filter(({ path }) => !all.some((each) => isUsed(path, each)));
    expect(unused.map(({ path }) => path)).toEqual([]);
  });

  it('has no lists and nothing that has to be given', () => {
    expect(liveParameters.some(({ path }) => path.startsWith('friction.pairs'))).toBe(false);
    expect(liveParameters.every(({ parameter }) => parameter.default !== undefined)).toBe(true);
  });

  it('has the defaults of the check of scene files', () => {
    const bodies = { a: { mesh: { box: [1, 1, 1] } }, b: { mesh: { box: [1, 1, 1] } } };
    const { scene } = checkSceneValue({ palpable: 1, tool: 'a', bodies });
    expect(scene).not.toBeNull();
    for (const { path } of liveParameters) expect([path, readValue({}, path)]).toEqual([path, readValue(scene, path)]);
  });

  it('names every key once', () => {
    expect(new Set(liveParameters.map(({ name }) => name)).size).toBe(liveParameters.length);
    expect(liveParameter('coupling.torsionalStiffness')).toMatchObject({
      group: 'coupling',
      label: 'Torsional stiffness',
      name: 'Coupling: torsional stiffness',
    });
    expect(liveParameter('gravity')?.name).toBe('Gravity: acceleration');
    expect(liveParameter('friction.model')?.name).toBe('Friction model');
    expect(inWords('god-object')).toBe('God object');
  });
});

describe('isUsed', () => {
  it('leaves a penalty method what it reads', () => {
    expect(used({ method: 'penalty' }).sort()).toEqual([
      'contact.adaptive',
      'contact.cornerWeighting',
      'contact.margin',
      'contact.maxContacts',
      'contact.stiffness',
      'method.kind',
    ]);
  });

  it.each([
    ['friction.sides', { model: 'pyramid' }, { model: 'cone' }],
    ['friction.springStiffness', { model: 'springs' }, { model: 'quadratic' }],
    ['friction.slip', { model: 'cone' }, { model: 'staggered' }],
    ['friction.coefficient', { model: 'cone' }, { model: 'none' }],
    ['friction.viscous', { method: 'god-object' }, {}],
    ['friction.tolerance', {}, { method: 'god-object' }],
    ['method.staticDamping', {}, { method: 'god-object' }],
    ['method.constraint', { method: 'god-object' }, {}],
    ['method.filter', { method: 'god-object' }, { method: 'god-object', constraint: 'manifold' }],
    ['contact.stiffness', { method: 'god-object', constraint: 'manifold' }, { method: 'god-object' }],
    ['contact.margin', { method: 'penalty' }, { method: 'god-object' }],
    ['coupling.damping', { method: 'god-object' }, {}],
    ['coupling.torsionalDamping', { method: 'modular' }, {}],
    ['contact.margin', {}, { method: 'modular' }],
    ['friction.slip', {}, { method: 'modular' }],
    ['method.clusters', { method: 'modular' }, {}],
    ['method.tolerance', { method: 'modular', detection: 'hierarchy' }, { method: 'modular' }],
    ['method.alarmDistance', { method: 'deformable' }, { method: 'modular' }],
    ['method.mass', { method: 'deformable' }, {}],
    ['coupling.damping', { method: 'deformable' }, {}],
    ['contact.stiffness', {}, { method: 'deformable' }],
    ['contact.maxContacts', { method: 'modular' }, { method: 'deformable' }],
    ['method.clusters', { method: 'modular' }, { method: 'deformable' }],
    ['bodies.clip.deformable.young', { method: 'deformable' }, {}],
  ])('knows who uses %s', (path, by, notBy) => {
    expect(isUsed(path, choices(by))).toBe(true);
    expect(isUsed(path, choices(notBy))).toBe(false);
  });

  it('agrees with descriptions that name the method', () => {
    const ofGodObject = liveParameters.filter(({ parameter }) => parameter.meaning.includes('`god-object`'));
    expect(ofGodObject.length).toBeGreaterThan(4);
    for (const { path } of ofGodObject) {
      expect([path, isUsed(path, choices({ method: 'god-object' }))]).toEqual([path, true]);
      expect([path, isUsed(path, choices())]).toEqual([path, false]);
    }
  });
});

describe('reading a scene', () => {
  it('takes what is given and else the default', () => {
    const scene = { friction: { coefficient: 0.8, static: null }, gravity: [0, 0, -9.81] };
    expect(readValue(scene, 'friction.coefficient')).toBe(0.8);
    expect(readValue(scene, 'friction.static')).toBeNull();
    expect(readValue(scene, 'gravity')).toEqual([0, 0, -9.81]);
    expect(readValue(scene, 'contact.stiffness')).toBeNull();
    expect(readValue(undefined, 'method.kind')).toBe('god-object');
    expect(readValue({ method: 'penalty' }, 'method.filter')).toBe(true);
  });

  it('gives the choices', () => {
    const scene = { method: { kind: 'god-object', constraint: 'manifold' } };
    expect(readChoices((path) => readValue(scene, path))).toEqual({
      method: 'god-object',
      model: 'cone',
      constraint: 'manifold',
      detection: 'shell',
    });
  });

  it('says what stands for a key that is not given', () => {
    const read = (path: string) => readValue({ friction: { coefficient: 0.8 } }, path);
    expect(impliedValue('friction.kinetic', read).value).toBe(0.8);
    expect(impliedValue('friction.viscous', read).value).toBeCloseTo(0.008);
    expect(impliedValue('coupling.graspPoint', read)).toEqual({ words: 'the centre of mass' });
    expect(impliedValue('method.mass', read)).toEqual({ words: 'from the density' });
    expect(impliedValue('contact.stiffness', read)).toEqual({ words: 'as the method needs' });
  });

  it('lets nothing but coefficients of friction follow the coefficient', () => {
    const read = (path: string) => readValue({}, path);
    const following = liveParameters
      .filter(({ parameter }) => 'default' in parameter && parameter.default === null)
      .filter(({ path }) => impliedValue(path, read).words === 'as the coefficient');
    expect(following.map(({ path }) => path)).toEqual(['friction.static', 'friction.kinetic', 'friction.rotational']);
  });
});

describe('words', () => {
  it('offers to bend bodies only where one has a material, or the scene bends them anyway', () => {
    const { parameter } = liveParameter('method.kind')!;
    if (parameter.kind !== 'choice') throw new Error('The method is a choice.');
    const rigid = { a: { mesh: 'a.stl' } };
    const soft = { a: { mesh: 'a.stl', deformable: {} } };
    const usual = ['penalty', 'static-friction', 'god-object', 'modular'];
    expect(offeredChoices(parameter, 'penalty', rigid)).toEqual(usual);
    expect(offeredChoices(parameter, 'penalty', soft)).toEqual([...usual, 'deformable']);
    expect(offeredChoices(parameter, 'deformable', rigid)).toContain('deformable');
  });

  it('says where the friction model means less than it says', () => {
    expect(frictionNote(choices())).toBeUndefined();
    expect(frictionNote(choices({ method: 'penalty' }))).toContain('no friction');
    expect(frictionNote(choices({ method: 'god-object' }))).toContain('its own friction law');
    expect(frictionNote(choices({ method: 'modular' }))).toContain('its own friction law');
    expect(frictionNote(choices({ method: 'deformable' }))).toContain('its own friction law');
  });

  it('finds keys by name, path and meaning, with all words', () => {
    const find = (filter: string) =>
      liveParameters.filter((live) => matchesFilter(live, filter)).map(({ path }) => path);
    expect(find('')).toHaveLength(liveParameters.length);
    expect(find('torsional')).toEqual(['coupling.torsionalStiffness', 'coupling.torsionalDamping']);
    expect(find('Stiffness contact')).toContain('contact.stiffness');
    expect(find('contact.stiffness')).toEqual(['contact.stiffness']);
    expect(find('nonsense')).toEqual([]);
  });
});
