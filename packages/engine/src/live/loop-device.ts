import type { Device, DeviceLimits } from '../device/device.js';
import { openPortDevice, type PortMemory } from '../device/device-port.js';
import { createReplayDevice, type DeviceSamples } from '../device/replay-device.js';
import { createSimulatedHand } from '../device/simulated-hand.js';
import type { SimulatedHandOptions } from '../device/simulated-hand-options.js';
import { mapDevice, type WorkspaceOptions } from '../device/workspace.js';
import type { Pose } from '../math/pose.js';

/** A device as it can be sent to the thread of the loop. */
export type LoopDevice =
  /** Its connection lives in another thread. */
  | { readonly kind: 'port'; readonly port: PortMemory; readonly limits: DeviceLimits; readonly silentAfter?: number }
  /** A hand that follows a path, sample by sample, again and again. */
  | { readonly kind: 'simulated'; readonly path: Float64Array; readonly options: SimulatedHandOptions }
  /** What a device once said; over and over, or once. */
  | {
      readonly kind: 'replay';
      readonly samples: DeviceSamples;
      readonly limits: DeviceLimits;
      readonly repeat: boolean;
    };

/**
 * The device of a description, in the thread of the loop; `timeStep` in s. Without a workspace its poses are those of
 * the world.
 */
export function openLoopDevice(
  description: LoopDevice,
  workspace: Partial<WorkspaceOptions> | null,
  timeStep: number,
): Device {
  const device = openBare(description, timeStep);
  return workspace ? mapDevice(device, workspace, timeStep) : device;
}

function openBare(description: LoopDevice, timeStep: number): Device {
  if (description.kind === 'port') return openPortDevice(description.port, description.limits, description.silentAfter);
  if (description.kind === 'replay') {
    return createReplayDevice(description.samples, description.limits, { repeat: description.repeat });
  }
  const { path, options } = description;
  return createSimulatedHand({ ...options, timeStep, intent: followPath(path, timeStep) });
}

/** One pose of the path per time step, from the beginning again at its end. */
function followPath(path: Float64Array, timeStep: number): (out: Pose, time: number) => void {
  const count = path.length / 7;
  return (out, time) => {
    const at = 7 * (Math.round(time / timeStep) % count);
    for (let k = 0; k < 7; k += 1) out[k] = path[at + k];
  };
}
