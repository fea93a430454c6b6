// Your own device: say where the hand is, take the wrench. Here the hand presses a peg against a block.
import {
  buildField,
  createBox,
  createContactPair,
  createContactQuery,
  createCylinder,
  createPenaltyMethod,
  createServo,
  createToolBody,
  type Device,
  type Pose,
  prepareBody,
  stepServo,
} from '@palpable/engine';

class PressingHand implements Device {
  readonly limits = { force: 12, torque: 0.2 };
  strongest = 0;
  private cycle = 0;

  read(out: Pose): boolean {
    this.cycle += 1;
    out.fill(0);
    out[2] = 0.045 - 0.007 * Math.sin((Math.PI * this.cycle) / 1000);
    out[6] = 1;
    return true;
  }

  write(wrench: Float64Array): void {
    this.strongest = Math.max(this.strongest, wrench[2] ?? 0);
  }
}

const block = await buildField(createBox(0.1, 0.1, 0.04), { resolution: 96 });
const peg = await prepareBody(createCylinder(0.01, 0.04), { field: null, shell: { count: 2000 } });
const query = createContactQuery(peg.shell!, block, { shellOn: 'tool' });
const method = createPenaltyMethod(createToolBody(peg), [createContactPair(query)], { stiffness: 5000 });

const hand = new PressingHand();
const servo = createServo(hand, method);
for (let cycle = 0; cycle < 1000; cycle += 1) stepServo(servo);

console.log(`${servo.cycles} cycles, strongest push ${hand.strongest.toFixed(1)} N, ${servo.limited} cycles limited`);
