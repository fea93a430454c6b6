import type { Parameter } from '../../settings/parameter.js';

/** Keys of `method` that only `deformable` heeds. */
export const deformableParameters = {
  alarmDistance: {
    kind: 'number',
    unit: 'm',
    above: 0,
    max: 1,
    default: 0.002,
    meaning: 'Features of two surfaces that are closer than this are contacts of `deformable`.',
    extremes:
      'Shorter than the way of a cycle, and fast bodies pass through; too long, and far features take the room.',
  },
  solvedContacts: {
    kind: 'number',
    unit: 'contacts',
    whole: true,
    min: 1,
    max: 200,
    default: 40,
    meaning: 'No more contacts of `deformable` than this are solved in a cycle: the nearest and best spread.',
    extremes: 'Too few, and surfaces sink in between; the time of a cycle grows with the square of it.',
  },
  localSolver: {
    kind: 'choice',
    choices: {
      exact: 'each contact for itself exactly',
      diagonal: 'a cheaper step for each contact, as in the paper, and more sweeps',
    },
    default: 'exact',
    meaning: 'What Gauss–Seidel of `deformable` does at one contact (Duriez, section 5.1).',
  },
  solverTolerance: {
    kind: 'number',
    unit: 'm',
    above: 0,
    max: 0.001,
    default: 1e-6,
    meaning: 'The solver of `deformable` ends when a sweep moves no contact further than this.',
    extremes: 'Too large, and contacts feel spongy; too small, and cycles take longer without being felt.',
  },
  maxSweeps: {
    kind: 'number',
    unit: 'sweeps',
    whole: true,
    min: 1,
    max: 10_000,
    default: 60,
    meaning: 'Most sweeps of the solver of `deformable` in a cycle.',
    extremes: 'Too few, and stacked contacts give way; too many, and a cycle may take longer than its time step.',
  },
} as const satisfies Readonly<Record<string, Parameter>>;
