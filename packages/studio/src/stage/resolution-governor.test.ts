import { describe, expect, it } from 'vitest';
import { ResolutionGovernor } from './resolution-governor.js';

function feed(governor: ResolutionGovernor, waitMs: number, times: number): void {
  for (let i = 0; i < times; i++) governor.addWait(waitMs);
}

describe('ResolutionGovernor', () => {
  it('draws all pixels where drawing is quick', () => {
    const governor = new ResolutionGovernor({ tooSlowMs: 45, quickEnoughMs: 14 });
    feed(governor, 16, 1000);
    expect(governor.movingShare).toBe(1);
  });

  it('takes fewer pixels where drawing is slow, but never fewer than two fifths of a side', () => {
    const governor = new ResolutionGovernor({ tooSlowMs: 45, quickEnoughMs: 14 });
    feed(governor, 100, 3);
    expect(governor.movingShare).toBe(0.75);
    feed(governor, 100, 300);
    expect(governor.movingShare).toBe(0.4);
  });

  it('is not moved by a single late picture', () => {
    const governor = new ResolutionGovernor({ tooSlowMs: 45, quickEnoughMs: 14 });
    for (let i = 0; i < 100; i++) {
      governor.addWait(300);
      feed(governor, 16, 2);
    }
    expect(governor.movingShare).toBe(1);
  });

  it('comes back when drawing is quick again', () => {
    const governor = new ResolutionGovernor({ tooSlowMs: 45, quickEnoughMs: 14 });
    feed(governor, 100, 6);
    feed(governor, 5, 30);
    expect(governor.movingShare).toBe(0.75);
    feed(governor, 5, 30);
    expect(governor.movingShare).toBe(1);
  });
});
