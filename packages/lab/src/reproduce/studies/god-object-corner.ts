import { pathParameter } from '../../play/motion.js';
import { defineStudy } from '../study.js';
import { cappedCycles, cycleClaim, penetrationClaims, phaseTable, runTours, tourPlots } from '../tour.js';

/* Beyond the paper: a cube slides in a corner, where one direction does not tell what three walls do. */

const parameters = {
  slide: pathParameter('presses into the corner and ways along its walls'),
  tilt: pathParameter('the same with a turning hand'),
  manifoldVoxels: { meaning: 'penetration allowed with the manifold', unit: 'voxels', min: 0, max: 10 },
  heuristicVoxels: { meaning: 'penetration allowed with the heuristic', unit: 'voxels', min: 0, max: 10 },
  repeats: { meaning: 'times that the same cycles are timed', unit: '', min: 1, max: 100, whole: true },
} as const;

export const godObjectCorner = defineStudy({
  name: 'god-object-corner',
  parameters,
  async run(lab, { slide, tilt, manifoldVoxels, heuristicVoxels, repeats }) {
    const tours = await runTours(lab, { slide, tilt }, repeats);
    return {
      tables: [phaseTable(tours)],
      plots: tourPlots(tours, 'Cube in a corner'),
      claims: tours.flatMap((tour) => [
        ...penetrationClaims(tour, tour.constraint === 'manifold' ? manifoldVoxels : heuristicVoxels),
        cycleClaim(tour),
      ]),
      capped: cappedCycles(tours),
    };
  },
});
