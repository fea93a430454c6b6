import { encodeContactProblem } from '../../complementarity/contact-problem-file.js';
import type { ContactLink } from '../contact-link.js';
import { createContactRunner, createLinkedRunner } from '../contact-runner.js';
import { type Clock, type Method, STAGE_CONTACT, STAGE_METHOD, STAGE_TOTAL } from '../method.js';
import { createDeformableDynamics, type DeformableDynamics } from './deformable-dynamics.js';
import type { DeformableSetup } from './deformable-setup.js';
import { candidateCount, createProximityModel } from './proximity-model.js';
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
  /** One per hand. */
  readonly methods: readonly DeformableMethod[];
}

export interface DeformableMethod extends Method {
  readonly world: DeformableWorld;
}

export interface WorldSources {
  /** One that was made before for the same bodies. */
  readonly side?: ProximitySide;
  /** To a proximity side that runs elsewhere. */
  readonly link?: ContactLink;
  readonly clock?: Clock | undefined;
}

/**
 * A world of rigid and elastic bodies with one method per hand, to be stepped in the order of the hands. Throws
 * `option-invalid` for options out of range.
 */
export function createDeformableWorld(setup: DeformableSetup, sources: WorldSources = {}): DeformableWorld {
  const { clock, link } = sources;
  const dynamics = createDeformableDynamics(setup);
  const side = link ? null : (sources.side ?? createProximitySide(setup));
  const { contacts, contactRatio } = setup.options;
  const runner =
    side === null
      ? createLinkedRunner(link!)
      : createContactRunner(side, () => createProximityModel(candidateCount(contacts)), { contactRatio });
  /** Microseconds of the last step: proximity, and all. */
  const times = new Float64Array(2);

  function stepWorld(): void {
    const start = clock ? clock() : 0;
    runner.find(dynamics.state);
    const found = clock ? clock() : 0;
    dynamics.step(runner.model);
    runner.tell(dynamics.state);
    if (!clock) return;
    times[0] = 1000 * (found - start);
    times[1] = 1000 * (clock() - start);
  }

  const world: DeformableWorld = { dynamics, side, methods: setup.hands.map((_, hand) => createMethod(hand)) };
  return world;

  function createMethod(hand: number): DeformableMethod {
    return {
      get world() {
        return world;
      },
      get contactModel() {
        return runner.model;
      },
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
        runner.reset(dynamics.state);
      },
      draw: (picture) => dynamics.draw(picture, hand),
      takeOver(before) {
        if (hand === 0 && 'world' in before) dynamics.takeOver((before as DeformableMethod).world.dynamics);
      },
      problemText: () => encodeContactProblem(dynamics.problem),
      // What was solved before stays in the problem when nothing touches any more.
      get delassus() {
        return dynamics.groups === 0 ? null : dynamics.problem;
      },
    };
  }
}
