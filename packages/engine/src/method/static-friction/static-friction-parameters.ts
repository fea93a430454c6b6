import type { Parameter } from '../../settings/parameter.js';

/** Keys of `method` that `static-friction` reads. */
export const staticFrictionParameters = {
  staticDamping: {
    kind: 'number',
    unit: '',
    min: 0,
    max: 0.99,
    default: 0.6,
    meaning: 'Fraction of the displacement that is held back in every cycle with contacts (Zhao, section 4.2).',
    extremes: 'At 0, stiff contacts may vibrate; close to 1, the tool follows as if through honey.',
  },
  separation: {
    kind: 'choice',
    choices: {
      pull: 'a contact that would open loses its friction when the coupling pulls it open',
      printed: 'the test as printed in section 4.1, which also frees loaded edges',
      off: 'contacts keep their friction until they are gone, so lifting feels sticky',
    },
    default: 'pull',
    meaning: 'When a contact counts as separating (Zhao, section 4.1).',
  },
} as const satisfies Readonly<Record<string, Parameter>>;
