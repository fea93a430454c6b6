import { distanceSquared, lengthAt } from '../math/vectors.js';
import type { PointShell } from './point-shell.js';

const MAX_PROBLEMS = 20;

/** Checks everything that a query relies on; returns the problems found (at most 20), none for a valid shell. */
export function validateShell(shell: PointShell): string[] {
  const problems = [...checkLengths(shell), ...checkLevels(shell)];
  // The tree cannot be walked safely on arrays that do not fit together.
  if (problems.length > 0) return problems.slice(0, MAX_PROBLEMS);
  problems.push(...checkNumbers(shell), ...checkFamilies(shell));
  if (problems.length === 0) problems.push(...checkSpheres(shell));
  return problems.slice(0, MAX_PROBLEMS);
}

function checkLengths(shell: PointShell): string[] {
  const { count } = shell;
  const expected: [
    keyof PointShell & ('points' | 'normals' | 'cone' | 'along' | 'share' | 'triangles' | TreeArray),
    number,
  ][] = [
    ['points', 3 * count],
    ['normals', 3 * count],
    ['cone', count],
    ['along', 3 * count],
    ['share', count],
    ['triangles', count],
    ['radius', count],
    ['reach', count],
    ['childStart', count],
    ['childCount', count],
  ];
  return expected
    .filter(([name, length]) => shell[name].length !== length)
    .map(([name, length]) => `${name} has ${shell[name].length} entries instead of ${length}`);
}

type TreeArray = 'radius' | 'reach' | 'childStart' | 'childCount';

function checkLevels(shell: PointShell): string[] {
  const problems: string[] = [];
  const { levelEnds, count, rootCount } = shell;
  if (levelEnds[levelEnds.length - 1] !== count) problems.push('the last level does not end with the last point');
  if (levelEnds[0] !== rootCount) problems.push(`rootCount is ${rootCount}, level 0 has ${levelEnds[0]} points`);
  if (rootCount < 1) problems.push('there are no roots');
  for (let level = 1; level < levelEnds.length; level++) {
    if (levelEnds[level] <= levelEnds[level - 1]) problems.push(`level ${level} adds no points`);
  }
  return problems;
}

function checkNumbers(shell: PointShell): string[] {
  const problems: string[] = [];
  if (!(shell.spacing > 0)) problems.push(`the spacing is ${shell.spacing}`);
  for (let i = 0; i < shell.count && problems.length < MAX_PROBLEMS; i++) {
    const place = shell.points.subarray(3 * i, 3 * i + 3);
    if (!place.every(Number.isFinite)) problems.push(`point ${i} is not finite`);
    if (!(Math.abs(lengthAt(shell.normals, 3 * i) - 1) < 1e-9)) problems.push(`normal ${i} is not of length 1`);
    if (!(shell.cone[i] >= -1 && shell.cone[i] <= 1)) problems.push(`the cone of point ${i} is ${shell.cone[i]}`);
    if (!(shell.share[i] > 0 && shell.share[i] <= 1)) problems.push(`the share of point ${i} is ${shell.share[i]}`);
    if (!(shell.radius[i] >= 0)) problems.push(`the radius of point ${i} is ${shell.radius[i]}`);
    if (!(shell.reach[i] >= 0)) problems.push(`the reach of point ${i} is ${shell.reach[i]}`);
  }
  return problems;
}

/** Each point but the roots is the child of exactly one point of the level before, in falling order of reach. */
function checkFamilies(shell: PointShell): string[] {
  const problems: string[] = [];
  const { count, levelEnds, childStart, childCount, reach } = shell;
  const timesChild = new Uint32Array(count);
  for (let level = 0, point = 0; level < levelEnds.length; level++) {
    const nextEnd = levelEnds[level + 1] ?? count;
    for (; point < levelEnds[level] && problems.length < MAX_PROBLEMS; point++) {
      const end = childStart[point] + childCount[point];
      if (childCount[point] > 0 && (childStart[point] < levelEnds[level] || end > nextEnd)) {
        problems.push(`the children of point ${point} are not all in level ${level + 1}`);
        continue;
      }
      for (let child = childStart[point]; child < end; child++) {
        timesChild[child]++;
        if (child > childStart[point] && reach[child] > reach[child - 1]) {
          problems.push(`the children of point ${point} are not in falling order of reach`);
        }
      }
    }
  }
  for (let point = 0; point < count && problems.length < MAX_PROBLEMS; point++) {
    const expected = point < shell.rootCount ? 0 : 1;
    if (timesChild[point] !== expected) problems.push(`point ${point} is the child of ${timesChild[point]} points`);
  }
  return problems;
}

/** Every point lies in the spheres of all its ancestors, and within the reach of all subtrees that it belongs to. */
function checkSpheres(shell: PointShell): string[] {
  const problems: string[] = [];
  const { count, points, childStart, childCount, radius, reach } = shell;
  const parent = new Int32Array(count).fill(-1);
  for (let point = 0; point < count; point++) {
    parent.fill(point, childStart[point], childStart[point] + childCount[point]);
  }
  for (let point = 0; point < count && problems.length < MAX_PROBLEMS; point++) {
    for (let below = point, above = parent[point]; above >= 0; below = above, above = parent[above]) {
      const distance = Math.sqrt(distanceSquared(points, 3 * point, points, 3 * above));
      if (distance > radius[above]) problems.push(`point ${point} lies outside the sphere of its ancestor ${above}`);
      if (distance > reach[below]) problems.push(`point ${point} lies beyond the reach of its ancestor ${below}`);
    }
  }
  return problems;
}
