/** Fingers move the bunny and the view. */
import { beforeEach, describe, expect, it } from 'vitest';
import { between, isHeld, readPose } from './device-panel.js';
import { changedShare } from './pixels.js';
import { open, page, pointOnTool, rest, stageBox, useStudio } from './studio.js';

useStudio({ keepsPage: true, context: { hasTouch: true } });

describe('fingers', () => {
  type Finger = { x: number; y: number; id: number };
  let put: (fingers: Finger[]) => Promise<void>;
  let slide: (from: Finger[], to: Finger[]) => Promise<void>;

  beforeEach(async () => {
    await open();
    const session = await page.context().newCDPSession(page);
    let down = 0;
    put = async (touchPoints) => {
      const type = touchPoints.length > down ? 'touchStart' : touchPoints.length < down ? 'touchEnd' : 'touchMove';
      down = touchPoints.length;
      await session.send('Input.dispatchTouchEvent', { type, touchPoints });
    };
    slide = async (from, to) => {
      for (let step = 1; step <= 8; step += 1) {
        const share = step / 8;
        await put(
          from.map(({ x, y, id }, k) => ({ x: x + share * (to[k]!.x - x), y: y + share * (to[k]!.y - y), id })),
        );
      }
      // Moves are handed to the page with its next pictures.
      await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
    };
  });

  it('move, push, twist and turn the bunny', async () => {
    const { x, y } = await pointOnTool();
    const first = { x, y, id: 0 };
    const second = { x: x + 120, y, id: 1 };
    const third = { x: x + 160, y, id: 2 };
    const start = await readPose();
    await put([first]);
    await put([first, second]);
    // Apart by 50 pixels: nearer, and neither aside nor turned.
    const apart = { ...second, x: second.x + 50 };
    await slide([first, second], [first, apart]);
    const nearer = await readPose();
    expect(between(start, nearer).way).toBeGreaterThan(0.01);
    expect(between(start, nearer).turn).toBeLessThan(1e-6);
    // Round the first one by a quarter.
    const below = { ...second, x, y: y + 170 };
    await slide([first, apart], [first, below]);
    const twisted = await readPose();
    expect(between(nearer, twisted).turn).toBeCloseTo(Math.PI / 2, 2);
    await put([first, below, third]);
    await slide([first, below, third], [first, { ...below, x: below.x + 40 }, { ...third, x: third.x + 40 }]);
    const turned = await readPose();
    expect(between(twisted, turned).turn).toBeCloseTo(0.32, 2);
    expect(await isHeld()).toBe('true');
    await put([]);
    expect(await isHeld()).toBe('false');
  });

  it('hold the bunny also a little beside it, and leave it alone elsewhere', async () => {
    const { x, y } = await pointOnTool();
    const start = await readPose();
    // To its left edge, and a little further than that.
    let edge = x;
    for (; edge > x - 300; edge -= 4) {
      await page.mouse.move(edge, y);
      if ((await page.locator('canvas').getAttribute('data-over')) !== 'tool') break;
    }
    const beside = { x: edge - 6, y, id: 0 };
    await put([beside]);
    expect(await isHeld()).toBe('true');
    await put([]);
    const box = await stageBox();
    const one = { x: box.x + 0.2 * box.width, y: box.y + 0.6 * box.height, id: 0 };
    const two = { ...one, x: box.x + 0.3 * box.width, id: 1 };
    await rest();
    const turned = await changedShare(page, box, async () => {
      await put([one]);
      expect(await isHeld()).toBe('false');
      await slide([one], [{ ...one, x: one.x + 60 }]);
      await put([]);
      await rest();
    });
    expect(turned).toBeGreaterThan(0.02);
    // Round each other by a quarter, as far apart as before: the view turns about the vertical.
    const twisted = await changedShare(page, box, async () => {
      await put([one]);
      await put([one, two]);
      await slide([one, two], [one, { ...two, x: one.x, y: one.y + 0.1 * box.width }]);
      await put([]);
      await rest();
    });
    expect(twisted).toBeGreaterThan(0.02);
    expect(await readPose()).toEqual(start);
  });
});
