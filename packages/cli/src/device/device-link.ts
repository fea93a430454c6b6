import type { DeviceLimits } from '@palpable/engine';
import type { PortHost } from '@palpable/engine/advanced';

export type LinkState = 'connecting' | 'connected' | 'lost' | 'closed';

/**
 * The connection to a device that is reached through a network. It lives in a thread with an event loop, speaks with
 * the servo loop through a port, and knows nothing of scenes: poses and wrenches are in the device's own frame.
 */
export interface DeviceLink {
  /** For people, with its address. */
  readonly name: string;
  readonly state: LinkState;
  readonly limits: DeviceLimits;
  /** Takes the force to zero, then closes the connection. */
  close(): Promise<void>;
}

export interface LinkOptions {
  readonly port: PortHost;
  /** One clear line for every change of state and every refusal. */
  readonly onLog: (line: string) => void;
}
