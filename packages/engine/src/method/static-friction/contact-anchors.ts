import type { FrictionProblem } from '../../friction/friction-problem.js';
import { springShare } from '../../friction/springs.js';
import { type Pose, rotationMatrix } from '../../math/pose.js';
import type { ToolContacts } from '../tool-contacts.js';

/**
 * Where each contact touched first. For a shell on the tool an anchor is a place in the environment, for a shell on the
 * environment a place in the tool, each in that body's own frame. An anchor lives as long as its contact.
 *
 * Yamane's friction springs pull towards their anchors; when one would pull harder than friction allows, its anchor is
 * dragged along. The static test takes back by its anchors what rolling in finite steps slips.
 */
export interface ContactAnchors {
  /** By pair: three numbers per point of the shell. */
  readonly places: readonly Float64Array[];
  /** By pair: the cycle in which a point was last in contact. */
  readonly lastCycle: readonly Int32Array[];
  readonly workspace: { readonly rotation: Float64Array };
  /** N/m; 0 for anchors without springs. */
  readonly springStiffness: number;
  cycle: number;
}

/** With a spring stiffness of 0 anchors are never dragged. */
export function createContactAnchors({ pairs }: ToolContacts, springStiffness: number): ContactAnchors {
  return {
    springStiffness,
    places: pairs.map(({ query }) => new Float64Array(3 * query.shell.count)),
    lastCycle: pairs.map(({ query }) => new Int32Array(query.shell.count).fill(-2)),
    workspace: { rotation: new Float64Array(9) },
    cycle: 0,
  };
}

/** All contacts of the next cycle are new ones. */
export function forgetAnchors(anchors: ContactAnchors): void {
  anchors.cycle += 1;
}

/** Fills `problem.stretch` for this cycle's contacts, setting new anchors and dragging those of overstretched springs. */
export function followAnchors(
  anchors: ContactAnchors,
  problem: FrictionProblem,
  contacts: ToolContacts,
  toolPose: Pose,
): void {
  const { pairs, ends } = contacts;
  anchors.cycle += 1;
  for (let p = 0; p < pairs.length; p += 1) {
    // The tool moves with its shell points, but against those of the environment.
    const onTool = pairs[p].query.shellOn === 'tool';
    const frame = onTool ? pairs[p].environmentPose : toolPose;
    followPair(anchors, problem, contacts, p > 0 ? ends[p - 1] : 0, p, frame, onTool ? 1 : -1);
  }
}

function followPair(
  { places, lastCycle, workspace, springStiffness, cycle }: ContactAnchors,
  problem: FrictionProblem,
  { set, ends }: ToolContacts,
  first: number,
  pair: number,
  frame: Pose,
  side: 1 | -1,
): void {
  const { rotation: m } = workspace;
  const { tangent, coefficient, normalForce, stretch } = problem;
  const place = places[pair];
  const last = lastCycle[pair];
  rotationMatrix(m, frame);
  for (let c = first; c < ends[pair]; c += 1) {
    const o = 3 * c;
    const t = 6 * c;
    const at = 3 * set.point[c];
    const isNew = last[set.point[c]] !== cycle - 1;
    last[set.point[c]] = cycle;
    const x = set.position[o] - frame[0];
    const y = set.position[o + 1] - frame[1];
    const z = set.position[o + 2] - frame[2];
    // In the frame of the anchors.
    const lx = m[0] * x + m[3] * y + m[6] * z;
    const ly = m[1] * x + m[4] * y + m[7] * z;
    const lz = m[2] * x + m[5] * y + m[8] * z;
    if (isNew) {
      place[at] = lx;
      place[at + 1] = ly;
      place[at + 2] = lz;
      stretch[2 * c] = 0;
      stretch[2 * c + 1] = 0;
      continue;
    }
    const ex = side * (lx - place[at]);
    const ey = side * (ly - place[at + 1]);
    const ez = side * (lz - place[at + 2]);
    const dx = m[0] * ex + m[1] * ey + m[2] * ez;
    const dy = m[3] * ex + m[4] * ey + m[5] * ez;
    const dz = m[6] * ex + m[7] * ey + m[8] * ez;
    let u = dx * tangent[t] + dy * tangent[t + 1] + dz * tangent[t + 2];
    let v = dx * tangent[t + 3] + dy * tangent[t + 4] + dz * tangent[t + 5];
    if (springStiffness > 0) {
      const pull = springStiffness * springShare(problem, c) * Math.sqrt(u * u + v * v);
      // A contact that bears nothing has no spring, and its anchor comes along.
      if (!(pull <= coefficient[c] * normalForce[c] && normalForce[c] > 0)) {
        const kept = pull > 0 ? (coefficient[c] * normalForce[c]) / pull : 0;
        const du = side * (1 - kept) * u;
        const dv = side * (1 - kept) * v;
        const wx = du * tangent[t] + dv * tangent[t + 3];
        const wy = du * tangent[t + 1] + dv * tangent[t + 4];
        const wz = du * tangent[t + 2] + dv * tangent[t + 5];
        place[at] += m[0] * wx + m[3] * wy + m[6] * wz;
        place[at + 1] += m[1] * wx + m[4] * wy + m[7] * wz;
        place[at + 2] += m[2] * wx + m[5] * wy + m[8] * wz;
        u *= kept;
        v *= kept;
      }
    }
    stretch[2 * c] = u;
    stretch[2 * c + 1] = v;
  }
}
