import type { Pose } from '../../math/pose.js';
import { type Method, STAGE_CONTACT, STAGE_METHOD, STAGE_TOTAL } from '../method.js';
import type { ToolBody } from '../tool-contacts.js';
import { type ContactModel, createContactModel } from './contact-model.js';
import { createModularContactSide, type ModularContactSide, type ModularContacts } from './contact-side.js';
import { createModularDynamics, type ModularDynamics } from './modular-dynamics.js';
import type { ModularOptions } from './modular-options.js';

/**
 * Implicit dynamics with linearised contact (Otaduy, Lin), both sides in one thread: the tool is a rigid body of grams,
 * pulled by the device through a viscoelastic link and pushed by a few clusters of contacts. The contact side runs in
 * every `contactRatio`-th step; with `contactDelayed` what it found from the state at step k counts from step
 * k + contactRatio on, as with a thread that needs that long. The same calls always give the same numbers.
 *
 * For two real threads, see `createModularDynamics` and `createModularContactSide`.
 */
export interface ModularMethod extends Method {
  readonly dynamics: ModularDynamics;
  readonly contactSide: ModularContactSide;
  /** The contact model that the last step used. */
  readonly model: ContactModel;
}

export function createModularMethod(tool: ToolBody, contacts: ModularContacts, options: ModularOptions): ModularMethod {
  const dynamics = createModularDynamics(tool, options);
  const contactSide = createModularContactSide(tool, contacts, options);
  const { contactRatio, contactDelayed, clock } = options;
  const { clusters } = options.contact;
  let model = createContactModel(clusters);
  let next = createContactModel(clusters);
  let stepsLeft = 0;

  function findContacts(): void {
    stepsLeft -= 1;
    if (stepsLeft > 0) return;
    stepsLeft = contactRatio;
    if (!contactDelayed) {
      contactSide.update(model, dynamics.toolState);
      return;
    }
    const found = next;
    next = model;
    model = found;
    contactSide.update(next, dynamics.toolState);
  }

  return {
    dynamics,
    contactSide,
    get model() {
      return model;
    },
    step(output, devicePose) {
      const start = clock ? clock() : 0;
      findContacts();
      const found = clock ? clock() : 0;
      dynamics.step(output, devicePose, model);
      if (!clock) return;
      const end = clock();
      output.stageUs[STAGE_CONTACT] = 1000 * (found - start);
      output.stageUs[STAGE_METHOD] = 1000 * (end - found);
      output.stageUs[STAGE_TOTAL] = 1000 * (end - start);
    },
    reset(pose: Pose) {
      dynamics.reset(pose);
      contactSide.reset();
      model.fill(0);
      next.fill(0);
      stepsLeft = 0;
    },
    draw: (picture) => dynamics.draw(picture, model),
  };
}
