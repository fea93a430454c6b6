import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DeviceLimits, PalpableError } from '@palpable/engine';
import type { DeviceLink, LinkOptions } from './device-link.js';

/** What the module of a user's own device exports by default. */
type ConnectOwn = (options: LinkOptions & { readonly limits?: DeviceLimits }) => DeviceLink | Promise<DeviceLink>;

/** Connects to a device that a module of the user's knows how to reach. Whatever it throws is the user's to see. */
export async function connectModule(
  path: string,
  options: LinkOptions & { readonly limits?: DeviceLimits },
): Promise<DeviceLink> {
  if (path === '') throw refuse(path, 'module needs a file: module:my-device.mjs');
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw refuse(path, 'there is no such file');
  try {
    const { default: connect } = (await import(pathToFileURL(resolve(path)).href)) as { default?: ConnectOwn };
    if (typeof connect !== 'function') throw new Error('it has no default export that is a function');
    const link = await connect(options);
    const { force, torque } = link?.limits ?? {};
    if (typeof link?.close !== 'function' || !(force! >= 0 && torque! >= 0)) {
      throw new Error('its function must return an object with name, state, limits { force, torque } and close()');
    }
    return link;
  } catch (error) {
    throw refuse(path, error instanceof Error ? error.message : String(error));
  }
}

function refuse(path: string, what: string): PalpableError {
  return new PalpableError('option-invalid', `--device module:${path}: ${what}; docs/devices.md has an example.`, path);
}
