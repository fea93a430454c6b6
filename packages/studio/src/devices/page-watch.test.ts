import { expect, it } from 'vitest';
import { createPageWatch } from './page-watch.js';

function openWatch(startsHidden = false) {
  const events = new EventTarget();
  const told: boolean[] = [];
  let isHidden = startsHidden;
  const watch = createPageWatch({ events, isHidden: () => isHidden }, (isAway) => told.push(isAway));
  const change = (hidden: boolean, type = 'visibilitychange') => {
    isHidden = hidden;
    events.dispatchEvent(new Event(type));
  };
  return { watch, told, change };
}

it('tells once that the page is hidden, and once that it is shown', () => {
  const { told, change } = openWatch();
  change(true);
  change(true, 'pagehide');
  change(false);
  change(false, 'pageshow');
  expect(told).toEqual([true, false]);
});

it('counts a page that is left or stopped as hidden, whatever it says of itself', () => {
  const { told, change } = openWatch();
  change(false, 'pagehide');
  change(false, 'pageshow');
  change(false, 'freeze');
  expect(told).toEqual([true, false, true]);
});

it('knows a page that was opened in the background, and hears nothing after its end', () => {
  const { watch, told, change } = openWatch(true);
  expect(told).toEqual([true]);
  watch.close();
  change(false);
  expect(told).toEqual([true]);
});
