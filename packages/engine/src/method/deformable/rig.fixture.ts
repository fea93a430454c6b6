import type { ElasticBody } from '../../elasticity/elastic-body.js';
import { boxMesh, nodesWhere } from '../../elasticity/meshes.fixture.js';
import { prepareElasticBody } from '../../elasticity/prepare-elastic-body.js';
import { createPose, type Pose } from '../../math/pose.js';
import { createBox } from '../../mesh/shapes.js';
import { MODEL_COUNT, MODEL_SEQUENCE } from '../contact-model-header.js';
import type { ToolBody } from '../tool-contacts.js';
import {
  DEFAULT_DEFORMABLE_OPTIONS,
  type DeformableBodySetup,
  type DeformableOptions,
  type DeformableSetup,
} from './deformable-setup.js';
import {
  createProximityModel,
  type ProximityModel,
  RECORD_FIRST_POINT,
  RECORD_KEY,
  RECORD_NORMAL,
  RECORD_OWNER,
  RECORD_PAIR,
  RECORD_POINT,
  RECORD_VERTICES,
  RECORD_WEIGHTS,
  recordAt,
} from './proximity-model.js';

/** What the tests of deformable bodies stand on: a bar that is held at its upper end, a floor, contacts by hand. */

type Three = readonly [number, number, number];

const BAR: Three = [0.02, 0.02, 0.06];

/** Centred on its base, from z = 0 up, held at the top. */
export function createBar(cells: Three = [2, 2, 6], modes = 10, poisson = 0.3): ElasticBody {
  const mesh = boxMesh(cells, BAR);
  for (let n = 0; n < mesh.positions.length; n += 3) {
    mesh.positions[n] -= 0.5 * BAR[0];
    mesh.positions[n + 1] -= 0.5 * BAR[1];
  }
  const fixed = nodesWhere(mesh, ([, , z]) => z > BAR[2] - 1e-9);
  return prepareElasticBody(mesh, { poisson, fixed, modes });
}

/** The bar as a tool of 1,000 kg/m³ unless said otherwise. */
export function barTool(density = 1000): ToolBody {
  const [a, b, c] = BAR;
  const mass = density * a * b * c;
  const inertia = Float64Array.of(b * b + c * c, 0, 0, 0, a * a + c * c, 0, 0, 0, a * a + b * b).map(
    (n) => (n * mass) / 12,
  );
  return { centre: [0, 0, 0.5 * c], mass, inertia, length: 0.04 };
}

export function elasticBody(body: ElasticBody, young: number, changes: Partial<DeformableBodySetup> = {}) {
  return {
    surface: body.surface,
    elastic: { body, material: { young, density: 1000, massDamping: 0, stiffnessDamping: 1e-4 } },
    field: null,
    tool: null,
    pose: createPose(),
    ...changes,
  };
}

/** A plate whose upper side is z = 0. */
export function floorBody(pose: Pose = createPose(0, 0, -0.01)): DeformableBodySetup {
  return { surface: createBox(0.2, 0.2, 0.02), elastic: null, field: null, tool: null, pose };
}

/** The first body is held by the first hand; it may touch the second. */
export function worldSetup(
  bodies: readonly DeformableBodySetup[],
  options: Partial<DeformableOptions> = {},
  coefficient = 0.5,
): DeformableSetup {
  return {
    bodies,
    pairs: [{ first: 0, second: 1, staticCoefficient: coefficient, kineticCoefficient: coefficient }],
    hands: bodies.flatMap(({ tool }, index) => (tool ? [index] : [])),
    options: { ...DEFAULT_DEFORMABLE_OPTIONS, ...options },
  };
}

/** Surface vertices at a height. */
export function verticesAt({ positions }: { readonly positions: Float64Array }, z: number): number[] {
  const vertices: number[] = [];
  for (let v = 0; v < positions.length / 3; v += 1) if (Math.abs(positions[3 * v + 2] - z) < 1e-9) vertices.push(v);
  return vertices;
}

/** Vertices of the first body against a plane of the second, through its points at `height` in its own frame. */
export function planeModel(
  surface: { readonly positions: Float64Array },
  vertices: readonly number[],
  height: number,
  normal: Three = [0, 0, 1],
): ProximityModel {
  const model = createProximityModel(vertices.length);
  model[MODEL_COUNT] = vertices.length;
  model[MODEL_SEQUENCE] = 1;
  vertices.forEach((vertex, c) => {
    const at = recordAt(c);
    model[at + RECORD_PAIR] = 0;
    model[at + RECORD_OWNER] = 1;
    model.set([vertex, -1, -1, -1, -1, -1], at + RECORD_VERTICES);
    model.set([1, 0, 0, 0, 0, 0], at + RECORD_WEIGHTS);
    model.set(normal, at + RECORD_NORMAL);
    model.set([surface.positions[3 * vertex], surface.positions[3 * vertex + 1], height], at + RECORD_POINT);
    model.set([4 * vertex, -1], at + RECORD_KEY);
    model.set(surface.positions.subarray(3 * vertex, 3 * vertex + 3), at + RECORD_FIRST_POINT);
  });
  return model;
}
