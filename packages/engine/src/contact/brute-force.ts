import { sampleDistance } from '../field/sample-field.js';
import { createPose, type Pose, relativePose, transformPoint } from '../math/pose.js';
import type { ContactQuery } from './contact-query.js';

/**
 * The contacts of a query by sampling every point of the shell: the reference that the tree is tested and timed
 * against. Writes the points in contact into `out` and gives their number; caps are ignored.
 */
export function bruteForceContacts(out: Uint32Array, query: ContactQuery, shellPose: Pose, fieldPose: Pose): number {
  const { shell, field, margin } = query;
  const relative = relativePose(createPose(), fieldPose, shellPose);
  const at = new Float64Array(3);
  let count = 0;
  for (let point = 0; point < shell.count; point += 1) {
    const p = 3 * point;
    transformPoint(at, relative, shell.points[p], shell.points[p + 1], shell.points[p + 2]);
    if (sampleDistance(field, at[0], at[1], at[2]) < margin) {
      out[count] = point;
      count += 1;
    }
  }
  return count;
}
