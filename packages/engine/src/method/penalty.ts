import { PalpableError } from '../base/errors.js';
import type { ContactQuery } from '../contact/contact-query.js';
import { createContactSet } from '../contact/contact-set.js';
import { queryContacts } from '../contact/query-contacts.js';
import { type Pose, transformPoint } from '../math/pose.js';
import type { Method } from './method.js';

/**
 * Direct rendering by penalties: the tool is where the device is, and every point below the surface pushes it out like a
 * spring along its normal (Zhao, Eq. 1). The plainest method there is, and the reference for the others: without a
 * coupling between device and tool its stiffness is that of all contacts together, so that it suits soft contact.
 */
export interface PenaltyOptions {
  /** Of one contact, N/m. Too high for a device, and it buzzes: what is felt is the sum over all contacts. */
  readonly stiffness: number;
  /** Centre of mass of the tool in its own frame, metres; its origin unless given. */
  readonly centre?: readonly [number, number, number];
  /** Pose of the other body; the world's frame unless given. */
  readonly environmentPose?: Pose;
}

export function createPenaltyMethod(query: ContactQuery, options: PenaltyOptions): Method {
  const {
    stiffness,
    centre: localCentre = [0, 0, 0],
    environmentPose = Float64Array.of(0, 0, 0, 0, 0, 0, 1),
  } = options;
  if (!(stiffness > 0 && Number.isFinite(stiffness))) {
    throw new PalpableError('option-invalid', `The stiffness is ${stiffness}, but must be above 0 (N/m).`, 'stiffness');
  }
  const set = createContactSet(query.maxContacts);
  const centre = new Float64Array(3);
  return {
    step(output, devicePose) {
      output.toolPose.set(devicePose);
      transformPoint(centre, devicePose, localCentre[0], localCentre[1], localCentre[2]);
      const toolHasShell = query.shellOn === 'tool';
      queryContacts(
        query,
        set,
        toolHasShell ? devicePose : environmentPose,
        toolHasShell ? environmentPose : devicePose,
        centre,
      );
      const { wrench } = output;
      wrench.fill(0);
      let deepest = 0;
      for (let c = 0; c < set.count; c += 1) {
        const o = 3 * c;
        const depth = set.depth[c];
        if (depth <= 0) continue;
        if (depth > deepest) deepest = depth;
        const force = stiffness * depth;
        const fx = force * set.normal[o];
        const fy = force * set.normal[o + 1];
        const fz = force * set.normal[o + 2];
        wrench[0] += fx;
        wrench[1] += fy;
        wrench[2] += fz;
        wrench[3] += set.arm[o + 1] * fz - set.arm[o + 2] * fy;
        wrench[4] += set.arm[o + 2] * fx - set.arm[o] * fz;
        wrench[5] += set.arm[o] * fy - set.arm[o + 1] * fx;
      }
      output.contacts = set.count;
      output.maxPenetration = deepest;
    },
  };
}
