/** The part of WebHID that is used here; the browser's own type library does not have it. */
export interface HidCollection {
  readonly usagePage?: number | undefined;
  readonly usage?: number | undefined;
}

export interface HidInputReport {
  readonly reportId: number;
  readonly data: DataView;
}

export interface HidDevice {
  readonly vendorId: number;
  readonly productName: string;
  readonly opened: boolean;
  readonly collections: readonly HidCollection[];
  open(): Promise<void>;
  close(): Promise<void>;
  addEventListener(type: 'inputreport', listener: (report: HidInputReport) => void): void;
  removeEventListener(type: 'inputreport', listener: (report: HidInputReport) => void): void;
}

export interface HidFilter extends HidCollection {
  readonly vendorId: number;
}

export interface HidConnection {
  readonly device: HidDevice;
}

export interface Hid {
  getDevices(): Promise<HidDevice[]>;
  requestDevice(options: { readonly filters: readonly HidFilter[] }): Promise<HidDevice[]>;
  addEventListener(type: 'connect' | 'disconnect', listener: (event: HidConnection) => void): void;
  removeEventListener(type: 'connect' | 'disconnect', listener: (event: HidConnection) => void): void;
}
