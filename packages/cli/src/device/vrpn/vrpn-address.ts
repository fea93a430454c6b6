import { PalpableError } from '@palpable/engine';
import { DEFAULT_VRPN_PORT } from './wire.js';

/** Reads `Phantom0@host`, `Phantom0@host:3883` and `Tracker0@host:3883#2`, where 2 is the sensor. */
export function parseVrpnAddress(address: string) {
  const match = /^(?<device>[^@\s]+)@(?<host>[^\s:#]+|\[[^\]]+\])(?::(?<port>\d+))?(?:#(?<sensor>\d+))?$/.exec(address);
  const { device, host, port = String(DEFAULT_VRPN_PORT), sensor = '0' } = match?.groups ?? {};
  if (device === undefined || host === undefined || Number(port) > 65_535 || Number(port) === 0) {
    const message = `"vrpn:${address}" is not the address of a VRPN device: write vrpn:Phantom0@host or vrpn:Phantom0@host:3883#sensor.`;
    throw new PalpableError('option-invalid', message, 'device');
  }
  return { device, host: host.replace(/^\[|\]$/g, ''), tcpPort: Number(port), sensor: Number(sensor) };
}
