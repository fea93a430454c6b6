import { createBox, createMethodOutput, createPose, handAlong, playScene } from '@palpable/engine';
import { expect, it } from 'vitest';
import { type Peer, STATE_SIZE, STATE_TURNING, STATE_VELOCITY } from './peer.js';
import { createPeerMethod, PEER_MASS, peerInertia } from './peer-method.js';

const coupling = { stiffness: 1000, torsionalStiffness: 5 };
const part = { mesh: createBox(0.1, 0.1, 0.1), pieces: [], isExact: true };
const task = {
  tool: part,
  body: part,
  friction: 0.5,
  mass: PEER_MASS,
  inertia: peerInertia(coupling),
  timeStep: 0.001,
};
const forms = { tool: 'pieces', body: 'pieces' } as const;

/** A body that nothing touches, which turns about z alone; `disposed` counts the worlds that were given back. */
function freeBody() {
  const counted = { made: 0, disposed: 0 };
  const peer: Peer = {
    forms: () => [forms],
    createWorld({ mass, inertia, timeStep }, { start }) {
      counted.made += 1;
      const state = new Float64Array(STATE_SIZE);
      state.set(start);
      let angle = 2 * Math.atan2(state[5]!, state[6]!);
      return {
        step(wrench) {
          for (let i = 0; i < 3; i += 1) {
            state[STATE_VELOCITY + i]! += (timeStep * wrench[i]!) / mass;
            state[i]! += timeStep * state[STATE_VELOCITY + i]!;
          }
          state[STATE_TURNING + 2]! += (timeStep * wrench[5]!) / inertia;
          angle += timeStep * state[STATE_TURNING + 2]!;
          state.set([0, 0, Math.sin(angle / 2), Math.cos(angle / 2)], 3);
          return 7;
        },
        read: (out) => out.set(state),
        contacts: () => 0,
        dispose: () => {
          counted.disposed += 1;
        },
      };
    },
  };
  return { peer, counted };
}

it('pulls a free tool to the device, critically damped, about its centre of mass', () => {
  const { peer, counted } = freeBody();
  const centre = [0.02, 0, 0] as const;
  const method = createPeerMethod(peer, task, { forms, counting: false, centre, coupling });
  const turned = 0.4;
  const at = (part: number) => {
    const pose = createPose(0.01 * part, 0.002 * part, 0);
    pose.set([0, 0, Math.sin((part * turned) / 2), Math.cos((part * turned) / 2)], 3);
    return pose;
  };
  const poses = Array.from({ length: 500 }, (_, n) => at(Math.min(1, n / 200)));
  const away = at(1);
  const { column, finalPose } = playScene({ method, timeStep: 0.001 }, handAlong(poses), {
    x: ({ output }) => output.toolPose[0]! + 0.02 * Math.cos(2 * Math.asin(output.toolPose[5]!)),
    force: ({ output }) => Math.hypot(output.wrench[0]!, output.wrench[1]!, output.wrench[2]!),
    us: ({ output }) => output.stageUs[3]!,
  });
  expect([...finalPose]).toEqual([...away].map((value) => expect.closeTo(value, 6)));
  // The device stops at once with the speed v of the centre of mass: critically damped, that overshoots by v / (ω e).
  const goal = 0.01 + 0.02 * Math.cos(turned);
  const speed = (0.01 - 0.02 * turned * Math.sin(turned)) / 0.2;
  const overshoot = speed / (Math.sqrt(1000 / PEER_MASS) * Math.E);
  const measured = (Math.max(...column.x) - goal) / overshoot;
  expect(measured).toBeGreaterThan(0.9);
  expect(measured).toBeLessThan(1.1);
  expect(column.force.at(-1)).toBeLessThan(1e-3);
  expect(column.us.every((us) => us === 7)).toBe(true);
  method.dispose();
  expect(counted).toEqual({ made: 1, disposed: 1 });
});

it('shows the hand the spring alone, from the device to where the tool is after the step', () => {
  const { peer } = freeBody();
  const method = createPeerMethod(peer, task, { forms, counting: false, centre: [0, 0, 0], coupling });
  method.reset(createPose());
  const output = createMethodOutput();
  method.step(output, createPose(0.004, 0, 0));
  expect(output.wrench[0]).toBeCloseTo(1000 * (output.toolPose[0]! - 0.004), 9);
  expect(output.wrench[0]).toBeLessThan(0);
});
