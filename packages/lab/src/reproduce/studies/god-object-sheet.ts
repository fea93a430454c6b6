import type { Row } from '@palpable/cli/internal';
import { handAlong, type Pose, type Probe, transformPoint } from '@palpable/engine';
import { bodyPose, type ConstraintKind } from '@palpable/engine/advanced';
import { placed } from '../../play/motion.js';
import { createRig, play, type Rig } from '../../play/play.js';
import { largest, rounded, sum } from '../../play/statistics.js';
import { type Claim, claimTrue } from '../claim.js';
import { CONSTRAINTS, createGodObjectRig } from '../god-object-rig.js';
import { defineStudy, type Lab, plot, runEach, table, type ValuesOf } from '../study.js';

/*
 * Sagardia, Hulin, section 3, fig. 7b: a bunny hits a thin sheet and must not pop through. The scene holds several sheets,
 * upper faces at z = 0; each is alone in its runs. The device goes from above to below the sheet at a constant speed, until
 * all of the tool would be through: straight down, and on slants while it rotates. A point of the tool's shell below the
 * sheet's lower face, and inside its outline, has popped through. With penalties the tool is where the device is: there the
 * force shows it, by the depth at which it no longer pushes the hand back.
 */

const parameters = {
  speeds: { meaning: 'speeds of the device', unit: 'm/s', min: 0.001, max: 1000, atLeast: 1 },
  required: { meaning: 'speed up to which nothing may pop through', unit: 'm/s', min: 0, max: 1000 },
  depth: { meaning: 'how far below the sheet the device goes', unit: 'm', min: 0.01, max: 10 },
  slants: { meaning: 'sideways displacement per metre down, of each run', unit: '', min: -10, max: 10, atLeast: 1 },
  turns: {
    meaning: 'angle about the x axis by which the device rotates along its path, of each run',
    unit: 'rad',
    min: -10,
    max: 10,
    atLeast: 1,
  },
} as const;
type Values = ValuesOf<typeof parameters>;

/** `giveUp`: Least depth of the tool's lowest point at which penalties do not push back, m; hardest push, N. */
type Cell = ReturnType<typeof hitSheet>;

export const godObjectSheet = defineStudy({
  name: 'god-object-sheet',
  parameters,
  async run(lab, values) {
    const { tool, bodies } = lab.scene;
    const sheets = Object.keys(bodies).filter((name) => !tool.includes(name));
    const trials = sheets.flatMap((sheet) => values.speeds.map((speed) => ({ sheet, speed })));
    const name = ({ sheet, speed }: (typeof trials)[number]) => `${sheet}, ${speed} m/s`;
    const cells = await runEach(lab, trials, name, ({ sheet, speed }) => hitSheet(lab, values, sheet, speed));
    const series = CONSTRAINTS.flatMap((constraint) =>
      [...new Set(cells.map(({ thickness }) => thickness))].map((thickness) => ({
        name: `${constraint}, ${1000 * thickness} mm`,
        points: cells
          .filter((cell) => cell.thickness === thickness)
          .map(({ speed, penetration }) => [speed, 1000 * penetration[constraint]] as const),
      })),
    );
    const title = 'Deepest overlap of the bunny with sheets';
    return {
      tables: [table('sheets', `${values.slants.length} runs each`, cells.map(rowOf))],
      plots: [plot('penetration', title, { label: 'speed, m/s', log: true }, 'penetration, mm', series)],
      claims: CONSTRAINTS.flatMap((constraint) => claimsOf(cells, constraint, values)),
      capped: sum(cells.map(({ capped }) => capped)),
    };
  },
});

function hitSheet(lab: Lab, values: Values, sheet: string, speed: number) {
  const thickness = thicknessOf(lab, sheet);
  const motions = values.slants.map((slant, run) => plunge(lab, values, speed, slant, values.turns[run] ?? 0));
  const through: Record<ConstraintKind, number> = { heuristic: 0, manifold: 0 };
  const penetration: Record<ConstraintKind, number> = { heuristic: 0, manifold: 0 };
  let capped = 0;
  let voxel = 0;
  for (const constraint of CONSTRAINTS) {
    const rig = createGodObjectRig(lab, { method: { constraint }, environment: sheet });
    voxel = rig.voxel;
    for (const motion of motions) {
      const lowest: Probe = ({ output, cycle }) => {
        const looks = cycle % LOOK_EVERY === 0 || cycle === motion.length - 1;
        return looks ? lowestPoint(lab, rig, output.toolPose) : Number.POSITIVE_INFINITY;
      };
      const recording = play(rig, handAlong(motion), { probes: { lowest } });
      if (recording.column.lowest.some((z) => z < -thickness)) through[constraint] += 1;
      penetration[constraint] = Math.max(penetration[constraint], largest(recording.column.penetration));
      capped += recording.capped;
    }
  }
  return {
    thickness,
    speed,
    runs: motions.length,
    voxel,
    /** Runs in which something popped through, and the deepest overlap of all, m. */
    through,
    penetration,
    capped,
    ...pushThroughPenalties(lab, sheet, motions),
  };
}

const LOOK_EVERY = 5;

function thicknessOf({ scene }: Lab, sheet: string): number {
  const { mesh } = scene.bodies[sheet]!;
  return typeof mesh === 'object' && 'box' in mesh && mesh.box ? mesh.box[2]! : Number.NaN;
}

/** The device's path down, and a rest at its end. */
function plunge({ scene }: Lab, { depth }: Values, speed: number, slant: number, turn: number): Pose[] {
  const standing = bodyPose(scene.bodies[scene.tool[0]!]!);
  const [x, y, z] = standing;
  const way = z! + depth;
  const steps = Math.ceil((way * Math.hypot(1, slant)) / (speed * scene.timeStep));
  const poses: Pose[] = [];
  for (let step = 0; step <= steps + RESTING_CYCLES; step += 1) {
    const part = Math.min(1, step / steps);
    poses.push(placed(standing, [x! + slant * way * (part - 0.5), y!, z! - part * way, part * turn, 0, 0]));
  }
  return poses;
}

const RESTING_CYCLES = 300;

/** Of the shell, among the points inside the sheet's outline; m. */
function lowestPoint({ scene }: Lab, { pairs }: Rig, pose: Pose): number {
  const [{ query, environment }] = pairs as [Rig['pairs'][number]];
  const { mesh } = scene.bodies[environment]!;
  const [width, length] = typeof mesh === 'object' && 'box' in mesh && mesh.box ? mesh.box : [0, 0];
  const { points, count } = query.shell;
  const at = new Float64Array(3);
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < count; i += 1) {
    transformPoint(at, pose, points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!);
    if (Math.abs(at[0]!) < width! / 2 && Math.abs(at[1]!) < length! / 2) lowest = Math.min(lowest, at[2]!);
  }
  return lowest;
}

/** From when on penalties do not push the hand back although the tool is in the sheet, and how hard they did at most. */
function pushThroughPenalties(lab: Lab, sheet: string, motions: readonly Pose[][]) {
  const rig = createRig(lab, { method: { kind: 'penalty' }, environment: sheet });
  let [giveUp, hardest] = [Number.POSITIVE_INFINITY, 0];
  for (const motion of motions) {
    const { column } = play(rig, handAlong(motion));
    const touched = column.contacts.findIndex((count) => count > 0);
    const gaveUp = column.force_z.findIndex((force, cycle) => touched >= 0 && cycle >= touched && force <= 0);
    // With penalties the tool is where the device is.
    if (gaveUp >= 0) giveUp = Math.min(giveUp, -lowestPoint(lab, rig, motion[gaveUp]!));
    hardest = Math.max(hardest, largest(column.force_z));
  }
  return { giveUp, hardest };
}

function rowOf({ thickness, speed, runs, voxel, through, penetration, giveUp, hardest }: Cell): Row {
  const passed = (constraint: ConstraintKind) =>
    through[constraint] === 0 ? 'none' : `${through[constraint]} of ${runs}`;
  const deep = (constraint: ConstraintKind) => rounded(1000 * penetration[constraint]);
  return {
    'sheet, mm': 1000 * thickness,
    'speed, m/s': speed,
    'voxel, mm': rounded(1000 * voxel),
    'heuristic through': passed('heuristic'),
    'deepest, mm': deep('heuristic'),
    'manifold through': passed('manifold'),
    'deepest, mm ': deep('manifold'),
    'penalties give up at, mm': rounded(1000 * giveUp),
    'after, N': rounded(hardest),
  };
}

function claimsOf(cells: readonly Cell[], constraint: ConstraintKind, { required }: Values): Claim[] {
  const slow = cells.filter(({ speed }) => speed <= required);
  const failed = slow.filter(({ through }) => through[constraint] > 0);
  const deepest = slow.reduce((most, { penetration, voxel }) => Math.max(most, penetration[constraint] / voxel), 0);
  const thinnest = slow.reduce((least, { thickness }) => Math.min(least, thickness), Number.POSITIVE_INFINITY);
  return [
    claimTrue(
      `${constraint}: nothing pops through a sheet of ${1000 * thinnest} mm or more at up to ${required} m/s`,
      failed.length === 0,
      failed.length === 0
        ? 'none'
        : failed.map(({ thickness, speed }) => `${1000 * thickness} mm at ${speed} m/s`).join(', '),
      'none',
    ),
    claimTrue(
      `${constraint}: the proxy overlaps by less than a voxel at these speeds`,
      deepest < 1,
      `${rounded(deepest)} voxels`,
      '< 1 voxel',
    ),
  ];
}
