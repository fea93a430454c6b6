import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { createGrip } from './grip.js';

const HOME = [0.1, 0.2, 0.3, 0, 0, 0, 1];

function openGrip() {
  const put: { pose: number[]; buttons: number }[] = [];
  const grip = createGrip({
    home: HOME,
    sink: { putPose: (pose, buttons) => void put.push({ pose: [...pose], buttons }) },
  });
  return { grip, put };
}

describe('createGrip', () => {
  it('says nothing until it is moved, then every pose', () => {
    const { grip, put } = openGrip();
    expect(put).toEqual([]);
    grip.move(0.01, 0, -0.02);
    expect(put).toHaveLength(1);
    expect(put[0]!.pose).toEqual([...grip.pose]);
    expect([...grip.pose.subarray(0, 3)]).toEqual([expect.closeTo(0.11), 0.2, expect.closeTo(0.28)]);
  });

  it('turns about the pivot, which stays where it is', () => {
    const { grip } = openGrip();
    grip.setPivot(0, 0, 0.1);
    const before = grip.readPivot(new Vector3());
    grip.turn(0, Math.PI / 2, 0);
    expect(grip.readPivot(new Vector3()).distanceTo(before)).toBeLessThan(1e-12);
    // A quarter turn about y takes the body's z to the world's x.
    expect([...grip.pose]).toEqual([
      expect.closeTo(0),
      expect.closeTo(0.2),
      expect.closeTo(0.4),
      0,
      expect.closeTo(Math.SQRT1_2),
      0,
      expect.closeTo(Math.SQRT1_2),
    ]);
    const turned = [...grip.pose];
    grip.turn(0, 0, 0);
    expect([...grip.pose]).toEqual(turned);
  });

  it('keeps the tool within reach of its start', () => {
    const { grip } = openGrip();
    grip.move(5, 0, 0);
    expect(grip.pose[0]).toBeCloseTo(1.1);
    grip.move(-0.1, 0, 0);
    expect(grip.pose[0]).toBeCloseTo(1);
  });

  it('places the pivot at a point with a rotation of any length', () => {
    const { grip } = openGrip();
    grip.setPivot(0.05, 0, 0);
    grip.place(new Vector3(0.2, 0.2, 0.2), new Quaternion(0, 0, 2, 2));
    expect(grip.readPivot(new Vector3()).distanceTo(new Vector3(0.2, 0.2, 0.2))).toBeLessThan(1e-12);
    expect(grip.pose[5]).toBeCloseTo(Math.SQRT1_2);
  });

  it('gives the buttons of all devices together, and only changes', () => {
    const { grip, put } = openGrip();
    grip.press('one', 0);
    expect(put).toEqual([]);
    grip.press('one', 0b01);
    grip.press('two', 0b10);
    grip.press('two', 0b10);
    grip.press('one', 0);
    expect(put.map(({ buttons }) => buttons)).toEqual([0b01, 0b11, 0b10]);
  });
});
