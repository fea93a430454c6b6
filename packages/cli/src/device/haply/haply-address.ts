import { PalpableError } from '@palpable/engine';

export const HAPLY_URL = 'ws://localhost:10001';

export interface HaplyAddress {
  readonly url: string;
  /** The first Inverse3 of the service unless given. */
  readonly deviceId?: string;
}

/** Reads what stands behind `--device`: `haply`, `haply:ws://host:10001`, `haply:ws://host:10001#049D`, `haply:#049D`. */
export function parseHaplyAddress(device: string): HaplyAddress {
  const match = /^haply(?::(?<url>wss?:\/\/[^\s#]+)?(?:#(?<id>.+))?)?$/.exec(device);
  if (match?.groups === undefined || !URL.canParse(match.groups.url ?? HAPLY_URL)) {
    const message = `The device "${device}" is not the address of a Haply service: write haply, or haply:ws://host:10001#device-id.`;
    throw new PalpableError('option-invalid', message, 'device');
  }
  const { url = HAPLY_URL, id } = match.groups;
  return { url, ...(id !== undefined && { deviceId: id }) };
}
