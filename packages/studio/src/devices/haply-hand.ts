/**
 * The hand on an Inverse3 between the service and the loop's port: poses become world poses of the tool, wrenches become
 * forces of the device, softened where tool and hand have parted.
 */
import { openPortHost, type PortHost, type PortMemory } from '@palpable/engine/advanced';
import { blendPose, createHaplyFrame } from './haply-frame.js';
import { HAPLY_LIMITS } from './haply-messages.js';
import { createSoftGain } from './soft-gain.js';

/** The first button of the grip lets the hand move without the tool, as lifting a mouse does. */
const CLUTCH = 1;
/** How long the tool takes to another place, milliseconds: slow enough that the loop sees a motion and no jump. */
const GLIDE_MS = 600;
const NEVER = new Promise<never>(() => {});

export function createHaplyHand() {
  const frame = createHaplyFrame();
  const gain = createSoftGain();
  const pose = Float64Array.of(0, 0, 0, 0, 0, 0, 1);
  const wrench = new Float64Array(6);
  let host: PortHost | undefined;
  let hasPose = false;
  let yaw = 0;
  let isHeld = false;
  /** Whether the frame fits the hand; if not, it is laid again with the next reading that moves the tool. */
  let isLaid = false;
  let glide: { readonly from: Float64Array; readonly to: Float64Array; readonly startMs: number } | undefined;

  /** True while the tool is on its way, whatever the hand does. */
  const followGlide = (nowMs: number): boolean => {
    if (!glide) return false;
    const share = Math.min(1, (nowMs - glide.startMs) / GLIDE_MS);
    blendPose(pose, glide.from, glide.to, share);
    if (share === 1) glide = undefined;
    return true;
  };
  const isParted = (buttons: number, nowMs: number) => {
    const isGliding = followGlide(nowMs);
    return isHeld || isGliding || (buttons & CLUTCH) !== 0;
  };
  return {
    /** Where the tool was put last, world frame; undefined before. */
    get pose() {
      return hasPose ? pose : undefined;
    },
    get isLoopAlive() {
      return host?.isLoopAlive ?? false;
    },
    /** The hand takes the tool along from this pose on, or from the last one. */
    usePort(port: PortMemory, start: ArrayLike<number> | undefined, newYaw: number) {
      host = openPortHost(port);
      if (start) pose.set(start);
      hasPose ||= start !== undefined;
      yaw = newYaw;
      isLaid = false;
      glide = undefined;
    },
    leavePort() {
      host = undefined;
    },
    hold(wished: boolean, nowMs: number) {
      isHeld = wished;
      gain.setOpen(!wished, nowMs);
    },
    /** No force at this moment; from here it comes back, if it is wanted. */
    drop: (nowMs: number) => gain.drop(nowMs),
    place(to: ArrayLike<number>, nowMs: number) {
      if (!hasPose) return;
      glide = { from: pose.slice(), to: Float64Array.from(to), startMs: nowMs };
      gain.drop(nowMs);
    },
    /** The hand may be anywhere by now: another connection, or a device that does not know where it is. */
    forget() {
      isLaid = false;
    },
    /** What the device says, in its own frame. */
    putReading(raw: ArrayLike<number>, buttons: number, nowMs: number) {
      if (!host) return;
      if (isParted(buttons, nowMs)) {
        isLaid = false;
      } else {
        if (!isLaid) {
          frame.anchor(raw, pose, yaw);
          gain.drop(nowMs);
          isLaid = true;
        }
        frame.toWorld(pose, raw);
      }
      // Also while the tool stays: a loop that hears nothing takes the device for gone.
      host.putPose(pose, buttons);
    },
    /** As `PortHost.awaitWrench`; without a loop there is nothing to wait for. */
    awaitForce: (timeoutMs: number) => (host ? host.awaitWrench(timeoutMs) : NEVER),
    /** What the device is to give now, in its own frame, N. */
    takeForce(out: Float64Array, nowMs: number) {
      out.fill(0);
      const share = gain.at(nowMs);
      if (!host) return;
      host.takeWrench(wrench, nowMs);
      // A hand that has parted from the tool in contact feels nothing, but for what fades while the page is hidden.
      if (!isLaid && !isHeld) return;
      for (let k = 0; k < 3; k += 1) out[k] = share * wrench[k]!;
      limit(out, HAPLY_LIMITS.force);
      frame.turnBack(out);
    },
  };
}

/** The loop keeps the limit as well; whatever comes out of the port, the hand gets no more. */
function limit(force: Float64Array, most: number): void {
  const length = Math.sqrt(force[0]! ** 2 + force[1]! ** 2 + force[2]! ** 2);
  if (!Number.isFinite(length)) force.fill(0);
  else if (length > most) for (let k = 0; k < 3; k += 1) force[k]! *= most / length;
}
