import type { DeviceLimits } from '@palpable/engine';
import type { PortMemory, Ring } from '@palpable/engine/advanced';
import type { LinkState } from '../device/device-link.js';
import type { ReportedError } from '../record/recorder-messages.js';
import type { DeviceKind } from './device-request.js';

/** A device whose connection is to be opened. */
export interface LinkRequest {
  readonly kind: DeviceKind;
  readonly address: string;
  /** Null: those of the device. */
  readonly limits: DeviceLimits | null;
  /** Seconds; null for the default. */
  readonly silentAfter: number | null;
  readonly port: PortMemory;
}

/** Tools to be shown to VRPN clients, the first on `port`, the others on those after it. */
export interface ServeRequest {
  readonly tools: readonly string[];
  readonly port: number;
  /** Every row of the loop. */
  readonly rows: Ring;
}

/** What the device thread is started with. */
export interface DeviceJob {
  readonly links: readonly LinkRequest[];
  readonly serve: ServeRequest | null;
  /** One number: 1 when all links have let go. */
  readonly released: SharedArrayBuffer;
}

/** What is known of a link once it is open. */
export interface LinkNews {
  readonly name: string;
  readonly limits: DeviceLimits;
}

export type ToDevices =
  /** Wall time of the loop's `time` 0, milliseconds since 1970; null while one scene is left for the next. */
  { readonly kind: 'begin'; readonly startMs: number | null } | { readonly kind: 'close' };

export type FromDevices =
  | { readonly kind: 'ready'; readonly links: readonly LinkNews[] }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'state'; readonly link: number; readonly state: LinkState }
  /** All have let go, and nothing more will come. `error` when that was not asked for. */
  | { readonly kind: 'closed'; readonly error: ReportedError | null };
