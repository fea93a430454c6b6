import { auditMesh, checkSceneValue, createBox } from '@palpable/engine';
import { describe, expect, it } from 'vitest';
import { composeScene, type SceneBefore } from './compose-scene.js';
import { guessRoles, guessUnit, type Part, scaleAudit } from './part.js';

const value = {
  palpable: 1,
  bodies: { block: { mesh: { box: [0.1, 0.1, 0.1] }, position: [0, 0, 0.2] }, plate: { mesh: { box: [1, 1, 0.1] } } },
  tool: 'block',
  friction: { pairs: [{ bodies: ['block', 'plate'], coefficient: 0.1 }] },
};
const before: SceneBefore = {
  value,
  scene: checkSceneValue(value).scene!,
  bodies: [],
  toolBounds: { min: [-0.05, -0.05, 0.15], max: [0.05, 0.05, 0.25] },
  environmentBounds: { min: [-0.5, -0.5, -0.05], max: [0.5, 0.5, 0.05] },
};

/** A box of 60 × 40 × 20 units. */
function createPart(wish: Partial<Part> = {}): Part {
  return {
    fileName: 'part.stl',
    bytes: new Uint8Array(),
    format: 'stl',
    audit: auditMesh(createBox(60, 40, 20)),
    warnings: [],
    unit: 'mm',
    role: 'environment',
    isSoft: false,
    ...wish,
  };
}

interface SoftScene {
  readonly method: { readonly kind?: string; readonly alarmDistance?: number };
  readonly coupling: object;
  readonly bodies: Readonly<
    Record<string, { deformable?: { fixed?: readonly [{ min: readonly number[]; max: readonly number[] }] } }>
  >;
}

interface Composed {
  readonly tool: string;
  readonly bodies: Readonly<Record<string, { position: number[]; unit?: string; field?: object; shell?: object }>>;
}

function compose(...parts: Part[]): Composed {
  const composed = composeScene(before, parts);
  expect(checkSceneValue(composed).problems).toEqual([]);
  return composed as Composed;
}

describe('composeScene', () => {
  it('replaces what stands still and lifts the tool above it', () => {
    const { tool, bodies } = compose(createPart());
    expect(Object.keys(bodies)).toEqual(['block', 'part']);
    expect(tool).toBe('block');
    expect(bodies.part!.position[2]).toBeCloseTo(0.01, 12);
    expect(bodies.block!.position[2]).toBeCloseTo(0.02 + 0.025 + 0.05, 12);
  });

  it('bends what is soft, held at its lower end or by the hand', () => {
    const soft = compose(createPart({ isSoft: true })) as unknown as SoftScene;
    expect(soft.method).toEqual({ kind: 'deformable', alarmDistance: 0.0012 });
    const [{ min, max }] = soft.bodies.part!.deformable!.fixed!;
    // The box is 60 × 40 × 20 mm about its origin.
    expect(min[2]).toBeLessThan(-0.01);
    expect(max[2]).toBeCloseTo(-0.008, 12);
    expect(max[0]).toBeGreaterThan(0.03);
    const held = compose(createPart({ isSoft: true, role: 'tool' })) as unknown as SoftScene;
    expect(held.bodies.part!.deformable).toEqual({});
    expect(held.method.kind).toBe('deformable');
  });

  it('goes back to a method for rigid bodies with the last soft one, and lets go where the old tool was held', () => {
    const bodies = { ...value.bodies, block: { ...value.bodies.block, deformable: {} } };
    const coupling = { stiffness: 500, graspPoint: [0, 0, 0.04] };
    const softBefore = { ...value, bodies, coupling, method: { kind: 'deformable', alarmDistance: 0.001 } };
    const soft = { ...before, value: softBefore, scene: checkSceneValue(softBefore).scene! };
    const composed = composeScene(soft, [createPart({ role: 'tool' })]) as SoftScene;
    expect(checkSceneValue(composed).problems).toEqual([]);
    expect(composed.method).toEqual({});
    expect(composed.coupling).toEqual({ stiffness: 500 });
    const kept = composeScene(soft, [createPart()]) as SoftScene;
    expect(kept.method).toEqual(softBefore.method);
    expect(kept.coupling).toEqual(coupling);
  });

  it('replaces the tool', () => {
    const { tool, bodies } = compose(createPart({ role: 'tool' }));
    expect(Object.keys(bodies)).toEqual(['plate', 'part']);
    expect(tool).toBe('part');
    expect(bodies.part!.position[2]).toBeCloseTo(0.05 + 0.005 + 0.01, 12);
    expect(bodies.part!.field).toBeUndefined();
  });

  it('adds beside what is there, under a name of its own', () => {
    const { bodies } = compose(createPart({ role: 'addition', fileName: 'plate.stl' }));
    expect(Object.keys(bodies)).toEqual(['block', 'plate', 'plate 2']);
    expect(bodies['plate 2']!.position[0]).toBeGreaterThan(0.5);
  });

  it('takes two parts for a scene of their own', () => {
    const { tool, bodies } = compose(
      createPart({ fileName: 'hole.stl' }),
      createPart({ fileName: 'peg.stl', role: 'tool' }),
    );
    expect(Object.keys(bodies)).toEqual(['hole', 'peg']);
    expect(tool).toBe('peg');
  });

  it('gives a tool with holes a field for its mass', () => {
    const audit = { ...createPart().audit, closed: false };
    expect(compose(createPart({ role: 'tool', audit })).bodies.part!.field).toBeDefined();
  });
});

describe('guesses', () => {
  it('takes large numbers for millimetres, and glTF for metres', () => {
    const small = { ...createPart(), audit: auditMesh(createBox(0.06, 0.04, 0.02)) };
    expect(guessUnit(createPart())).toBe('mm');
    expect(guessUnit(small)).toBe('m');
    expect(guessUnit(createPart({ format: 'gltf' }))).toBe('m');
  });

  it('holds the smaller of two', () => {
    const large = createPart({ audit: auditMesh(createBox(90, 40, 20)) });
    expect(guessRoles([createPart()])).toEqual(['environment']);
    expect(guessRoles([large, createPart()])).toEqual(['environment', 'tool']);
  });

  it('scales the audit', () => {
    const audit = scaleAudit(createPart().audit, 0.001);
    expect(audit.size[0]).toBeCloseTo(0.06, 12);
    expect(audit.volume).toBeCloseTo(0.06 * 0.04 * 0.02, 12);
    expect(audit.area).toBeCloseTo(2 * (0.06 * 0.04 + 0.06 * 0.02 + 0.04 * 0.02), 12);
  });
});
