import { DEFAULT_RESOLUTION, MAX_RESOLUTION } from '../field/build-field.js';
import { builtInModels } from '../model/models.js';
import { deformable } from './material-parameters.js';
import type { GroupParameter, ValueOf, VariantsParameter } from './parameter.js';

const SIZE = { unit: 'm', above: 0, max: 1000 } as const;

const models = Object.fromEntries(builtInModels.map(({ name, description }) => [name, description]));

const mesh = {
  kind: 'variants',
  meaning: 'The surface: a file, a shape with its sizes, or a built-in model.',
  text: 'path of a mesh file (STL, OBJ, PLY, OFF, glTF, STEP), relative to the scene file; tetrahedra from Gmsh, Vega, VTK, Medit or TetGen files',
  keys: {
    box: { kind: 'vector', length: 3, ...SIZE, meaning: 'A box about the origin: sizes along x, y and z.' },
    sphere: { kind: 'number', ...SIZE, meaning: 'A sphere about the origin: radius.' },
    cylinder: { kind: 'vector', length: 2, ...SIZE, meaning: 'A cylinder along z: radius and height.' },
    capsule: {
      kind: 'vector',
      length: 2,
      ...SIZE,
      meaning: 'A cylinder along z with hemispherical ends: radius and height without the ends.',
    },
    torus: {
      kind: 'vector',
      length: 2,
      ...SIZE,
      meaning: 'A ring around z: distance from the axis to the centre of the tube, and radius of the tube.',
    },
    model: { kind: 'choice', choices: models, meaning: 'A built-in model, by name.' },
  },
} as const satisfies VariantsParameter;

const shell = {
  kind: 'group',
  default: null,
  meaning: 'The body as points, tested against the field of the other body.',
  keys: {
    spacing: {
      kind: 'number',
      unit: 'm',
      above: 0,
      max: 1000,
      default: null,
      meaning: 'Mean distance between neighbouring points; instead of `count`.',
      extremes: 'Too large, and small features slip between the points; halving it gives four times the points.',
    },
    count: {
      kind: 'number',
      unit: 'points',
      whole: true,
      min: 1,
      max: 5_000_000,
      default: null,
      meaning: 'Number of points; instead of `spacing`. 4,000 if neither is given.',
      extremes: 'Too few, and edges sink in before you feel them; too many, and contacts meet their cap.',
    },
    seed: {
      kind: 'number',
      unit: '',
      whole: true,
      min: 0,
      max: 4_294_967_295,
      default: 1,
      meaning: 'Seed of the random numbers that spread the points: the same seed gives the same points.',
    },
  },
} as const satisfies GroupParameter;

const field = {
  kind: 'group',
  default: null,
  meaning: 'The body as a signed distance field, against which the points of the other body are tested.',
  keys: {
    resolution: {
      kind: 'number',
      unit: 'voxels',
      whole: true,
      min: 8,
      max: MAX_RESOLUTION,
      default: DEFAULT_RESOLUTION,
      meaning: 'Voxels along the longest side of the body.',
      extremes: 'Too low, and edges are rounded by about a voxel; doubling it takes four times the memory.',
    },
    offset: {
      kind: 'number',
      unit: 'm',
      min: 0,
      max: 1000,
      default: 0,
      meaning: 'Moves the surface that you feel this far outside the mesh, which gives thin sheets a thickness.',
      extremes: 'A sheet needs at least one voxel; the most is a quarter of the longest side.',
    },
  },
} as const satisfies GroupParameter;

const hierarchy = {
  kind: 'group',
  default: null,
  meaning:
    'The body as a tree of convex pieces with levels of detail, for `modular` with `method.detection` `hierarchy`, which ' +
    'builds one with the defaults where none is given.',
  keys: {
    tolerance: {
      kind: 'number',
      unit: 'of the radius',
      above: 0,
      max: 0.1,
      default: 0.001,
      meaning: 'How far the finest pieces may deviate from the surface, as a fraction of the radius of the body.',
      extremes:
        'Too large, and detail is lost whatever the tolerance of the method; too small, and preparing takes minutes.',
    },
  },
} as const satisfies GroupParameter;

export const bodyParameter = {
  kind: 'group',
  meaning: 'One body.',
  keys: {
    mesh,
    unit: {
      kind: 'choice',
      choices: { m: 'metre', mm: 'millimetre', cm: 'centimetre', um: 'micrometre', in: 'inch', ft: 'foot' },
      default: null,
      meaning: 'Unit of the mesh file; metres unless given. STEP files state their own.',
      extremes: 'A wrong unit makes a body a thousand times too large or too small.',
    },
    scale: {
      kind: 'number',
      unit: '',
      above: 0,
      max: 1e6,
      default: 1,
      meaning: 'Additional factor on all coordinates of the mesh.',
    },
    position: {
      kind: 'vector',
      length: 3,
      unit: 'm',
      min: -1e4,
      max: 1e4,
      default: [0, 0, 0],
      meaning: "Position of the body's origin in the world; a tool moves to its device at the first sample.",
    },
    rotation: {
      kind: 'vector',
      length: 4,
      unit: '',
      rotation: true,
      default: [0, 0, 0, 1],
      meaning: "The body's rotation as a quaternion x, y, z, w; it is normalised.",
    },
    density: {
      kind: 'number',
      unit: 'kg/m³',
      above: 0,
      max: 1e5,
      default: 1000,
      meaning: 'For the mass and inertia of a tool.',
      extremes: 'With gravity, a mass that the coupling cannot carry pulls the tool away from the device.',
    },
    shell,
    field,
    hierarchy,
    deformable,
  },
} as const satisfies GroupParameter;

/** A body of a scene with all defaults: mesh, place (m), what is prepared from it, density (kg/m³), material. */
export type SceneBody = ValueOf<typeof bodyParameter>;
/** The mesh of a scene's body: the path of a file, or a shape or built-in model with its sizes (m). */
export type SceneMesh = SceneBody['mesh'];
