import type { ValuesOf } from '../study.js';

export const tableParameters = {
  load: { meaning: 'on the grip', unit: 'N', min: 0.01, max: 1000 },
  coefficients: { meaning: 'μ of the spreading legs, ascending', unit: '', min: 0, max: 10, atLeast: 3 },
  slipCoefficient: { meaning: 'μ of the comparison of pyramids', unit: '', min: 0.001, max: 10 },
  sides: { meaning: 'of the pyramids, ascending', unit: '', min: 3, max: 64, whole: true, atLeast: 2 },
  claimedSides: { meaning: 'sides that are to be enough', unit: '', min: 3, max: 64, whole: true },
  gapTests: { meaning: 'random motions of the comparison', unit: '', min: 1, max: 1000, whole: true },
  gapPerLeg: { meaning: 'contacts of each leg in the comparison', unit: '', min: 1, max: 16, whole: true },
  timeTests: { meaning: 'random motions for each number of contacts', unit: '', min: 1, max: 1000, whole: true },
  timePerLeg: { meaning: 'contacts of each leg, ascending', unit: '', min: 1, max: 16, whole: true, atLeast: 2 },
  randomCoefficients: { meaning: 'smallest and largest μ of the timed runs', unit: '', min: 0, max: 10, atLeast: 2 },
  motion: { meaning: 'largest random displacement in the plane', unit: 'm', min: 1e-6, max: 0.1 },
  turn: { meaning: 'largest random rotation about z', unit: 'rad', min: 0, max: 1 },
  cycleStep: { meaning: 'time step of a haptic cycle', unit: 's', min: 1e-5, max: 0.1 },
  cycleMotion: { meaning: 'largest random displacement in a haptic cycle', unit: 'm', min: 1e-6, max: 0.1 },
  cycleTurn: { meaning: 'largest random rotation in a haptic cycle', unit: 'rad', min: 0, max: 1 },
  cycleTolerance: { meaning: 'of Gauss–Seidel in a haptic cycle', unit: '', min: 1e-14, max: 0.1 },
  tolerance: { meaning: 'of Gauss–Seidel', unit: '', min: 1e-14, max: 0.1 },
  seed: { meaning: 'of the random motions', unit: '', min: 0, max: 1e9, whole: true },
} as const;
export type TableValues = ValuesOf<typeof tableParameters>;
