import { MAX_RESOLUTION } from '../field/build-field.js';
import { builtInModels } from '../model/models.js';
import { deformable } from './material-parameters.js';
import type { GroupParameter, ValueOf, VariantsParameter } from './parameter.js';

const SIZE = { unit: 'm', above: 0, max: 1000 } as const;

const models = Object.fromEntries(builtInModels.map(({ name, description }) => [name, description]));

const mesh = {
  kind: 'variants',
  meaning: 'The surface: a file, a shape with its sizes, or a model that comes with Palpable.',
  text: 'path of a mesh file (STL, OBJ, PLY, OFF, glTF, STEP), relative to the scene file; tetrahedra from Gmsh, Vega, VTK, Medit or TetGen files',
  keys: {
    box: { kind: 'vector', length: 3, ...SIZE, meaning: 'A box about the origin: its sizes along x, y and z.' },
    sphere: { kind: 'number', ...SIZE, meaning: 'A sphere about the origin: its radius.' },
    cylinder: { kind: 'vector', length: 2, ...SIZE, meaning: 'A cylinder along z: radius and height.' },
    capsule: {
      kind: 'vector',
      length: 2,
      ...SIZE,
      meaning: 'A cylinder along z with half spheres at its ends: radius and height without the ends.',
    },
    torus: {
      kind: 'vector',
      length: 2,
      ...SIZE,
      meaning: 'A ring around z: from the axis to the middle of the tube, and the radius of the tube.',
    },
    model: { kind: 'choice', choices: models, meaning: 'A model that comes with Palpable, by its name.' },
  },
} as const satisfies VariantsParameter;

const shell = {
  kind: 'group',
  default: null,
  meaning: 'The body as points that are pushed into the field of the other body.',
  keys: {
    spacing: {
      kind: 'number',
      unit: 'm',
      above: 0,
      max: 1000,
      default: null,
      meaning: 'Mean distance of neighbouring points; instead of `count`.',
      extremes: 'Too large, and small features slip between the points; half of it gives four times the points.',
    },
    count: {
      kind: 'number',
      unit: 'points',
      whole: true,
      min: 1,
      max: 5_000_000,
      default: null,
      meaning: 'Number of points; instead of `spacing`. Without either there are 4,000.',
      extremes: 'Too few, and edges sink in before they are felt; too many, and contacts meet their cap.',
    },
    seed: {
      kind: 'number',
      unit: '',
      whole: true,
      min: 0,
      max: 4_294_967_295,
      default: 1,
      meaning: 'Of the random numbers that spread the points: the same seed gives the same points.',
    },
  },
} as const satisfies GroupParameter;

const field = {
  kind: 'group',
  default: null,
  meaning: 'The body as a field of signed distances, into which the points of the other body are pushed.',
  keys: {
    resolution: {
      kind: 'number',
      unit: 'voxels',
      whole: true,
      min: 8,
      max: MAX_RESOLUTION,
      default: 128,
      meaning: 'Voxels along the longest side of the body.',
      extremes: 'Too low, and edges are rounded by about a voxel; twice as many take four times the memory.',
    },
    offset: {
      kind: 'number',
      unit: 'm',
      min: 0,
      max: 1000,
      default: 0,
      meaning: 'Puts the surface that is felt this far outside of the mesh, which gives thin sheets a thickness.',
      extremes: 'A sheet needs at least one voxel; at most a quarter of the longest side is possible.',
    },
  },
} as const satisfies GroupParameter;

const hierarchy = {
  kind: 'group',
  default: null,
  meaning:
    'The body as a tree of convex pieces with levels of detail, for `modular` with `method.detection` `hierarchy`, which ' +
    'makes one with the defaults where none is given.',
  keys: {
    tolerance: {
      kind: 'number',
      unit: 'of the radius',
      above: 0,
      max: 0.1,
      default: 0.001,
      meaning: 'How far the finest pieces may stand off the surface, as a share of the radius of the body.',
      extremes:
        'Too large, and detail is lost that no tolerance of the method brings back; too small, and preparing takes minutes.',
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
      meaning: 'Unit of the mesh file: metres unless given; STEP files state their own.',
      extremes: 'A wrong unit makes a body a thousand times too large or too small.',
    },
    scale: {
      kind: 'number',
      unit: '',
      above: 0,
      max: 1e6,
      default: 1,
      meaning: 'A further factor on all coordinates of the mesh.',
    },
    position: {
      kind: 'vector',
      length: 3,
      unit: 'm',
      min: -1e4,
      max: 1e4,
      default: [0, 0, 0],
      meaning:
        "Where the origin of the body's frame stands in the world; a tool goes to its device at the first sample.",
    },
    rotation: {
      kind: 'vector',
      length: 4,
      unit: '',
      rotation: true,
      default: [0, 0, 0, 1],
      meaning: "The body's rotation as a quaternion x, y, z, w; its length is set to 1.",
    },
    density: {
      kind: 'number',
      unit: 'kg/m³',
      above: 0,
      max: 1e5,
      default: 1000,
      meaning: 'For mass and inertia of a tool.',
      extremes: 'With gravity, mass that the coupling cannot carry drags the tool away from the device.',
    },
    shell,
    field,
    hierarchy,
    deformable,
  },
} as const satisfies GroupParameter;

export type SceneBody = ValueOf<typeof bodyParameter>;
export type SceneMesh = SceneBody['mesh'];
