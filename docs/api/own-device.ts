// Your own device: say where the hand is, take the wrench. Here the hand presses a peg against a block.
import {
  buildField,
  buildShell,
  createBox,
  createContactQuery,
  createCylinder,
  createPenaltyMethod,
  createServo,
  type Device,
  type Pose,
  stepServo,
} from '@palpable/engine';

class PressingHand implements Device {
  readonly limits = { force: 12, torque: 0.2 };
  strongest = 0;
  private cycle = 0;

  read(out: Pose): void {
    this.cycle += 1;
    out.fill(0);
    out[2] = 0.045 - 0.007 * Math.sin((Math.PI * this.cycle) / 1000);
    out[6] = 1;
  }

  write(wrench: Float64Array): void {
    this.strongest = Math.max(this.strongest, wrench[2] ?? 0);
  }
}

const block = await buildField(createBox(0.1, 0.1, 0.04), { resolution: 96 });
const peg = buildShell(createCylinder(0.01, 0.04), { count: 2000 });
const query = createContactQuery(peg, block, { shellOn: 'tool' });

const hand = new PressingHand();
const servo = createServo(hand, createPenaltyMethod(query, { stiffness: 20 }));
for (let cycle = 0; cycle < 1000; cycle += 1) stepServo(servo);

console.log(`${servo.cycles} cycles, strongest push ${hand.strongest.toFixed(1)} N, ${servo.limited} cycles limited`);
