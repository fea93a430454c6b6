import { describe, expect, it } from 'vitest';
import { parseHaplyAddress } from './haply-address.js';

describe('the address of a Haply device', () => {
  it.each([
    ['haply', { url: 'ws://localhost:10001' }],
    ['haply:#049D', { url: 'ws://localhost:10001', deviceId: '049D' }],
    ['haply:ws://lab:10001', { url: 'ws://lab:10001' }],
    ['haply:wss://lab/haply#04BA', { url: 'wss://lab/haply', deviceId: '04BA' }],
  ])('%s', (text, address) => {
    expect(parseHaplyAddress(text)).toEqual(address);
  });

  it.each(['haply:http://lab', 'haply:lab:10001', 'haply:ws://a b', 'haply:ws://lab:99999', 'haplyws://lab'])(
    '%s is none',
    (text) => {
      expect(() => parseHaplyAddress(text)).toThrow(`The device "${text}" is not the address of a Haply service`);
    },
  );
});
