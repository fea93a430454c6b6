import type { Study } from '../study.js';
import { compareModels } from './compare-models.js';
import { cornerSlide } from './corner-slide.js';
import { insertionForce } from './insertion-force.js';
import { slideAndInsert } from './slide-and-insert.js';
import { snake } from './snake.js';
import { surfaceSlide } from './surface-slide.js';

/** What experiment files can name as their study. */
export const studies: readonly Study[] = [
  cornerSlide,
  insertionForce,
  snake,
  compareModels,
  slideAndInsert,
  surfaceSlide,
];
