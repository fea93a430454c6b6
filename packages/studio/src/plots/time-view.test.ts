import { describe, expect, it } from 'vitest';
import { atExtent, liveView, panned, timeAt, wholeView, zoomed } from './time-view.js';

const extent = { first: 10, last: 50 };
const held = { span: 10, end: 40, isFollowing: false };

describe('the view of time', () => {
  it('goes along with the newest row only while it follows', () => {
    expect(atExtent(liveView(), extent)).toEqual({ span: 10, end: 50, isFollowing: true });
    expect(atExtent(held, extent)).toBe(held);
    expect(atExtent(liveView(), undefined)).toEqual(liveView());
  });

  it.each([0, 0.3, 1])('zooms about what stands at %d of its width', (share) => {
    const closer = zoomed(held, 0.25, share, 60);
    expect(closer.span).toBe(2.5);
    expect(timeAt(closer, share)).toBeCloseTo(timeAt(held, share), 12);
  });

  it('zooms no closer than can be seen and no further than there is', () => {
    expect(zoomed(held, 1e-9, 0.5, 60).span).toBe(0.05);
    expect(zoomed(held, 1e9, 0.5, 60).span).toBe(60);
  });

  it('keeps following at its right edge when it is zoomed', () => {
    const view = { span: 10, end: 50, isFollowing: true };
    expect(zoomed(view, 0.5, 0.2, 60)).toEqual({ span: 5, end: 50, isFollowing: true });
  });

  it('stops following when it is moved, and stays where there is something', () => {
    expect(panned({ ...held, isFollowing: true }, -0.5, extent)).toEqual({ span: 10, end: 35, isFollowing: false });
    expect(panned(held, 100, extent).end).toBe(51);
    expect(panned(held, Number.NEGATIVE_INFINITY, extent).end).toBe(19);
  });

  it('shows a whole run, also one of no length', () => {
    expect(wholeView(extent)).toEqual({ span: 40, end: 50, isFollowing: false });
    expect(wholeView({ first: 3, last: 3 }).span).toBeGreaterThan(0);
  });
});
