import { expect, test } from 'vitest';
import { parseVrpnAddress } from './vrpn-address.js';

test('a name and a host are enough', () => {
  expect(parseVrpnAddress('Phantom0@lab')).toEqual({ device: 'Phantom0', host: 'lab', tcpPort: 3883, sensor: 0 });
  expect(parseVrpnAddress('T@10.0.0.2:4000#2')).toEqual({ device: 'T', host: '10.0.0.2', tcpPort: 4000, sensor: 2 });
  expect(parseVrpnAddress('T@[::1]:4000')).toEqual({ device: 'T', host: '::1', tcpPort: 4000, sensor: 0 });
});

test.each(['', 'Phantom0', '@host', 'T@host:99999', 'T@host:0', 'T@', 'T@host#x'])('refuses "%s"', (address) => {
  expect(() => parseVrpnAddress(address)).toThrow(/vrpn:Phantom0@host/);
});
