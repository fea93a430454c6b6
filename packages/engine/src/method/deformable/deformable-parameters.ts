import type { Parameter } from '../../settings/parameter.js';

/** Keys of `method` that only `deformable` reads. */
export const deformableParameters = {
  alarmDistance: {
    kind: 'number',
    unit: 'm',
    above: 0,
    max: 1,
    default: 0.002,
    meaning: 'Features of two surfaces closer than this are contacts of `deformable`.',
    extremes:
      'Shorter than the distance travelled in a cycle, and fast bodies pass through; too long, and far features crowd out near ones.',
  },
  solvedContacts: {
    kind: 'number',
    unit: 'contacts',
    whole: true,
    min: 1,
    max: 200,
    default: 40,
    meaning: 'Most contacts that `deformable` solves in a cycle: the nearest and best-spread ones.',
    extremes: 'Too few, and surfaces sink in between; the time of a cycle grows with its square.',
  },
  localSolver: {
    kind: 'choice',
    choices: {
      exact: 'each contact exactly',
      diagonal: 'a cheaper step per contact, as in the paper, and more sweeps',
    },
    default: 'exact',
    meaning: 'How Gauss–Seidel of `deformable` solves one contact (Duriez, section 5.1).',
  },
  solverTolerance: {
    kind: 'number',
    unit: 'm',
    above: 0,
    max: 0.001,
    default: 1e-6,
    meaning: 'The solver of `deformable` stops when a sweep moves no contact further than this.',
    extremes:
      'Too large, and contacts feel spongy; too small, and cycles take longer for no difference you could feel.',
  },
  maxSweeps: {
    kind: 'number',
    unit: 'sweeps',
    whole: true,
    min: 1,
    max: 10_000,
    default: 60,
    meaning: 'Most sweeps of the solver of `deformable` in a cycle, Newton steps among them.',
    extremes: 'Too few, and stacked contacts yield; too many, and a cycle may take longer than its time step.',
  },
} as const satisfies Readonly<Record<string, Parameter>>;
