import { type PreparedBody, prepareBody } from '../asset/prepared-body.js';
import { buildSceneMesh } from '../scene/build-scene-mesh.js';
import { checkSceneValue } from '../scene/check-scene.js';
import { planPreparation } from '../scene/plan-preparation.js';

/** Small scenes that the tests of the live loop share, as their files would hold them. */
const BALL = { mesh: { sphere: 0.03 }, density: 2000, shell: { count: 200 } };

/** A ball above a plate whose upper side is at height 0. */
export const BALL_ON_PLATE = {
  palpable: 1,
  bodies: {
    ball: { ...BALL, position: [0, 0, 0.06] },
    plate: { mesh: { box: [0.2, 0.2, 0.02] }, position: [0, 0, -0.01], field: { resolution: 32 } },
  },
  tool: 'ball',
};

/** Two balls side by side, each with a hand of its own. */
export const TWO_BALLS = {
  palpable: 1,
  bodies: {
    left: { ...BALL, position: [-0.05, 0, 0] },
    right: { mesh: { sphere: 0.03 }, density: 2000, position: [0.05, 0, 0], field: { resolution: 32 } },
  },
  tool: ['left', 'right'],
};

export async function prepareScene(value: unknown): Promise<Map<string, PreparedBody>> {
  const { scene, problems } = checkSceneValue(value);
  if (!scene) throw new RangeError(problems.map(({ message }) => message).join('\n'));
  const bodies = new Map<string, PreparedBody>();
  for (const [name, options] of planPreparation(scene)) {
    bodies.set(name, await prepareBody(buildSceneMesh(scene.bodies[name])!, options));
  }
  return bodies;
}

/** Settings of the modular method as in the paper of Otaduy and Lin. */
export const MODULAR_PARTS = {
  method: { kind: 'modular', mass: 0.01 },
  contact: { stiffness: 5000 },
  coupling: { stiffness: 500, torsionalStiffness: 0.6 },
  friction: { coefficient: 0.4 },
};

const SOFT_BLOCK = {
  mesh: { box: [0.02, 0.02, 0.02] },
  density: 2000,
  deformable: {
    young: 2e5,
    elementSize: 0.01,
    modes: 6,
    fixed: [{ min: [-0.02, -0.02, 0.007], max: [0.02, 0.02, 0.02] }],
  },
};

/** A soft block above a plate whose upper side is at height 0, held at its upper side. Other methods feel it as well. */
export const BLOCK_ON_PLATE = {
  palpable: 1,
  bodies: {
    block: { ...SOFT_BLOCK, position: [0, 0, 0.03], shell: { count: 150 } },
    plate: { mesh: { box: [0.2, 0.2, 0.02] }, position: [0, 0, -0.01], field: { resolution: 32 } },
  },
  tool: 'block',
  method: { kind: 'deformable', solvedContacts: 60 },
  coupling: { stiffness: 500, torsionalStiffness: 0.6 },
  friction: { coefficient: 0.4 },
};

/** The same block above a bar, each with a hand of its own. */
export const BLOCK_AND_BAR = {
  palpable: 1,
  bodies: {
    block: { ...SOFT_BLOCK, position: [0, 0, 0.03] },
    bar: { mesh: { box: [0.03, 0.01, 0.01] }, density: 2000, position: [0, 0, 0] },
  },
  tool: ['block', 'bar'],
  method: { kind: 'deformable', solvedContacts: 60 },
  coupling: { stiffness: 500, torsionalStiffness: 0.6 },
  friction: { coefficient: 0.4 },
};
