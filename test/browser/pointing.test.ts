/** The mouse moves the bunny, and a page that nobody sees pushes nobody. */
import { describe, expect, it } from 'vitest';
import { between, isHeld, pushOntoTeapot, readPose, setVisibility, status } from './device-panel.js';
import { eventually, open, page, pointOnTool, readForce, rest, useStudio } from './studio.js';

useStudio({ keepsPage: true });

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
    await page.keyboard.press('p');
  });
});

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
