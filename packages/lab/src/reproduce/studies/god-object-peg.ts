import { pathParameter } from '../../play/motion.js';
import { largest, rounded } from '../../play/statistics.js';
import { type Claim, claimAbove, claimBelow } from '../claim.js';
import { defineStudy } from '../study.js';
import { cappedCycles, cycleClaim, penetrationClaims, phaseTable, runTours, type Tour, tourPlots } from '../tour.js';

/* Sagardia, Hulin, section 3, fig. 7c: a peg goes into a hole until about 90 % of its points collide. */

const parameters = {
  insert: pathParameter('path into the hole'),
  press: pathParameter('presses against the walls'),
  twist: pathParameter('rotations in the hole'),
  leave: pathParameter('way out'),
  repeats: { meaning: 'times that the same cycles are timed', unit: '', min: 1, max: 100, whole: true },
  publishedShare: { meaning: 'part of the points in contact in the paper', unit: '', min: 0, max: 1 },
  bottomZ: { meaning: 'z of the peg below which it is in', unit: 'm', min: -10, max: 10 },
  leastContacts: { meaning: 'contacts that the experiment is to reach', unit: '', min: 1, max: 100_000, whole: true },
} as const;

export const godObjectPeg = defineStudy({
  name: 'god-object-peg',
  parameters,
  async run(lab, { insert, press, twist, leave, repeats, publishedShare, bottomZ, leastContacts }) {
    const tours = await runTours(lab, { insert, press, twist, leave }, repeats);
    const [heuristic] = tours;
    const contacts = largest(heuristic!.whole.column.contacts);
    const share = contacts / heuristic!.rig.pairs[0]!.query.shell.count;
    return {
      tables: [phaseTable(tours)],
      plots: tourPlots(tours, 'Peg in a hole'),
      claims: [
        claimAbove('thousands of points collide (within the margin)', contacts, leastContacts - 1),
        claimAbove('as large a part of the points as in the paper', rounded(share), publishedShare),
        ...tours.flatMap((tour) => [...inAndOut(tour, bottomZ), ...penetrationClaims(tour, 1), cycleClaim(tour)]),
      ],
      capped: cappedCycles(tours),
    };
  },
});

/** Force on the hand below which nothing holds the peg, N. */
const NO_FORCE = 0.01;

function inAndOut({ constraint, whole, phases }: Tour, bottomZ: number): Claim[] {
  const { tool_z: z } = phases[0]!.recording.column;
  return [
    claimBelow(`${constraint}: the peg goes in (z in the end)`, rounded(z.at(-1)!), bottomZ, 'm'),
    claimBelow(
      `${constraint}: it comes out again (force in the end)`,
      rounded(whole.column.force.at(-1)!),
      NO_FORCE,
      'N',
    ),
  ];
}
