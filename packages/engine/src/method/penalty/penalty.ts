import { createContactStiffness, setContactStiffness } from '../../contact/contact-stiffness.js';
import { checkOptions, optionsOf } from '../../settings/check-options.js';
import { contactParameter } from '../../settings/group-parameters.js';
import { drawPenalties } from '../contact-picture.js';
import {
  type Clock,
  type Method,
  STAGE_CONTACT,
  STAGE_METHOD,
  STAGE_TOTAL,
  STATE_FREE,
  STATE_SLIP,
} from '../method.js';
import { addPenaltyWrench } from '../penalty-response.js';
import {
  type ContactPair,
  createToolContacts,
  deepestContact,
  findToolContacts,
  type ToolBody,
} from '../tool-contacts.js';

/**
 * Direct rendering by penalties: the tool is where the device is, and every point below the surface pushes it out like a
 * spring along its normal (Zhao, Li, Barbič, Eq. 1). The plainest method there is, and the reference for the others.
 */
export interface PenaltyOptions {
  /** N/m: of one direction if `adaptive`, of one contact if not. Too high for a device, and it buzzes. */
  readonly stiffness: number;
  /** Whether contacts that share a direction share its stiffness; true unless given. */
  readonly adaptive?: boolean;
  /** Whether points on faces that only graze the other surface are left out; true unless given. */
  readonly cornerWeighting?: boolean;
  /** Most contacts of the tool; as many as the queries give unless given. */
  readonly maxContacts?: number;
  /** For the times of the stages; without one they are 0. */
  readonly clock?: Clock | undefined;
}

/**
 * Penalty contact: every contact pushes like a spring (N/m), and the tool is where the device is. Throws
 * `option-invalid` for options out of range.
 */
export function createPenaltyMethod(tool: ToolBody, pairs: readonly ContactPair[], options: PenaltyOptions): Method {
  const { stiffness, adaptive = true, cornerWeighting = true, clock } = options;
  checkOptions(optionsOf('contact', contactParameter.keys, options));
  const contacts = createToolContacts(tool, pairs, options.maxContacts);
  const law = createContactStiffness(contacts.set.capacity, { stiffness, adaptive, cornerWeighting });
  return {
    // The tool is where the device is: there is nothing to forget.
    reset() {},
    draw: (picture) => drawPenalties(picture, contacts),
    step(output, devicePose) {
      const start = clock ? clock() : 0;
      output.toolPose.set(devicePose);
      findToolContacts(contacts, devicePose);
      const found = clock ? clock() : 0;
      setContactStiffness(law, contacts.set);
      output.wrench.fill(0);
      addPenaltyWrench(output.wrench, contacts);
      output.contacts = contacts.set.count;
      output.maxPenetration = deepestContact(contacts.set);
      output.frictionState = output.contacts > 0 ? STATE_SLIP : STATE_FREE;
      output.capped = contacts.capped;
      if (!clock) return;
      const end = clock();
      output.stageUs[STAGE_CONTACT] = 1000 * (found - start);
      output.stageUs[STAGE_METHOD] = 1000 * (end - found);
      output.stageUs[STAGE_TOTAL] = 1000 * (end - start);
    },
  };
}
