/**
 * The page at work: loads both bodies, starts the loop and the contact thread, sends the latter the tool's pose whenever
 * that changes, and shows what comes back. Whatever goes wrong ends in a `Trouble` that says what to do; the page stays alive.
 */
import { brickCount, isPalpableError } from '@palpable/engine';
import { effect } from '@preact/signals';
import { createPageDevices, type PageDevices } from '../devices/page-devices.js';
import type { StudioScene } from '../scene/scene.js';
import { type BodyClient, createBodyClient } from '../threads/body-client.js';
import type { LoadedBody } from '../threads/body-messages.js';
import { type ContactFrame, FrameNumber } from '../threads/contact-channel.js';
import { type ContactClient, createContactClient } from '../threads/contact-client.js';
import { FeltTool } from './felt-tool.js';
import { createLiveReadings } from './live-readings.js';
import { createSceneView, type SceneView } from './scene-view.js';
import {
  type Feel,
  facts,
  isBuilding,
  loopState,
  overlays,
  phase,
  progress,
  shellLevel,
  shellLevelEnds,
  type Trouble,
  trouble,
} from './state.js';
import type { StudioHook, StudioSnapshot } from './test-hook.js';

/** Where no loop gives a wrench, the devices of the page feel the deepest contact as a spring, N/m. */
const FELT_STIFFNESS = 2000;

type Role = 'tool' | 'environment';

const NO_WEBGL: Trouble = {
  title: 'This browser cannot draw in 3D',
  text: 'WebGL 2 is switched off or missing. Switch on hardware acceleration in the settings of the browser, or open this page in a current Chrome, Edge, Firefox or Safari.',
};

const CONTEXT_LOST: Trouble = {
  title: 'Drawing is paused',
  text: 'The graphics driver took the drawing away, as it does after sleep or under load. It comes back by itself; if not, reload the page.',
};

export class Studio {
  private readonly scene: StudioScene;
  private readonly ignoreAssets: boolean;
  private readonly live = createLiveReadings();
  private readonly view: SceneView | undefined;
  private readonly devices: PageDevices | undefined;
  private readonly startPose: Float64Array;
  private readonly felt: FeltTool;
  private readonly origin: Partial<Record<Role, LoadedBody['origin']>> = {};
  private clients: BodyClient[] = [];
  private bodies: Record<Role, LoadedBody> | undefined;
  private contacts: ContactClient | undefined;
  private posesSent = 0;
  private newest = { pose: 0, contacts: 0, deepest: 0 };
  private setReady!: () => void;

  /** What `window.palpable` is. */
  readonly hook: StudioHook = {
    ready: new Promise<void>((resolve) => {
      this.setReady = resolve;
    }),
    state: () => this.snapshot(),
    setToolPose: (pose) => this.devices?.grips[0]?.set(pose),
  };

  /** @param ignoreAssets build field and shell here even where prepared assets exist */
  constructor(canvas: HTMLCanvasElement, scene: StudioScene, ignoreAssets: boolean) {
    this.scene = scene;
    this.ignoreAssets = ignoreAssets;
    this.startPose = Float64Array.from([...scene.tool.position, ...scene.tool.rotation]);
    this.felt = new FeltTool(scene, this.startPose, {
      onMoved: () => this.showMotion(),
      onLost: (message) => this.tellLoopLost(message),
      onRefused: (problem) => {
        trouble.value = { title: 'This cannot be changed now', text: problem };
      },
      standIn: (out) => {
        out.fill(0);
        out[2] = FELT_STIFFNESS * this.newest.deepest;
      },
    });
    this.view = this.openView(canvas);
    this.devices = this.view && this.openDevices(this.view);
    effect(() => this.requestSlice());
    effect(() => this.checkReady());
  }

  async load(): Promise<void> {
    if (!this.view) return;
    phase.value = 'loading';
    trouble.value = undefined;
    isBuilding.value = false;
    const tool = this.openBody('tool', 0);
    const environment = this.openBody('environment', 1);
    this.clients = [tool, environment];
    try {
      this.bodies = { tool: await tool.loaded, environment: await environment.loaded };
      this.becomeReady(this.bodies, this.view);
      tool.close();
    } catch (error) {
      this.cancel();
      this.tellLoadingEnded(error);
    }
  }

  /** Ends all loading and building at once. */
  cancel(): void {
    for (const client of this.clients) client.close();
  }

  resetTool(): void {
    this.devices?.grips[0]?.set(this.startPose);
  }

  lookHome(): void {
    this.view?.lookHome();
  }

  /** Moves the tool along the view's right, up and away directions, metres. */
  move(right: number, up: number, away: number): void {
    this.devices?.mouseKeyboard.move(right, up, away);
  }

  /** Turns the tool about the view's right and up axes and the axis to the eye, radians. */
  turn(aboutRight: number, aboutUp: number, aboutEye: number): void {
    this.devices?.mouseKeyboard.turn(aboutRight, aboutUp, aboutEye);
  }

  /** How the scene is to feel. */
  change<Key extends 'method' | 'friction'>(key: Key, value: Feel[Key]): void {
    this.felt.set(key, value);
  }

  /** Takes the force away, or brings it back. */
  setPaused(isPaused: boolean): void {
    this.felt.setPaused(isPaused);
  }

  private openView(canvas: HTMLCanvasElement): SceneView | undefined {
    try {
      return createSceneView(canvas, this.scene, {
        beforePicture: () => {
          this.felt.follow();
          this.contacts?.collect();
        },
        onPicture: this.live.onPicture,
        onContextLost: () => {
          trouble.value = CONTEXT_LOST;
        },
        onContextRestored: () => {
          if (trouble.value === CONTEXT_LOST) trouble.value = undefined;
        },
      });
    } catch {
      phase.value = 'failed';
      trouble.value = NO_WEBGL;
      return undefined;
    }
  }

  private openDevices(view: SceneView): PageDevices {
    const devices = createPageDevices({
      tools: [{ port: this.felt.port, home: this.startPose }],
      readView: view.readView,
      xrStage: view,
    });
    view.listenToPointer(devices.mouseKeyboard);
    return devices;
  }

  private openBody(role: Role, index: number): BodyClient {
    const body = this.scene[role];
    const report = (stage: string, fraction: number | undefined) => {
      const lines = progress.value.slice();
      lines[index] = { label: body.label, stage, fraction };
      progress.value = lines;
    };
    report('Loading', 0);
    const client = createBodyClient(body, this.ignoreAssets, {
      onProgress: (stage, fraction) => {
        if (stage !== 'Loading') isBuilding.value = true;
        report(stage, fraction);
      },
      onMesh: (mesh) => (role === 'tool' ? this.view?.setToolMesh(mesh) : this.view?.setEnvironmentMesh(mesh)),
      onSlice: (plane, distances) => this.view?.showSlice(plane, distances),
      onLost: (error) => this.tellSliceLost(error),
    });
    client.loaded.then(
      (loaded) => {
        this.origin[role] = loaded.origin;
        report('Ready', 1);
      },
      () => report('Stopped', 0),
    );
    return client;
  }

  private becomeReady({ tool, environment }: Record<Role, LoadedBody>, view: SceneView): void {
    const { shell } = tool.prepared;
    view.setShell(shell!);
    view.setToolCentre(tool.centre);
    this.devices?.grips[0]?.setPivot(...tool.centre);
    shellLevelEnds.value = [...shell!.levelEnds];
    shellLevel.value = shellLevelEnds.value.length - 1;
    phase.value = 'ready';
    this.startContacts(tool, environment);
    this.startLoop();
  }

  private startLoop(): void {
    if (!this.bodies) return;
    const { tool, environment } = this.bodies;
    const bodies = new Map([
      [this.scene.tool.label, tool.prepared],
      [this.scene.environment.label, environment.prepared],
    ]);
    this.felt.start(bodies, tool.centre);
  }

  private startContacts(tool: LoadedBody, environment: LoadedBody): void {
    this.contacts?.close();
    this.posesSent = 0;
    const { position, rotation } = this.scene.environment;
    this.contacts = createContactClient(
      {
        shell: tool.prepared.shell!,
        field: environment.prepared.field!,
        shellPose: this.startPose,
        fieldPose: Float64Array.from([...position, ...rotation]),
        toolCentre: tool.centre,
        maxContacts: this.scene.maxContacts,
      },
      { onFrame: (frame) => this.showFrame(frame), onLost: (message) => this.tellContactsLost(message) },
    );
    facts.value = this.describeRun(tool, environment, this.contacts);
    this.sendPose();
  }

  private sendPose(): void {
    if (!this.contacts) return;
    this.posesSent += 1;
    this.contacts.sendPose(this.felt.toolPose);
  }

  /** Tool and device where they now are. */
  private showMotion(): void {
    const { toolPose, followedPose, isApart } = this.felt;
    this.view?.setToolPose(toolPose);
    this.view?.setDevicePose(isApart ? followedPose : undefined);
    this.sendPose();
  }

  private showFrame(frame: ContactFrame): void {
    const { numbers } = frame;
    this.newest = {
      pose: numbers[FrameNumber.pose]!,
      contacts: numbers[FrameNumber.contacts]!,
      deepest: numbers[FrameNumber.deepest]!,
    };
    this.live.onFrame(frame);
    this.view?.showContacts(frame);
    this.checkReady();
  }

  /** Contacts are found, and the loop runs where it can. */
  private checkReady(): void {
    if (loopState.value !== 'starting' && this.newest.pose > 0) this.setReady();
  }

  private requestSlice(): void {
    if (!overlays.slice.value || phase.value !== 'ready' || !this.view) return;
    this.clients[1]?.requestSlice(this.view.wantedSlice());
  }

  private tellLoadingEnded(error: unknown): void {
    if (isPalpableError(error) && error.code === 'cancelled') {
      phase.value = 'cancelled';
      return;
    }
    phase.value = 'failed';
    trouble.value = {
      title: 'The scene could not be loaded',
      text: error instanceof Error ? error.message : String(error),
      action: { label: 'Try again', run: () => void this.load() },
    };
  }

  private tellSliceLost(error: Error): void {
    trouble.value = {
      title: 'The slice cannot be moved any more',
      text: `The thread that cuts it ended (${error.message}). Everything else goes on working.`,
      action: { label: 'Load the scene again', run: () => void this.load() },
    };
  }

  private tellContactsLost(message: string): void {
    this.contacts = undefined;
    this.live.clear();
    this.view?.clearContacts();
    trouble.value = {
      title: 'The contacts have stopped',
      text: `The thread that finds them ended (${message}). Bodies and camera still move.`,
      action: { label: 'Start it again', run: () => this.restartContacts() },
    };
  }

  private tellLoopLost(message: string): void {
    trouble.value = {
      title: 'The loop has stopped',
      text: `The thread that computes the force ended (${message}). The tool goes where it is put; contacts still show.`,
      action: {
        label: 'Start it again',
        run: () => {
          trouble.value = undefined;
          this.startLoop();
        },
      },
    };
  }

  private restartContacts(): void {
    trouble.value = undefined;
    if (this.bodies) this.startContacts(this.bodies.tool, this.bodies.environment);
  }

  private describeRun(tool: LoadedBody, environment: LoadedBody, contacts: ContactClient): string[] {
    const field = environment.prepared.field!;
    const megabytes = (field.bricks.byteLength / 1e6).toFixed(0);
    const isBuilt = tool.origin === 'built' || environment.origin === 'built';
    const lines = [
      `${tool.prepared.shell!.count.toLocaleString('en')} shell points`,
      `Field of ${(1000 * field.voxelSize).toFixed(1)} mm voxels in ${brickCount(field).toLocaleString('en')} bricks, ${megabytes} MB`,
      isBuilt ? 'Prepared in this tab' : 'Prepared assets',
    ];
    if (contacts.transport === 'messages') {
      lines.push(
        'No shared memory (the host does not isolate the page): no loop runs and nothing is felt, the tool goes where it is put, contacts come a little later, times are rough',
      );
    }
    return lines;
  }

  private snapshot(): StudioSnapshot {
    return {
      phase: phase.value,
      trouble: trouble.value?.title,
      toolPose: [...this.felt.toolPose],
      devicePose: [...this.felt.devicePose],
      loop: this.felt.snapshot(),
      contacts: this.newest.contacts,
      deepest: this.newest.deepest,
      posesSent: this.posesSent,
      posesAnswered: this.newest.pose,
      picturesDrawn: this.live.picturesDrawn,
      transport: this.contacts?.transport,
      origin: { ...this.origin },
      shellPoints: this.bodies?.tool.prepared.shell?.count ?? 0,
    };
  }
}
