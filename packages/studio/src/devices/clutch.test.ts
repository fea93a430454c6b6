import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { createClutch } from './clutch.js';
import { createGrip } from './grip.js';

const TILTED = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), 0.4);
const QUARTER_ABOUT_Z = new Quaternion(0, 0, Math.SQRT1_2, Math.SQRT1_2);

function openClutch(scale: number) {
  const grip = createGrip({ home: [0, 0, 0.2, 0, 0, 0, 1], sink: { putPose: () => {} } });
  grip.setPivot(0.03, 0, 0);
  return { grip, clutch: createClutch(grip, scale) };
}

describe('createClutch', () => {
  it('does not jump when engaged, wherever the controller is', () => {
    const { grip, clutch } = openClutch(1);
    clutch.engage(new Vector3(3, -2, 1), TILTED);
    clutch.follow(new Vector3(3, -2, 1), TILTED);
    expect([...grip.pose]).toEqual([0, 0, 0.2, 0, 0, 0, 1].map((part) => expect.closeTo(part, 12)));
  });

  it('repeats shifts times the scale, and turns as they are about the pivot', () => {
    const { grip, clutch } = openClutch(0.5);
    clutch.engage(new Vector3(1, 1, 1), TILTED);
    clutch.follow(new Vector3(1.1, 1, 1), QUARTER_ABOUT_Z.clone().multiply(TILTED));
    const pivot = grip.readPivot(new Vector3());
    expect(pivot.distanceTo(new Vector3(0.08, 0, 0.2))).toBeLessThan(1e-12);
    expect(new Quaternion().fromArray(grip.pose, 3).angleTo(QUARTER_ABOUT_Z)).toBeLessThan(1e-6);
  });

  it('leaves the tool alone while released', () => {
    const { grip, clutch } = openClutch(1);
    clutch.engage(new Vector3(), new Quaternion());
    clutch.follow(new Vector3(0.1, 0, 0), new Quaternion());
    clutch.release();
    clutch.follow(new Vector3(0.5, 0, 0), TILTED);
    expect(clutch.isEngaged).toBe(false);
    expect(grip.pose[0]).toBeCloseTo(0.1);
    clutch.engage(new Vector3(-0.4, 0, 0), new Quaternion());
    clutch.follow(new Vector3(-0.3, 0, 0), new Quaternion());
    expect(grip.pose[0]).toBeCloseTo(0.2);
  });
});
