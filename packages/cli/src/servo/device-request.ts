import { BASES, PalpableError, type Scene, type WorkspaceOptions } from '@palpable/engine';
import type { SceneDevice } from '@palpable/engine/advanced';

/** Which device moves which tool, from the command line or the scene. */
export interface DeviceRequest {
  readonly tool: string;
  readonly kind: DeviceKind;
  /** What stands behind the kind: a file, a name at a host; empty for none. */
  readonly address: string;
  /** Keys of the scene beyond the kind; null when the device comes from the command line. */
  readonly settings: SceneDevice | null;
}

export const DEVICE_KINDS = {
  simulated: 'a simulated hand that reaches out to touch, or follows a file: simulated:push.csv',
  replay: 'the device motion of a trajectory, a result or a recording: replay:push.csv',
  vrpn: 'a device of a VRPN server: vrpn:Phantom0@host:3883',
  haply: 'an Inverse3 of a Haply service: haply, or haply:ws://host:10001#id',
  module: 'your own, from a JavaScript module: module:my-device.mjs',
} as const;

export type DeviceKind = keyof typeof DEVICE_KINDS;

/**
 * Texts are as after `--device`: `haply`, `vrpn:Phantom0@host`, `left=haply`. A text without a tool is for the next one
 * that has none. Without texts the scene says, and else a simulated hand moves the first tool.
 */
export function requestDevices(scene: Scene, texts: readonly string[]): DeviceRequest[] {
  const requests = texts.length > 0 ? fromTexts(scene, texts) : fromScene(scene);
  for (const { tool } of requests) {
    if (!scene.tool.includes(tool)) throw refuse(`the scene has no tool "${tool}"; it has ${scene.tool.join(', ')}`);
    if (requests.filter((other) => other.tool === tool).length > 1) throw refuse(`the tool "${tool}" has two devices`);
  }
  return requests;
}

function fromTexts(scene: Scene, texts: readonly string[]): DeviceRequest[] {
  const named = texts.map((text) => /^(?<tool>[^=:@]+)=(?<device>.*)$/.exec(text)?.groups?.tool);
  const unnamed = scene.tool.filter((tool) => !named.includes(tool));
  return texts.map((text, index) => {
    const tool = named[index] ?? unnamed.shift();
    if (tool === undefined) throw refuse(`there are more devices than tools (${scene.tool.join(', ')})`);
    const device = named[index] === undefined ? text : text.slice(text.indexOf('=') + 1);
    const colon = device.indexOf(':');
    const kind = colon < 0 ? device : device.slice(0, colon);
    return { tool, kind: knownKind(kind), address: colon < 0 ? '' : device.slice(colon + 1), settings: null };
  });
}

function fromScene({ tool, device, devices }: Scene): DeviceRequest[] {
  const given = devices ? Object.entries(devices) : device ? [[tool[0]!, device] as const] : [];
  const requests = given.flatMap(([name, settings]) => {
    if (!settings) return [];
    const kind = knownKind(settings.kind ?? 'simulated');
    return [{ tool: name, kind, address: settings.address ?? '', settings }];
  });
  return requests.length > 0 ? requests : [{ tool: tool[0]!, kind: 'simulated', address: '', settings: null }];
}

function knownKind(kind: string): DeviceKind {
  if (Object.hasOwn(DEVICE_KINDS, kind)) return kind as DeviceKind;
  throw refuse(`"${kind}" is not one of ${Object.keys(DEVICE_KINDS).join(', ')}`);
}

function refuse(what: string): PalpableError {
  const sentence = `--device: ${what[0]!.toUpperCase()}${what.slice(1)}; write it as haply, vrpn:Name@host or tool=haply.`;
  return new PalpableError('option-invalid', sentence, 'device');
}

/** Where the device lies in the world. Without a word of the scene its origin is where the scene puts the tool. */
export function workspaceOf(scene: Scene, { tool, settings }: DeviceRequest): Partial<WorkspaceOptions> {
  const { position, rotation } = scene.bodies[tool]!;
  const given = settings?.workspace;
  const { convention = 'world', basis, scale = 1, origin, grip, clutch = null, smoothing = 0 } = given ?? {};
  return {
    basis: basis ?? BASES[convention]!,
    scale,
    origin: origin ?? position,
    grip: grip ?? rotation,
    clutch,
    smoothing,
  };
}

/** A Haply device as it is written after `--device`. */
export function haplyDevice(address: string): string {
  return address === '' ? 'haply' : `haply:${address}`;
}
