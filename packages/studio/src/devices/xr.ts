/** A headset with its controllers through WebXR: enters and leaves, and gives each hand to a tool. */
import type { Grip } from './grip.js';
import type { DeviceStatus, PageDevice } from './page-device.js';
import { createXrController, type FindController } from './xr-controller.js';

/** Metres of the tool per metre of the hand: as it is seen. */
const SCALE = 1;

/** Whoever draws for the headset. */
export interface XrStage {
  /** Draws for the session until it ends, and calls `onFrame` before every frame. */
  present(session: XRSession, onFrame: (frame: XRFrame, timeMs: number) => void): Promise<void>;
}

export interface XrOptions {
  /** `navigator.xr`; undefined where the browser has none. */
  readonly xr: XRSystem | undefined;
  readonly stage: XrStage;
  /** One per tool: the right hand takes the first, the left hand the second; a single one goes to whoever takes it. */
  readonly grips: readonly Grip[];
  readonly onStatus: (status: DeviceStatus) => void;
  /** Before every frame of the headset: now the controllers can be stepped. */
  readonly onFrame: (timeMs: number) => void;
  /** The session has ended, for whatever reason. */
  readonly onEnd: () => void;
}

export interface XrController {
  readonly device: PageDevice;
  /** Which of the grips it takes. */
  readonly grip: number;
}

const UNSUPPORTED: DeviceStatus = {
  state: 'unsupported',
  text: "This browser has no WebXR. Open the page in the headset's browser, or in Chrome or Edge on a computer with one, from localhost or over https.",
};
const ABSENT: DeviceStatus = {
  state: 'unsupported',
  text: 'No headset answers. Connect it and start its software; the page will find it.',
};
const READY: DeviceStatus = { state: 'absent', text: 'Headset ready. Enter VR, then squeeze to hold the tool.' };
const ENTERING: DeviceStatus = { state: 'connecting', text: 'Waiting for your consent in the headset or the browser.' };
const PRESENTING: DeviceStatus = {
  state: 'connected',
  text: 'In VR. Squeeze a controller to hold the tool; contact pulses in the hand.',
};

export function createXr(options: XrOptions) {
  const { xr, stage, grips, onStatus } = options;
  let session: XRSession | undefined;
  let space: XRReferenceSpace | undefined;
  let frame: XRFrame | undefined;
  /** Why the last attempt to enter failed; said until the next one. */
  let failure: DeviceStatus | undefined;
  /** Which hand holds a grip. */
  const holders = new Map<Grip, XRHandedness>();

  const find =
    (hand: XRHandedness): FindController =>
    () => {
      if (!session || !frame || !space) return undefined;
      const source = [...session.inputSources].find((one) => handOf(one) === hand && one.gripSpace && one.gamepad);
      return source && { source, pose: frame.getPose(source.gripSpace!, space) ?? undefined };
    };
  const createController = (hand: XRHandedness, wanted: number): XrController => {
    const index = Math.min(wanted, grips.length - 1);
    const grip = grips[index]!;
    const device = createXrController({
      name: `xr-${hand}`,
      grip,
      find: find(hand),
      scale: SCALE,
      take: () => {
        if (!holders.has(grip)) holders.set(grip, hand);
        return holders.get(grip) === hand;
      },
      letGo: () => void holders.delete(grip),
    });
    return { device, grip: index };
  };
  const controllers = [createController('right', 0), createController('left', 1)];

  const update = async () => {
    if (!xr || session) return;
    const isSupported = await xr.isSessionSupported('immersive-vr').catch(() => false);
    if (!session) onStatus(failure ?? (isSupported ? READY : ABSENT));
  };
  const end = () => {
    session = undefined;
    frame = undefined;
    for (const { device } of controllers) device.close();
    options.onEnd();
    void update();
  };
  const present = async (opened: XRSession) => {
    space = await opened.requestReferenceSpace('local-floor');
    session = opened;
    opened.addEventListener('end', end, { once: true });
    await stage.present(opened, (newFrame, timeMs) => {
      frame = newFrame;
      options.onFrame(timeMs);
    });
    onStatus(PRESENTING);
  };

  onStatus(xr ? ABSENT : UNSUPPORTED);
  void update();
  xr?.addEventListener('devicechange', update);

  return {
    /** Right hand, left hand. */
    controllers,
    get isPresenting() {
      return session !== undefined;
    },
    /** Enters. Only a click may call it: the browser insists. */
    async enter() {
      if (!xr) return onStatus(UNSUPPORTED);
      if (session) return;
      failure = undefined;
      onStatus(ENTERING);
      let opened: XRSession | undefined;
      try {
        opened = await xr.requestSession('immersive-vr', { requiredFeatures: ['local-floor'] });
        await present(opened);
      } catch (error) {
        failure = describeError(error);
        await opened?.end().catch(() => {});
        onStatus(failure);
      }
    },
    async leave() {
      await session?.end();
    },
    close() {
      xr?.removeEventListener('devicechange', update);
      void session?.end().catch(() => {});
    },
  };
}

/** A controller that does not know its hand is a right one. */
function handOf({ handedness }: XRInputSource): XRHandedness {
  return handedness === 'none' ? 'right' : handedness;
}

function describeError(error: unknown): DeviceStatus {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  if (name === 'NotAllowedError' || name === 'SecurityError') {
    return { state: 'refused', text: 'VR was refused. Allow it for this page in the site settings, then enter again.' };
  }
  if (name === 'NotSupportedError') {
    return {
      state: 'failed',
      text: 'The headset has no floor level. Set up its boundary or room first, then enter again.',
    };
  }
  if (name === 'InvalidStateError') {
    return { state: 'failed', text: 'Another page is already in VR. Leave VR there, then enter again.' };
  }
  return { state: 'failed', text: `VR did not start (${message.replace(/\.$/, '')}). Reload the page and try again.` };
}
