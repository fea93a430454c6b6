/** Mouse and fingers move the bunny, and a page that nobody sees pushes nobody. */
import { beforeEach, describe, expect, it } from 'vitest';
import { between, isHeld, pushOntoTeapot, readPose, setVisibility, status } from './device-panel.js';
import { changedShare } from './pixels.js';
import { eventually, freshPage, open, page, pointOnTool, readForce, rest, stageBox, useStudio } from './studio.js';

useStudio();

describe('the mouse alone', () => {
  it('holds the bunny after a double click, without a button, until it is let go of, and shifts the view', async () => {
    await open();
    const { x, y } = await pointOnTool();
    const start = await readPose();
    await page.mouse.dblclick(x, y);
    expect(await isHeld()).toBe('true');
    await page.mouse.move(x + 40, y - 20);
    const moved = await readPose();
    expect(between(start, moved).way).toBeGreaterThan(0.01);
    expect(between(start, moved).turn).toBeLessThan(1e-6);
    await page.mouse.wheel(0, -300);
    const deeper = await readPose();
    expect(between(moved, deeper).way).toBeGreaterThan(0.01);
    await page.keyboard.down('Shift');
    await page.mouse.move(x + 80, y - 20);
    await page.keyboard.up('Shift');
    const turned = await readPose();
    expect(between(deeper, turned).turn).toBeCloseTo(0.32, 3);

    await page.mouse.click(x + 80, y - 20);
    expect(await isHeld()).toBe('false');
    await page.mouse.move(x - 60, y + 30);
    expect(await readPose()).toEqual(turned);

    // By a double click as well, by Escape, and by a page that is hidden.
    await page.keyboard.press('r');
    await rest();
    await page.mouse.dblclick(x, y);
    expect(await isHeld()).toBe('true');
    // Sooner it would be one and the same double click.
    await page.waitForTimeout(700);
    await page.mouse.dblclick(x, y);
    expect(await isHeld()).toBe('false');
    await page.keyboard.press('h');
    expect(await isHeld()).toBe('true');
    await page.keyboard.press('Escape');
    expect(await isHeld()).toBe('false');
    await page.keyboard.press('h');
    await page.evaluate(setVisibility, 'hidden');
    expect(await isHeld()).toBe('false');
    await page.evaluate(setVisibility, 'visible');
    await page.keyboard.press('h');
    await page.keyboard.press('h');
    expect(await isHeld()).toBe('false');

    // The right button shifts the view while the bunny is held, without moving it.
    await page.keyboard.press('r');
    await rest();
    await page.mouse.dblclick(x, y);
    const held = await readPose();
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(x + 60, y + 60, { steps: 3 });
    await page.mouse.up({ button: 'right' });
    expect(await readPose()).toEqual(held);
    await page.mouse.move(x + 61, y + 60);
    await page.mouse.move(x + 62, y + 60);
    expect(between(held, await readPose()).way).toBeLessThan(0.003);
  });
});

describe('a hidden page', () => {
  it('takes the force away, and brings it back when it is shown', async () => {
    await open();
    await pushOntoTeapot();
    await eventually(readForce).toBeGreaterThan(0.5);
    await page.evaluate(setVisibility, 'hidden');
    await eventually(readForce).toBe(0);
    await page.evaluate(setVisibility, 'visible');
    expect(await status('Mouse and keyboard').textContent()).toContain('returns within');
    await eventually(readForce).toBeGreaterThan(0.5);
    await eventually(() => status('Mouse and keyboard').textContent()).toContain('Drag the tool');

    // What was paused by hand stays so.
    await page.keyboard.press('p');
    await page.evaluate(setVisibility, 'hidden');
    await page.evaluate(setVisibility, 'visible');
    await rest();
    expect(await readForce()).toBe(0);
  });
});

describe('fingers', () => {
  type Finger = { x: number; y: number; id: number };
  let put: (fingers: Finger[]) => Promise<void>;
  let slide: (from: Finger[], to: Finger[]) => Promise<void>;

  beforeEach(async () => {
    await freshPage({ hasTouch: true });
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
