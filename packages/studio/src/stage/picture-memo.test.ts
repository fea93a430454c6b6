import { contactPictureBytes, viewContactPicture } from '@palpable/engine/advanced';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPictureMemo } from './picture-memo.js';

const CAPACITY = 4;
let picture: ReturnType<typeof viewContactPicture>;
let memo: ReturnType<typeof createPictureMemo>;

beforeEach(() => {
  picture = viewContactPicture(new ArrayBuffer(contactPictureBytes(CAPACITY)), 0, CAPACITY);
  picture.numbers[0] = 2;
  memo = createPictureMemo(CAPACITY);
  expect(memo.takeNews(picture)).toBe(true);
});

describe('picture memo', () => {
  it('takes the same picture once', () => {
    expect(memo.takeNews(picture)).toBe(false);
    memo.forget();
    expect(memo.takeNews(picture)).toBe(true);
  });

  it.each([
    ['numbers', 0, 1],
    ['position', 5, 0.001],
    ['normalForce', 1, 0.1],
    ['friction', 4, 0.1],
    ['coefficient', 0, 0.3],
    ['state', 0, 2],
  ] as const)('sees a change of %s', (part, place, value) => {
    picture[part][place] = value;
    expect(memo.takeNews(picture)).toBe(true);
    expect(memo.takeNews(picture)).toBe(false);
  });

  it('adds up steps that are too small to be seen', () => {
    let news = 0;
    for (let step = 1; step <= 10; step += 1) {
      picture.position[0] = step * 1e-5;
      if (memo.takeNews(picture)) news += 1;
    }
    expect(news).toBeGreaterThan(1);
    expect(news).toBeLessThan(6);
  });

  it('does not look beyond the contacts that count', () => {
    picture.position[9] = 1;
    expect(memo.takeNews(picture)).toBe(false);
  });
});
