import { beforeAll, describe, expect, test } from 'vitest';
import { type PreparedBody, prepareBody } from '../../asset/prepared-body.js';
import type { ShellOwner } from '../../contact/contact-query.js';
import { frictionModels } from '../../friction/create-friction-model.js';
import type { FrictionModelName } from '../../friction/friction-model.js';
import { useKernels } from '../../kernels/arena.js';
import { createPose } from '../../math/pose.js';
import { createBox } from '../../mesh/shapes.js';
import { CAPPED_ITERATIONS, createMethodOutput, STATE_FREE, STATE_SLIP, STATE_STICK } from '../method.js';
import { createPenaltyMethod } from '../penalty/penalty.js';
import {
  changeOptions,
  createRig,
  forceRatio,
  joinBodies,
  prepareRigBodies,
  type Rig,
  type RigBodies,
  type RigChanges,
  resolveForce,
  runRig,
  settleAt,
  turnedPose,
} from '../rig.fixture.js';
import { createContactPair, createToolContacts, findToolContacts } from '../tool-contacts.js';

/* A cube of 0.1 m on a block, pressed by 5 mm of coupling: about 4.2 N. */

const ROLES: ShellOwner[] = ['tool', 'environment'];
const SIDE = 0.1;
const CUBE = createBox(SIDE, SIDE, SIDE);
const BLOCK = createBox(0.16, 0.16, 0.05);
const COEFFICIENT = 0.5;
/** Height at which the cube just touches the block. */
const TOUCHING = 0.075;
const ABOVE = createPose(0, 0, TOUCHING + 0.001);
const PRESSED = createPose(0, 0, TOUCHING - 0.005);
const SETTLING = 100;
/** Of a long run of cycles on a busy machine. */
const PATIENCE = 90_000;

const bodies = {} as Record<ShellOwner, RigBodies>;

beforeAll(async () => {
  for (const shellOn of ROLES) bodies[shellOn] = await prepareRigBodies(CUBE, BLOCK, { shellOn, spacing: 0.01 });
}, PATIENCE);

function pressedCube(shellOn: ShellOwner, changes: RigChanges = {}, coefficient = COEFFICIENT): Rig {
  const rig = createRig(bodies[shellOn], { staticCoefficient: coefficient }, changes);
  settleAt(rig, ABOVE, PRESSED, SETTLING);
  return rig;
}

/**
 * Leads the device away along `angle` until the tool slips or the ratio of forces reaches `until`; returns that ratio.
 * From 90 % of `expected` on by steps of 0.2 % of it.
 */
function pull(rig: Rig, angle: number, expected: number, until: number): number {
  for (let way = 0; way < 0.02; way += forceRatio(rig) < 0.9 * expected ? 3e-5 : 4e-6) {
    rig.device[0] = way * Math.cos(angle);
    rig.device[1] = way * Math.sin(angle);
    runRig(rig, 1);
    const ratio = forceRatio(rig);
    if (rig.output.frictionState === STATE_SLIP || ratio >= until) return ratio;
  }
  throw new RangeError('The tool neither slipped nor took up the force.');
}

/** The ratio at which it slips, in units of the expected one. */
function slipRatio(rig: Rig, angle: number, expected: number): number {
  const ratio = pull(rig, angle, expected, Number.POSITIVE_INFINITY);
  expect(rig.output.frictionState).toBe(STATE_SLIP);
  return ratio / expected;
}

/** How far the tool is from a pose, with its turn counted at half its side. */
function distanceFrom(pose: Float64Array, { output }: Rig): number {
  const { toolPose } = output;
  const turn = 2 * Math.hypot(toolPose[3] - pose[3], toolPose[4] - pose[4], toolPose[5] - pose[5]);
  return Math.hypot(toolPose[0] - pose[0], toolPose[1] - pose[1], toolPose[2] - pose[2]) + (turn * SIDE) / 2;
}

test.each(ROLES)('what was found on the path of a step is not searched again, shell on the %s', (shellOn) => {
  // Deep, where every step is looked at.
  const rig = pressedCube(shellOn, { contact: { stiffness: 1000 } });
  const { method, pairs, tool, output } = rig;
  const expected = createToolContacts(tool, pairs, method.contacts.set.capacity);
  const isSearched = () => {
    const { set } = method.contacts;
    findToolContacts(expected, output.toolPose);
    rig.device[0] += 1e-4;
    runRig(rig, 1);
    const { count } = expected.set;
    expect(count).toBeGreaterThan(20);
    expect(method.contacts.set.count).toBe(count);
    expect(method.contacts.ends).toEqual(expected.ends);
    for (const [key, size] of [
      ['point', 1],
      ['depth', 1],
      ['arm', 3],
      ['gradient', 3],
    ] as const) {
      const found = method.contacts.set[key].subarray(0, size * count);
      expect(found).toEqual(expected.set[key].subarray(0, size * count));
    }
    return method.contacts.set === set;
  };
  for (let cycle = 0; cycle < 20; cycle += 1) expect(isSearched()).toBe(false);
  pairs[0].environmentPose[2] += 2e-4;
  expect(isSearched()).toBe(true);
});

describe('a cube pressed flat', () => {
  /** In the middle of the block, and over its rim, where a side face of either body lies inside the other one. */
  const PLACES = [createPose(0, 0, TOUCHING - 0.007), createPose(0.06, 0.02, TOUCHING - 0.007)];

  /** Largest |F_t| / F_n of the penalty forces alone. */
  function sidewaysPush(shell: PreparedBody, field: PreparedBody, shellOn: ShellOwner, cornerWeighting: boolean) {
    const { tool, query } = joinBodies(shell, field, shellOn);
    const method = createPenaltyMethod(tool, [createContactPair(query)], { stiffness: 5000, cornerWeighting });
    const output = createMethodOutput();
    const pushes = PLACES.map((place) => {
      method.step(output, place);
      return Math.hypot(output.wrench[0], output.wrench[1]) / output.wrench[2];
    });
    return Math.max(...pushes);
  }

  test.each(ROLES)(
    'is not pushed sideways by points round the corner, for six shells on the %s',
    async (shellOn) => {
      const onTool = shellOn === 'tool';
      const field = await prepareBody(onTool ? BLOCK : CUBE, { field: { resolution: 64 }, shell: null });
      let worst = 0;
      let worstUnweighted = 0;
      for (let seed = 1; seed <= 6; seed += 1) {
        const shell = await prepareBody(onTool ? CUBE : BLOCK, { field: null, shell: { spacing: 0.01, seed } });
        worst = Math.max(worst, sidewaysPush(shell, field, shellOn, true));
        worstUnweighted = Math.max(worstUnweighted, sidewaysPush(shell, field, shellOn, false));
      }
      expect(worst).toBeLessThan(1e-3);
      expect(worstUnweighted).toBeGreaterThan(0.05);
    },
    PATIENCE,
  );

  test.each(ROLES)('pushes back with coupling and contact in series, shell on the %s', (shellOn) => {
    const { output } = pressedCube(shellOn);
    expect(output.wrench[2]).toBeGreaterThan(0);
    expect(output.wrench[2] / (0.005 / (1 / 1000 + 1 / 5000))).toBeCloseTo(1, 2);
    expect(output.frictionState).toBe(STATE_STICK);
  });
});

describe('sliding friction', () => {
  test.each(ROLES)(
    'cone: slips at μ in every direction and keeps that ratio, shell on the %s',
    (shellOn) => {
      const rig = createRig(bodies[shellOn], { staticCoefficient: COEFFICIENT });
      // Five directions: none but the first lies along the faces, nor opposite to another.
      for (let n = 0; n < 5; n += 1) {
        const angle = (2 * Math.PI * n) / 5;
        settleAt(rig, ABOVE, PRESSED, SETTLING);
        expect(Math.abs(slipRatio(rig, angle, COEFFICIENT) - 1), `slips at direction ${n}`).toBeLessThan(0.01);
        for (let cycle = 0; cycle < 100; cycle += 1) {
          rig.device[0] += 4e-6 * Math.cos(angle);
          rig.device[1] += 4e-6 * Math.sin(angle);
          runRig(rig, 1);
          expect(Math.abs(forceRatio(rig) / COEFFICIENT - 1), `slides in direction ${n}`).toBeLessThan(0.02);
        }
      }
    },
    PATIENCE,
  );

  const pyramids = [4, 8].flatMap((sides) => ROLES.map((role): [number, ShellOwner] => [sides, role]));
  test.each(pyramids)(
    'pyramid of %i sides: too strong by 1/cos(π/ℓ) on its corners, shell on the %s',
    (sides, role) => {
      const rig = pressedCube(role, { friction: { model: 'pyramid', sides } });
      const corner = 1 / Math.cos(Math.PI / sides);
      for (const angle of [0, Math.PI]) {
        settleAt(rig, ABOVE, PRESSED, SETTLING);
        expect(Math.abs(slipRatio(rig, angle, corner * COEFFICIENT) - 1)).toBeLessThan(0.01);
      }
      settleAt(rig, ABOVE, PRESSED, SETTLING);
      expect(Math.abs(slipRatio(rig, Math.PI / sides, COEFFICIENT) - 1)).toBeLessThan(0.01);
    },
    PATIENCE,
  );

  test.each(ROLES)('kinetic below static: breaks at the one, slides at the other, shell on the %s', (shellOn) => {
    const rig = createRig(bodies[shellOn], { staticCoefficient: 0.6, kineticCoefficient: 0.3 });
    settleAt(rig, ABOVE, PRESSED, SETTLING);
    expect(Math.abs(slipRatio(rig, 0.4, 0.6) - 1)).toBeLessThan(0.01);
    const slide = (cycles: number, check: boolean) => {
      for (let cycle = 0; cycle < cycles; cycle += 1) {
        rig.device[0] += 5e-6 * Math.cos(0.4);
        rig.device[1] += 5e-6 * Math.sin(0.4);
        runRig(rig, 1);
        if (check) expect(Math.abs(forceRatio(rig) / 0.3 - 1)).toBeLessThan(0.03);
      }
    };
    slide(40, false);
    slide(200, true);
  });
});

describe('twisting', () => {
  test.each(ROLES)(
    'gives way at μ Σ F |x − c|, close to the continuum, shell on the %s',
    async (shellOn) => {
      const fine = await prepareRigBodies(CUBE, BLOCK, { shellOn, spacing: SIDE / 25 });
      const rig = createRig(fine, { staticCoefficient: COEFFICIENT });
      settleAt(rig, ABOVE, PRESSED, SETTLING);
      const press = resolveForce(rig).normal;
      const continuum = (COEFFICIENT * press * SIDE * (Math.SQRT2 + Math.asinh(1))) / 6;
      for (let twist = 0.9 * continuum; rig.output.frictionState !== STATE_SLIP; twist *= 1.001) {
        expect(twist).toBeLessThan(2 * continuum);
        rig.device.set(turnedPose([0, 0, PRESSED[2]], 2, twist / rig.torsionalStiffness));
        runRig(rig, 1);
      }
      const torque = Math.abs(rig.output.wrench[5]);
      expect(Math.abs(torque / leastTurningMoment(rig) - 1)).toBeLessThan(0.01);
      expect(Math.abs(torque / continuum - 1)).toBeLessThan(0.05);
    },
    PATIENCE,
  );

  /** min over c of μ Σ F |x − c|, by Weiszfeld's iteration: the tool turns about the point that resists least. */
  function leastTurningMoment({ method }: Rig): number {
    const { arm, normalForce, coefficient, count } = method.problem;
    const centre = [0, 0];
    let moment = 0;
    for (let round = 0; round < 100; round += 1) {
      const sums = [0, 0, 0];
      moment = 0;
      for (let c = 0; c < count; c += 1) {
        const distance = Math.hypot(arm[3 * c] - centre[0], arm[3 * c + 1] - centre[1]);
        const weight = normalForce[c] / (distance + 1e-9);
        moment += coefficient[c] * normalForce[c] * distance;
        sums[0] += weight * arm[3 * c];
        sums[1] += weight * arm[3 * c + 1];
        sums[2] += weight;
      }
      centre[0] = sums[0] / sums[2];
      centre[1] = sums[1] / sums[2];
    }
    return moment;
  }
});

describe('below the limit', () => {
  test.each(ROLES)(
    'at 90 % of it nothing slips or creeps in two seconds, shell on the %s',
    (shellOn) => {
      const rig = pressedCube(shellOn);
      pull(rig, 0.3, COEFFICIENT, 0.9 * COEFFICIENT);
      runRig(rig, 200);
      const settled = rig.output.toolPose.slice();
      for (let cycle = 0; cycle < 2000; cycle += 1) {
        runRig(rig, 1);
        if (rig.output.frictionState !== STATE_STICK) throw new Error(`not held in cycle ${cycle}`);
      }
      // A tenth of a picometre in a cycle would show.
      expect(distanceFrom(settled, rig)).toBeLessThan(2e-10);
    },
    PATIENCE,
  );

  test.each(ROLES)(
    'eight loads of 0.2 s up to 90 % leave less than 1 µm, shell on the %s',
    (shellOn) => {
      const rig = pressedCube(shellOn);
      const start = rig.output.toolPose.slice();
      pull(rig, 0, COEFFICIENT, 0.9 * COEFFICIENT);
      const reach = rig.device[0];
      settleAt(rig, ABOVE, PRESSED, SETTLING);
      for (let cycle = 1; cycle <= 8 * 200; cycle += 1) {
        rig.device[0] = (reach * (1 - Math.cos((2 * Math.PI * cycle) / 200))) / 2;
        runRig(rig, 1);
        if (rig.output.frictionState !== STATE_STICK) throw new Error(`not held in cycle ${cycle}`);
      }
      runRig(rig, SETTLING);
      expect(distanceFrom(start, rig)).toBeLessThan(1e-6);
    },
    PATIENCE,
  );
});

describe('separation', () => {
  test.each(ROLES)('does not weaken a cube that is pressed and pulled; as printed it does, shell on the %s', (role) => {
    expect(Math.abs(slipRatio(pressedCube(role, { separation: 'pull' }), 0, COEFFICIENT) - 1)).toBeLessThan(0.01);
    expect(slipRatio(pressedCube(role, { separation: 'printed' }), 0, COEFFICIENT)).toBeLessThan(0.9);
  });

  test.each(ROLES)('lets a cube of μ = 10 be lifted without a pull on the hand, shell on the %s', (shellOn) => {
    const rig = pressedCube(shellOn, {}, 10);
    let strongest = 0;
    while (rig.output.frictionState !== STATE_FREE && rig.device[2] < TOUCHING + 0.005) {
      rig.device[2] += 1e-5;
      runRig(rig, 1);
      strongest = Math.max(strongest, -rig.output.wrench[2]);
    }
    expect(rig.device[2] - TOUCHING).toBeLessThan(2e-4);
    expect(strongest).toBeLessThan(0.05);
  });

  test('lets go in a corner of three walls, where friction would hold for ever without it', async () => {
    const plate = createBox(0.14, 0.14, 0.02);
    const corner = await prepareRigBodies(CUBE, plate, { shellOn: 'tool', spacing: 0.01 });
    const away = -(SIDE / 2 + 0.01);
    const walls = [
      createPose(0, 0, away),
      turnedPose([away, 0, 0], 1, Math.PI / 2),
      turnedPose([0, away, 0], 0, -Math.PI / 2),
    ];
    /** Where the device is when the cube comes off, or at the end of its way out of the corner. */
    const releasedAt = (separation: 'pull' | 'off') => {
      const rig = createRig(corner, { staticCoefficient: 10 }, { separation }, walls);
      settleAt(rig, createPose(5e-4, 5e-4, 5e-4), createPose(-1e-3, -1e-3, -1e-3), SETTLING);
      let place = -1e-3;
      for (; place < 0.01 && rig.output.frictionState !== STATE_FREE; place += 1e-5) {
        rig.device.set([place, place, place]);
        runRig(rig, 1);
      }
      return place;
    };
    expect(releasedAt('pull')).toBeLessThan(5e-4);
    expect(releasedAt('off')).toBeGreaterThan(5e-3);
  });
});

describe('contacts declared dynamic', () => {
  function dynamicCube(shellOn: ShellOwner): Rig {
    const dynamicPoints = new Uint8Array(bodies[shellOn].query.shell.count).fill(1);
    const rig = createRig(bodies[shellOn], { staticCoefficient: 0.6, kineticCoefficient: 0.3, dynamicPoints });
    settleAt(rig, ABOVE, PRESSED, SETTLING);
    return rig;
  }

  test.each(ROLES)('never resist more than μ_k, and never push: shell on the %s', (shellOn) => {
    const rig = dynamicCube(shellOn);
    runRig(rig, 1000);
    expect(forceRatio(rig), 'without a load').toBeLessThan(0.03);
    rig.device[0] = 0.01;
    runRig(rig, 1000);
    expect(forceRatio(rig), 'after a long move').toBeLessThan(0.303);
  });

  test.each(ROLES)('rub with μ_k while they slide, shell on the %s', (shellOn) => {
    const rig = dynamicCube(shellOn);
    for (let cycle = 0; cycle < 400; cycle += 1) {
      rig.device[0] += 2e-5;
      runRig(rig, 1);
    }
    expect(Math.abs(forceRatio(rig) / 0.3 - 1)).toBeLessThan(0.03);
  });
});

describe('whatever comes', () => {
  const allFinite = ({ output }: Rig) => [...output.toolPose, ...output.wrench].every(Number.isFinite);

  test.each(ROLES)('a device that jumps by a metre gives finite numbers, shell on the %s', (shellOn) => {
    const rig = pressedCube(shellOn);
    for (const jump of [
      [1, 0, 0],
      [0, 0, -1],
      [-0.6, 0.7, 0.4],
      [0, 0, 1],
    ]) {
      rig.device.set(turnedPose(jump, 0, 3));
      for (let cycle = 0; cycle < 20; cycle += 1) {
        runRig(rig, 1);
        expect(allFinite(rig)).toBe(true);
      }
    }
    settleAt(rig, ABOVE, PRESSED, SETTLING);
    expect(rig.output.frictionState).toBe(STATE_STICK);
  });

  test.each(ROLES)('a device that shoots in takes the tool no deeper than half a voxel, shell on the %s', (shellOn) => {
    const rig = createRig(bodies[shellOn], {}, { contact: { stiffness: 50_000 } });
    for (const speed of [0.003, 0.007, 0.02]) {
      settleAt(rig, ABOVE, createPose(0, 0, TOUCHING + 0.0013 + speed), SETTLING);
      let deepest = 0;
      for (let cycle = 1; cycle < 40; cycle += 1) {
        rig.device[2] = Math.max(TOUCHING - 0.005, TOUCHING + 0.0013 + speed * (1 - cycle));
        runRig(rig, 1);
        deepest = Math.max(deepest, rig.output.maxPenetration);
      }
      expect(deepest, String(speed)).toBeGreaterThan(0);
      expect(deepest, String(speed)).toBeLessThan(0.5 * bodies[shellOn].query.field.voxelSize);
      expect(rig.output.wrench[2]).toBeCloseTo(5, 0);
    }
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('a pose with %f in it moves nothing and shows no force', (bad) => {
    const rig = pressedCube('tool');
    const settled = rig.output.toolPose.slice();
    for (let place = 0; place < 7; place += 1) {
      rig.device.set(PRESSED);
      rig.device[place] = bad;
      runRig(rig, 1);
      expect(rig.output.toolPose).toEqual(settled);
      expect(rig.output.wrench).toEqual(new Float64Array(6));
    }
    rig.device.set(PRESSED);
    runRig(rig, 1);
    expect(rig.output.wrench[2]).toBeGreaterThan(4);
    expect(distanceFrom(settled, rig)).toBeLessThan(1e-9);
  });

  test('model, stiffness and separation change in contact, and the tool stays where it is', () => {
    const rig = pressedCube('tool');
    const settled = rig.output.toolPose.slice();
    for (const { name } of frictionModels) {
      changeOptions(rig, { friction: { model: name }, separation: 'off' });
      runRig(rig, 1);
      // Without friction it gives way to the little sideways force it was held against.
      expect(distanceFrom(settled, rig), name).toBeLessThan(1e-4);
    }
    changeOptions(rig, {});
    runRig(rig, SETTLING);
    changeOptions(rig, { contact: { stiffness: 20_000, adaptive: false } });
    for (let cycle = 0; cycle < 50; cycle += 1) {
      runRig(rig, 1);
      expect(allFinite(rig)).toBe(true);
      expect(distanceFrom(settled, rig)).toBeLessThan(0.002);
    }
    expect(() => changeOptions(rig, { staticDamping: 1 })).toThrow(
      'method.staticDamping: found 1, expected a number from 0 to 0.99',
    );
  });

  const UNCAPPED: readonly FrictionModelName[] = ['cone', 'pyramid', 'quadratic'];
  const cases = ROLES.flatMap((role) =>
    frictionModels.map(({ name }): [FrictionModelName, ShellOwner] => [name, role]),
  );
  test.each(cases)(
    '%s runs through pressing, pulling and lifting, shell on the %s',
    (model, shellOn) => {
      // Those that may go round in circles need not do so for the thousand turns that they have.
      const isSure = UNCAPPED.includes(model);
      const rig = createRig(bodies[shellOn], {}, { friction: { model, ...(!isSure && { maxIterations: 2 }) } });
      settleAt(rig, ABOVE, PRESSED, 20);
      let capped = 0;
      for (let cycle = 0; cycle < 120; cycle += 1) {
        rig.device[0] = 4e-5 * cycle;
        rig.device[1] = 1e-3 * Math.sin(cycle / 10);
        rig.device[2] = PRESSED[2] + (cycle < 80 ? 0 : 2e-4 * (cycle - 80));
        runRig(rig, 1);
        if (rig.output.capped & CAPPED_ITERATIONS) capped += 1;
        expect(allFinite(rig)).toBe(true);
      }
      expect(rig.output.frictionState).toBe(STATE_FREE);
      if (isSure) expect(capped).toBe(0);
    },
    PATIENCE,
  );

  test.each(ROLES)('two runs are the same to the last bit, with kernels and without, shell on the %s', (shellOn) => {
    const trace = (kernels: boolean) => {
      useKernels(kernels);
      const rig = pressedCube(shellOn);
      useKernels(true);
      const rows: number[] = [];
      for (let cycle = 0; cycle < 300; cycle += 1) {
        rig.device[0] = 2e-5 * cycle;
        rig.device[1] = 1e-3 * Math.sin(cycle / 20);
        runRig(rig, 1);
        rows.push(...rig.output.toolPose, ...rig.output.wrench, rig.output.contacts);
      }
      return Float64Array.from(rows);
    };
    const first = Buffer.from(trace(true).buffer);
    for (const kernels of [true, false]) expect(first.equals(Buffer.from(trace(kernels).buffer))).toBe(true);
  });
});

test('options are checked like keys of a scene file, and all problems come at once', () => {
  const rig = { contact: { stiffness: -1 }, coupling: { stiffness: 0 }, staticDamping: 2 };
  expect(() => createRig(bodies.tool, {}, rig)).toThrow(
    /contact\.stiffness: found -1[\s\S]*coupling\.stiffness: found 0[\s\S]*method\.staticDamping: found 2/,
  );
});
