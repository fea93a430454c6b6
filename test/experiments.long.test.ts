import { expect, it } from 'vitest';
import { notMet, reproduceIn } from './reproduce/run.js';

// The experiments of the papers in full, as docs/experiments.md tells of them: `npm run test:all`. Only claims that do not
// depend on how busy the machine is.

const CONSTRAINTS = ['heuristic', 'manifold'];

const CLAIMS: Readonly<Record<string, readonly string[]>> = {
  'duriez-clip': [
    'pushing: the force rises',
    'unstable equilibrium',
    'clipping',
    'withdrawal',
    'stable, speed',
    'finite',
  ],
  'duriez-floor': ['depend on the order', 'the motion does not', 'forces do not', 'nor does it'],
  'duriez-table': [
    'the less the legs spread',
    'stretchers take of the spreading',
    '16 sides',
    'nor are 8',
    'stretchers lower the tangential values',
    'they raise the coupling',
  ],
  'otaduy-cup': [
    'the spoon goes into the cup by',
    'falls below 1 mm/s within 1 s',
    'contact stands out from free motion',
  ],
  'otaduy-free': ['backward Euler is stable at 1 g', 'the explicit integrators fail', "so is forward Euler's"],
  'otaduy-jaws': [
    '2.5 %, linearised: the jaws go into each other by',
    '2.5 %, linearised, throttled: stable',
    '2.5 %, not linearised, throttled',
  ],
  'sagardia-bunny-teapot': CONSTRAINTS.flatMap((constraint) => [
    `${constraint}, slide: the proxy overlaps by less than a voxel`,
    `${constraint}: the ear gets through`,
  ]),
  'sagardia-corner': ['manifold, slide: the proxy overlaps by less than 0.1 voxels'],
  'sagardia-friction': CONSTRAINTS.flatMap((constraint) => [
    `${constraint}: friction holds without creep`,
    `${constraint}: breaks loose at μ_s`,
  ]),
  'sagardia-sheet': CONSTRAINTS.map((constraint) => `${constraint}: nothing pops through`),
  'zhao-models': ['cone holds still', 'pyramid holds still', 'staggered holds still', 'springs creep visibly'],
  'zhao-peg-force': ['cone: the force grows linearly'],
  'zhao-snake': ['cone does not let the peg in', 'springs of 300 N/m let the peg in', 'all springs let it sink'],
};

const reproduce = reproduceIn();

it.each(Object.entries(CLAIMS))('%s', { timeout: 1_800_000 }, async (name, words) => {
  expect(notMet(await reproduce(name), words)).toEqual([]);
});
