import type { Pose } from '../../math/pose.js';
import type { ContactLink } from '../contact-link.js';
import { type ContactRunner, createContactRunner, createLinkedRunner } from '../contact-runner.js';
import { type Method, STAGE_CONTACT, STAGE_METHOD, STAGE_TOTAL } from '../method.js';
import type { ToolBody } from '../tool-contacts.js';
import { createContactModel } from './contact-model.js';
import { createModularContactSide, type ModularContactSide, type ModularContacts } from './contact-side.js';
import { createModularDynamics, type ModularDynamics } from './modular-dynamics.js';
import type { ModularOptions } from './modular-options.js';

/**
 * Implicit dynamics with linearised contact (Otaduy, Lin): the tool is a rigid body of grams, pulled by the device through
 * a viscoelastic link and pushed by a few clusters of contacts.
 */
export interface LinkedModularMethod extends Method {
  readonly dynamics: ModularDynamics;
  /** The contact model that the last step used. */
  readonly contactModel: Float64Array;
}

/**
 * Both sides in one thread. The contact side runs in every `contactRatio`-th step; with `contactDelayed` what it found
 * from the state at step k counts from step k + contactRatio on, as with a thread that needs that long. The same calls
 * always give the same numbers.
 */
export interface ModularMethod extends LinkedModularMethod {
  readonly contactSide: ModularContactSide;
}

/** The method `modular` with both sides in one thread. Throws `option-invalid` for options out of range. */
export function createModularMethod(tool: ToolBody, contacts: ModularContacts, options: ModularOptions): ModularMethod {
  const contactSide = createModularContactSide(tool, contacts, options);
  const runner = createContactRunner(contactSide, () => createContactModel(options.contact.clusters), options);
  return createHapticSide(tool, runner, options, { contactSide });
}

/** The haptic side alone: its contact side, made by `createModularContactSide`, is at the other end of the link. */
export function createLinkedModularMethod(
  tool: ToolBody,
  link: ContactLink,
  options: ModularOptions,
): LinkedModularMethod {
  return createHapticSide(tool, createLinkedRunner(link), options, {});
}

function createHapticSide<More>(
  tool: ToolBody,
  runner: ContactRunner,
  options: ModularOptions,
  more: More,
): LinkedModularMethod & More {
  const dynamics = createModularDynamics(tool, options);
  const { clock } = options;
  return {
    ...more,
    dynamics,
    get contactModel() {
      return runner.model;
    },
    step(output, devicePose) {
      const start = clock ? clock() : 0;
      runner.find(dynamics.toolState);
      const found = clock ? clock() : 0;
      dynamics.step(output, devicePose, runner.model);
      runner.tell(dynamics.toolState);
      if (!clock) return;
      const end = clock();
      output.stageUs[STAGE_CONTACT] = 1000 * (found - start);
      output.stageUs[STAGE_METHOD] = 1000 * (end - found);
      output.stageUs[STAGE_TOTAL] = 1000 * (end - start);
    },
    reset(pose: Pose) {
      dynamics.reset(pose);
      runner.reset(dynamics.toolState);
    },
    draw: (picture) => dynamics.draw(picture, runner.model),
  };
}
