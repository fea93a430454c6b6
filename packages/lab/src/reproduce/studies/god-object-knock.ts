import { pathParameter } from '../../play/motion.js';
import { largest, rounded } from '../../play/statistics.js';
import { whileTouching } from '../../play/summary.js';
import { claimAbove, claimBelow } from '../claim.js';
import { defineStudy, table } from '../study.js';
import { cappedCycles, cycleClaim, penetrationClaims, phaseTable, runTours, tourPlots } from '../tour.js';

/*
 * Sagardia, Hulin, section 3, fig. 8: a bunny knocks at a teapot, slides around it, and puts an ear through its handle.
 * The last phase is ours: the ear is pressed against the handle as hard as a strong device can.
 */

const parameters = {
  apart: pathParameter('path from the start without contact'),
  knock: pathParameter('knocks, harder each time'),
  slide: pathParameter('path around the teapot'),
  insert: pathParameter('path of the ear into the handle'),
  force: pathParameter('hard presses of the ear against the handle, and the path out'),
  repeats: { meaning: 'times that the same cycles are timed', unit: '', min: 1, max: 100, whole: true },
  throughY: { meaning: 'y of the tool from which on the ear is through the handle', unit: 'm', min: -10, max: 10 },
  publishedUs: { meaning: 'time of steps 2 to 7 in the paper', unit: 'µs', min: 0.1, max: 1e6 },
} as const;

export const godObjectKnock = defineStudy({
  name: 'god-object-knock',
  parameters,
  async run(lab, { apart, knock, slide, insert, force, repeats, throughY, publishedUs }) {
    const tours = await runTours(lab, { apart, knock, slide, insert, force }, repeats);
    const [heuristic] = tours;
    const steps = (p: number) => rounded(whileTouching(heuristic!.whole, 'us_method', p));
    const { shell, field } = heuristic!.rig.pairs[0]!.query;
    return {
      tables: [
        table('bodies', 'Bodies', [
          {
            points: shell.count,
            levels: shell.levelEnds.length,
            'cells of bricks': [...field.cells].join(' × '),
            'voxel, mm': rounded(1000 * field.voxelSize),
          },
        ]),
        phaseTable(tours),
      ],
      plots: tourPlots(tours, 'Bunny against teapot'),
      claims: [
        ...tours.flatMap((tour) => penetrationClaims(tour, 1)),
        ...tours.map(({ constraint, phases }) =>
          claimAbove(
            `${constraint}: the ear gets through the handle (y of the bunny)`,
            rounded(largest(phases.find(({ name }) => name === 'insert')!.recording.column.tool_y)),
            throughY,
            'm',
          ),
        ),
        claimBelow('heuristic: steps 2–7 are faster than published (p50 in contact)', steps(50), publishedUs, 'µs'),
        claimBelow('heuristic: the same at p99', steps(99), publishedUs, 'µs'),
        ...tours.map(cycleClaim),
      ],
      capped: cappedCycles(tours),
    };
  },
});
