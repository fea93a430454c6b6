import { surfaceSlide } from '../slide.js';
import type { Study } from '../study.js';
import { godObjectCorner, godObjectKnock, godObjectPeg } from '../tour.js';
import { compareModels } from './compare-models.js';
import { cornerSlide } from './corner-slide.js';
import { duriezClip } from './duriez-clip.js';
import { duriezFloor } from './duriez-floor.js';
import { duriezTable } from './duriez-table.js';
import { godObjectFriction } from './god-object-friction.js';
import { godObjectSheet } from './god-object-sheet.js';
import { insertionForce } from './insertion-force.js';
import { otaduyCup } from './otaduy-cup.js';
import { otaduyFree } from './otaduy-free.js';
import { otaduyJaws } from './otaduy-jaws.js';
import { slideAndInsert } from './slide-and-insert.js';
import { snake } from './snake.js';

/** What experiment files can name as their study. */
export const studies: readonly Study[] = [
  cornerSlide,
  insertionForce,
  snake,
  compareModels,
  slideAndInsert,
  surfaceSlide,
  godObjectKnock,
  godObjectSheet,
  godObjectPeg,
  godObjectCorner,
  godObjectFriction,
  otaduyFree,
  otaduyCup,
  otaduyJaws,
  duriezTable,
  duriezFloor,
  duriezClip,
];
