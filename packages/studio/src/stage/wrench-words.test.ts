import { describe, expect, it } from 'vitest';
import { forceWords, torqueWords } from './wrench-words.js';

describe('words for force and torque', () => {
  it.each([
    [0.052, '0.05 N'],
    [0.999, '1.0 N'],
    [3.24, '3.2 N'],
    [10, '10.0 N'],
  ])('%s N is %s', (force, words) => {
    expect(forceWords(force, false)).toBe(words);
  });

  it.each([
    [0.0012, '1.2 mN m'],
    [0.00997, '10 mN m'],
    [0.0123, '12 mN m'],
    [0.5, '500 mN m'],
  ])('%s N m is %s', (torque, words) => {
    expect(torqueWords(torque, false)).toBe(words);
  });

  it('says what is at its limit', () => {
    expect(forceWords(10, true)).toBe('10.0 N, limit');
    expect(torqueWords(0.5, true)).toBe('500 mN m, limit');
  });
});
