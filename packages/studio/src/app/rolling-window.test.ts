import { describe, expect, it } from 'vitest';
import { RollingWindow } from './rolling-window.js';

describe('RollingWindow', () => {
  it('counts what is young enough', () => {
    const window = new RollingWindow(1000);
    for (let time = 0; time <= 2000; time += 100) window.push(time, 1);
    expect(window.count(2000)).toBe(11);
    expect(window.count(2950)).toBe(1);
    expect(window.count(4000)).toBe(0);
  });

  it('gives percentiles by rank', () => {
    const window = new RollingWindow(1e6);
    expect(window.percentile(0.5)).toBeUndefined();
    for (let value = 100; value >= 1; value--) window.push(100 - value, value);
    expect(window.percentile(0.5)).toBe(50);
    expect(window.percentile(0.99)).toBe(99);
    expect(window.percentile(1)).toBe(100);
    expect(window.percentile(0)).toBe(1);
  });
});
