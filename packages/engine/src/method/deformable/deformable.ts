import type { ContactLink } from '../contact-link.js';
import { type Clock, type Method, STAGE_CONTACT, STAGE_METHOD, STAGE_TOTAL } from '../method.js';
import { createDeformableDynamics, type DeformableDynamics } from './deformable-dynamics.js';
import type { DeformableSetup } from './deformable-setup.js';
import { candidateCount, createProximityModel, type ProximityModel } from './proximity-model.js';
import { createProximitySide, type ProximitySide } from './proximity-side.js';

/**
 * Deformable bodies under Signorini's and Coulomb's laws (Duriez et al.) as something that hands hold: one world, and a
 * method for each hand. The world is stepped once per cycle, with the first hand; the others then take what it found, so
 * that their devices count one cycle later.
 */
export interface DeformableWorld {
  readonly dynamics: DeformableDynamics;
  /** Null when proximity is found elsewhere. */
  readonly side: ProximitySide | null;
  /** The model that the last step used. */
  readonly model: ProximityModel;
  /** One per hand. */
  readonly methods: readonly Method[];
}

export interface WorldSources {
  /** One that was made before for the same bodies. */
  readonly side?: ProximitySide;
  /** To a proximity side that runs elsewhere. */
  readonly link?: ContactLink;
  readonly clock?: Clock;
}

export function createDeformableWorld(setup: DeformableSetup, sources: WorldSources = {}): DeformableWorld {
  const { clock, link } = sources;
  const dynamics = createDeformableDynamics(setup);
  const side = link ? null : (sources.side ?? createProximitySide(setup));
  const own = createProximityModel(candidateCount(setup.options.contacts));
  /** Microseconds of the last step: proximity, and all. */
  const times = new Float64Array(2);
  let model = own;
  let stepsLeft = 0;

  function findContacts(): void {
    if (link) {
      model = link.model();
      return;
    }
    stepsLeft -= 1;
    if (stepsLeft > 0) return;
    stepsLeft = setup.options.contactRatio;
    side!.update(own, dynamics.state);
  }

  function stepWorld(): void {
    const start = clock ? clock() : 0;
    findContacts();
    const found = clock ? clock() : 0;
    dynamics.step(model);
    link?.tell(dynamics.state);
    if (!clock) return;
    times[0] = 1000 * (found - start);
    times[1] = 1000 * (clock() - start);
  }

  const methods = setup.hands.map(
    (_, hand): Method => ({
      step(output, devicePose) {
        dynamics.setDevice(hand, devicePose);
        if (hand === 0) stepWorld();
        dynamics.report(output, hand);
        if (!clock) return;
        output.stageUs[STAGE_CONTACT] = times[0];
        output.stageUs[STAGE_METHOD] = times[1] - times[0];
        output.stageUs[STAGE_TOTAL] = times[1];
      },
      reset(pose) {
        dynamics.reset(hand, pose);
        stepsLeft = 0;
        own.fill(0);
        link?.tell(dynamics.state);
      },
      draw: (picture) => dynamics.draw(picture, hand),
    }),
  );
  return {
    dynamics,
    side,
    methods,
    get model() {
      return model;
    },
  };
}
