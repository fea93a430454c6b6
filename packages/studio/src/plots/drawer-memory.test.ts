import { expect, it } from 'vitest';
import { FIRST_DRAWER, readDrawer, toggled } from './drawer-memory.js';

it('reads what was written', () => {
  const memory = { isOpen: true, height: 300, chosen: ['force', 'energy'] } as const;
  expect(readDrawer(JSON.stringify(memory))).toEqual(memory);
});

it.each([null, '', '{', '3', 'null', '[]'])('begins again with %j', (text) => {
  expect(readDrawer(text)).toEqual(FIRST_DRAWER);
});

it('leaves out what makes no sense', () => {
  const text = JSON.stringify({ isOpen: 'yes', height: 1e9, chosen: ['energy', 'nonsense', 'force'] });
  expect(readDrawer(text)).toEqual({ isOpen: false, height: 720, chosen: ['force', 'energy'] });
});

it('chooses and takes back, in the order of the plots', () => {
  expect(toggled(['energy'], 'force')).toEqual(['force', 'energy']);
  expect(toggled(['force', 'energy'], 'force')).toEqual(['energy']);
});
