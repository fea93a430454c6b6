// Your own method: from the device's pose to the tool's pose and a wrench. This one keeps the tool above a floor.
import { createServo, type Device, type Method, stepServo } from '@palpable/engine';

const floor: Method = {
  step(output, devicePose) {
    const depth = Math.max(0, -(devicePose[2] ?? 0));
    output.toolPose.set(devicePose);
    output.toolPose[2] = Math.max(0, devicePose[2] ?? 0);
    output.wrench.fill(0);
    output.wrench[2] = 800 * depth;
    output.contacts = depth > 0 ? 1 : 0;
    output.maxPenetration = depth;
  },
  reset() {},
};

const device: Device = {
  limits: { force: 8, torque: 0 },
  read: (out) => {
    out.set([0, 0, -0.004, 0, 0, 0, 1]);
    return true;
  },
  write: () => {},
};

// The force comes in gently: it is all there after 0.2 s.
const servo = createServo(device, floor);
for (let cycle = 0; cycle < 250; cycle += 1) stepServo(servo);
console.log(`force ${servo.output.wrench[2]?.toFixed(1)} N`);
console.log(`tool held at ${servo.output.toolPose[2]} m while the hand is at ${servo.devicePose[2]} m`);
