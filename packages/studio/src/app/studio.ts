/**
 * A scene at work: loads its bodies, starts the loop and shows what comes back. Where no loop can run, or it died, a
 * contact thread is sent the tool's pose whenever that changes, so that contacts are seen all the same. Whatever goes
 * wrong ends in a `Trouble` that says what to do; the page stays alive.
 */
import { describeStartOverlap, isPalpableError, type PreparedBody, type TriangleMesh } from '@palpable/engine';
import { cellOf, planPairs } from '@palpable/engine/advanced';
import { effect } from '@preact/signals';
import { createPageDevices, type PageDevices } from '../devices/page-devices.js';
import type { SceneBefore } from '../drop/compose-scene.js';
import { pngOfCanvas } from '../record/export.js';
import type { RecordDesk } from '../record/record-desk.js';
import type { ReplayMoment } from '../record/replay.js';
import { boundsOf, mergeMeshes, type PlacedMesh, poseOf, viewOf } from '../scene/place-meshes.js';
import type { StudioBody, StudioScene } from '../scene/scene.js';
import type { LoadedBody } from '../threads/body-client.js';
import { type ContactClient, createContactClient } from '../threads/contact-client.js';
import type { SetupPair } from '../threads/contact-frame.js';
import { type ContactFrame, FrameNumber } from '../threads/contact-frame.js';
import type { ServoClient } from '../threads/servo-client.js';
import { type BendingWatch, watchBending } from './bending-watch.js';
import { describeOrigin, describeRun } from './describe-run.js';
import { describeLevels, watchLevels } from './level-watch.js';
import { createLiveReadings } from './live-readings.js';
import { LiveTool } from './live-tool.js';
import { followLoop, forgetLoop, loopPace } from './loop-watch.js';
import { openSceneBodies, type SceneBodies } from './scene-bodies.js';
import { createSceneView, type SceneView } from './scene-view.js';
import {
  type ContactReadings,
  facts,
  hasToolMoved,
  isStopped,
  loopState,
  overlays,
  phase,
  sceneValue,
  shellShown,
  sliceAt,
  stageWarning,
  trouble,
} from './state.js';
import type { StudioHook, StudioSnapshot } from './test-hook.js';
import {
  CONTEXT_LOST,
  contactsLost,
  contactThreadLost,
  loadingFailed,
  loopLost,
  NO_WEBGL,
  sliceLost,
} from './troubles.js';

/** Where no loop gives a wrench, the devices of the page feel the deepest contact as a spring, N/m. */
const FELT_STIFFNESS = 2000;

const NOTHING_FOUND: ContactReadings = { contacts: 0, deepest: 0, isCapped: false };

export class Studio {
  readonly canvas: HTMLCanvasElement;
  private readonly scene: StudioScene;
  private readonly desk: RecordDesk;
  private readonly ignoreAssets: boolean;
  /** Whether a take has the stage. */
  private isReplaying = false;
  private readonly live = createLiveReadings();
  readonly view: SceneView | undefined;
  readonly devices: PageDevices | undefined;
  private readonly startPose: Float64Array;
  readonly liveTool: LiveTool;
  private readonly followers: (() => void)[];
  private readonly meshes = new Map<string, TriangleMesh>();
  private loading: SceneBodies | undefined;
  private bodies: ReadonlyMap<string, LoadedBody> | undefined;
  /** The same as the loop takes them, one map as long as the scene is the same. */
  private prepared: ReadonlyMap<string, PreparedBody> = new Map();
  private isClosed = false;
  private bending: BendingWatch | undefined;
  private contacts: ContactClient | undefined;
  private found: ContactReadings = NOTHING_FOUND;
  /** A sentence of where the tool starts, if that is inside of something. */
  private startOverlap: string | null = null;
  /** Of the contact thread. */
  private posesSent = 0;
  private posesAnswered = 0;
  private setReady!: () => void;

  /** What `window.palpable` is. */
  readonly hook: StudioHook = {
    ready: new Promise<void>((resolve) => (this.setReady = resolve)),
    state: () => this.snapshot(),
    setToolPose: (pose) => this.devices?.grips[0]?.set(pose),
  };

  /** @param ignoreAssets build field and shell here even where prepared assets exist */
  constructor(canvas: HTMLCanvasElement, scene: StudioScene, desk: RecordDesk, ignoreAssets: boolean) {
    this.canvas = canvas;
    this.scene = scene;
    this.desk = desk;
    this.ignoreAssets = ignoreAssets;
    this.startPose = poseOf(scene.tool);
    hasToolMoved.value = false;
    stageWarning.value = undefined;
    this.liveTool = new LiveTool(scene, this.startPose, {
      onMoved: () => this.showMotion(),
      onWrench: (wrench, isLimited) => this.liveView?.showWrench(wrench, isLimited),
      onContacts: (contacts) => this.liveView?.showContacts(contacts),
      onStarted: (loop) => this.watchLoop(loop),
      onFrame: (newest, loop) => this.followLoop(newest, loop),
      onEvent: (event) => this.desk.note(event),
      onSilent: () => {
        this.liveView?.showWrench(undefined, false);
        this.liveView?.clearContacts();
      },
      onLost: (message) => this.reportLoopLost(message),
      onTrouble: (text) => (trouble.value = contactThreadLost(text)),
      standIn: (out) => {
        out.fill(0);
        out[2] = FELT_STIFFNESS * this.found.deepest;
      },
    });
    this.view = this.openView(canvas);
    this.devices = this.view && this.openDevices(this.view);
    this.followers = [
      effect(() => this.requestSlice()),
      effect(() => this.checkReady()),
      effect(() => this.devices?.hold(isStopped.value)),
    ];
  }

  async load(): Promise<void> {
    if (!this.view) return;
    phase.value = 'loading';
    trouble.value = undefined;
    this.loading?.close();
    this.loading = openSceneBodies(this.scene, this.ignoreAssets, {
      onMesh: (body, mesh) => this.showMesh(body, mesh),
      onSlice: (plane, distances) => this.view?.showSlice(plane, distances),
      onSliceLost: ({ message }) => (trouble.value = sliceLost(message, () => void this.load())),
    });
    const { loading } = this;
    try {
      const bodies = await loading.loaded;
      if (this.isClosed) return;
      this.bodies = bodies;
      this.prepared = new Map([...bodies].map(([name, { prepared }]) => [name, prepared]));
      this.becomeReady(bodies, this.view);
    } catch (error) {
      loading.close();
      if (!this.isClosed && loading === this.loading) this.reportLoadingEnded(error);
    }
  }

  /** Ends all loading and building at once. */
  cancel(): void {
    this.loading?.close();
  }

  /** Ends all threads, for another scene to take the stage. */
  close(): void {
    this.isClosed = true;
    for (const end of this.followers) end();
    this.loading?.close();
    this.desk.detach();
    forgetLoop();
    this.liveTool.close();
    this.contacts?.close();
    this.bending?.close();
    this.devices?.close();
    this.live.clear();
    this.view?.close();
    if (loopState.value !== 'impossible') loopState.value = 'starting';
  }

  resetTool(): void {
    this.devices?.grips[0]?.set(this.startPose);
  }

  /** Shows a moment of a take in place of the loop; undefined: the loop again. */
  showMoment(moment: ReplayMoment | undefined): void {
    this.isReplaying = moment !== undefined;
    this.view?.clearContacts();
    // A take knows where the tool was, but not how it was bent.
    this.bending?.relax();
    if (!moment) {
      this.showMotion();
      return;
    }
    this.view?.setToolPose(moment.toolPose);
    this.view?.setDevicePose(moment.devicePose);
    this.view?.showWrench(moment.wrench, cellOf(moment.row, 'limited') === 1);
  }

  /** An image of the stage as it is. */
  takePicture(): Promise<Blob> {
    return pngOfCanvas(this.canvas, () => this.view?.drawNow());
  }

  /** For parts that are to be added; undefined until all meshes are known. */
  sceneBefore(): SceneBefore | undefined {
    const { scene, tool, environments } = this.scene;
    const bodies = [tool, ...environments];
    if (bodies.some(({ label }) => !this.meshes.has(label))) return undefined;
    return {
      value: sceneValue.value,
      scene,
      bodies,
      toolBounds: boundsOf(this.placedMeshes([tool])),
      environmentBounds: boundsOf(this.placedMeshes(environments)),
    };
  }

  /** Undefined while a take has the stage. */
  private get liveView(): SceneView | undefined {
    return this.isReplaying ? undefined : this.view;
  }

  private openView(canvas: HTMLCanvasElement): SceneView | undefined {
    try {
      return createSceneView(canvas, this.scene, {
        beforePicture: () => {
          this.liveTool.follow();
          this.liveTool.awaitContacts();
        },
        onPicture: this.live.onPicture,
        onContextLost: () => {
          if (!this.isClosed) trouble.value = CONTEXT_LOST;
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
      tools: [
        { port: this.liveTool.port, home: this.startPose, ...(this.liveTool.motor && { motor: this.liveTool.motor }) },
      ],
      readView: view.readView,
      xrStage: view,
      onAway: (isAway) => this.liveTool.setAway(isAway),
    });
    view.listenToPointer(devices.mouseKeyboard);
    return devices;
  }

  /** The tool as it is, all others as one surface; what to show when the last of them is known. */
  private showMesh(body: StudioBody, mesh: TriangleMesh): void {
    this.meshes.set(body.label, mesh);
    const { tool, environments } = this.scene;
    if (body === tool) this.view?.setToolMesh(mesh);
    const others = this.placedMeshes(environments);
    if (others.length < environments.length || !this.meshes.has(tool.label)) return;
    const { scene, view } = this;
    view?.setEnvironmentMesh(mergeMeshes(others));
    view?.setHome(scene.view ?? viewOf([...others, ...this.placedMeshes([tool])]));
    bringSliceInside();
  }

  private placedMeshes(bodies: readonly StudioBody[]): PlacedMesh[] {
    return bodies.flatMap((body) => {
      const mesh = this.meshes.get(body.label);
      return mesh ? [{ body, mesh }] : [];
    });
  }

  private becomeReady(bodies: ReadonlyMap<string, LoadedBody>, view: SceneView): void {
    const tool = bodies.get(this.scene.tool.label)!;
    const shell = tool.prepared.shell ?? bodies.get(this.scene.environment.label)!.prepared.shell;
    if (shell) {
      view.setShell(shell);
      shellShown.levelEnds.value = [...shell.levelEnds];
      shellShown.level.value = shellShown.levelEnds.value.length - 1;
    }
    const levels = describeLevels(this.scene, this.prepared);
    if (levels) {
      view.setLevels(levels);
      this.followers.push(watchLevels(levels, this.liveTool.toolPose, view.showLevels));
    }
    this.bending?.close();
    this.bending = watchBending(this.scene, bodies, view);
    view.setToolCentre(tool.centre);
    this.devices?.grips[0]?.setPivot(...tool.centre);
    phase.value = 'ready';
    this.startOverlap = describeStartOverlap(this.scene.scene, this.prepared);
    stageWarning.value = this.startOverlap ?? undefined;
    facts.value = describeRun(this.scene, bodies, loopState.value !== 'impossible');
    this.startLoop();
    if (loopState.value === 'impossible') this.startContacts();
  }

  private startLoop(): void {
    if (!this.bodies) return;
    this.liveTool.start(this.prepared, this.bodies.get(this.scene.tool.label)!.centre);
  }

  private watchLoop(loop: ServoClient): void {
    this.stopContacts();
    const { tool, scene } = this.scene;
    const { timeStep } = scene;
    forgetLoop();
    this.desk.attach({
      rows: loop.everyRow,
      scene: () => sceneValue.value,
      timeStep,
      tools: [tool.label],
      bodies: this.prepared,
    });
  }

  private followLoop(newest: Float64Array | undefined, loop: ServoClient): void {
    followLoop(this.desk, newest);
    this.bending?.follow(loop, !this.isReplaying);
    if (!newest) return;
    const contacts = cellOf(newest, 'contacts');
    const isCapped = contacts >= this.scene.maxContacts;
    this.found = { contacts, deepest: cellOf(newest, 'max_penetration'), isCapped };
    this.live.onContacts(this.found, cellOf(newest, 'us_contact'));
    this.warn();
  }

  /** Of a start inside of another body, until the tool moves; then of contact too soft for the force. */
  private warn(): void {
    const { deepest } = this.found;
    const voxel = Math.min(
      ...[...this.prepared.values()].map(({ field }) => field?.voxelSize ?? Number.POSITIVE_INFINITY),
    );
    if (!hasToolMoved.value) stageWarning.value = this.startOverlap ?? undefined;
    else if (deepest > voxel) {
      const depth = `${(1000 * deepest).toFixed(1)} mm deep, more than a voxel of ${(1000 * voxel).toFixed(1)} mm`;
      stageWarning.value = `The ${this.scene.tool.label} is ${depth}: raise contact.stiffness, or choose the god object`;
    } else stageWarning.value = undefined;
  }

  private startContacts(): void {
    this.stopContacts();
    const { bodies } = this;
    if (!bodies) return;
    const pairs = this.describePairs(bodies);
    if (pairs.length === 0) {
      this.setReady();
      return;
    }
    this.contacts = createContactClient(
      {
        pairs,
        toolCentre: bodies.get(this.scene.tool.label)!.centre,
        maxContacts: this.scene.maxContacts,
      },
      { onFrame: (frame) => this.showFrame(frame), onLost: (message) => this.reportContactsLost(message) },
    );
    this.sendPose();
  }

  private stopContacts(): void {
    this.contacts?.close();
    this.contacts = undefined;
    this.posesSent = 0;
    this.posesAnswered = 0;
    this.found = NOTHING_FOUND;
    this.live.clear();
    this.view?.clearContacts();
  }

  /** Those that can be found without a loop: a scene with levels of detail need not have shells and fields. */
  private describePairs(bodies: ReadonlyMap<string, LoadedBody>): SetupPair[] {
    const { tool, environments, scene } = this.scene;
    return planPairs(scene, tool.label).flatMap(({ environment, shellOn }) => {
      const [shellName, fieldName] = shellOn === 'tool' ? [tool.label, environment] : [environment, tool.label];
      const { shell } = bodies.get(shellName)!.prepared;
      const { field } = bodies.get(fieldName)!.prepared;
      if (!shell || !field) return [];
      return {
        shell,
        field,
        shellOn,
        environmentPose: poseOf(environments.find(({ label }) => label === environment)!),
      };
    });
  }

  private sendPose(): void {
    if (!this.contacts) return;
    this.posesSent += 1;
    this.contacts.sendPose(this.liveTool.toolPose);
  }

  /** Tool and device where they now are. */
  private showMotion(): void {
    if (this.isReplaying) return;
    const { toolPose, followedPose, isApart } = this.liveTool;
    this.view?.setToolPose(toolPose);
    this.view?.setDevicePose(isApart ? followedPose : undefined);
    this.sendPose();
  }

  private showFrame(frame: ContactFrame): void {
    const { numbers } = frame;
    this.posesAnswered = numbers[FrameNumber.pose]!;
    this.found = {
      contacts: numbers[FrameNumber.contacts]!,
      deepest: numbers[FrameNumber.deepest]!,
      isCapped: numbers[FrameNumber.capped] === 1,
    };
    this.live.onContacts(this.found, numbers[FrameNumber.queryUs]!);
    this.view?.showContacts(frame);
    this.checkReady();
  }

  /** The loop runs, or the contacts are found without it. */
  private checkReady(): void {
    if (loopState.value === 'running' || this.posesAnswered > 0) this.setReady();
  }

  private requestSlice(): void {
    if (!overlays.slice.value || phase.value !== 'ready' || !this.view) return;
    this.loading?.requestSlice(this.view.wantedSlice());
  }

  private reportLoadingEnded(error: unknown): void {
    if (isPalpableError(error) && error.code === 'cancelled') {
      phase.value = 'cancelled';
      return;
    }
    phase.value = 'failed';
    trouble.value = loadingFailed(error, () => void this.load());
  }

  private reportContactsLost(message: string): void {
    this.stopContacts();
    trouble.value = contactsLost(message, () => this.startContacts());
  }

  private reportLoopLost(message: string): void {
    this.desk.detach();
    loopPace.value = undefined;
    this.startContacts();
    this.bending?.relax();
    trouble.value = loopLost(message, () => this.startLoop());
  }

  private snapshot(): StudioSnapshot {
    return {
      phase: phase.value,
      trouble: trouble.value?.title,
      toolPose: [...this.liveTool.toolPose],
      devicePose: [...this.liveTool.devicePose],
      loop: this.liveTool.snapshot(),
      shape: this.bending?.snapshot(),
      contacts: this.found.contacts,
      deepest: this.found.deepest,
      posesSent: this.posesSent,
      posesAnswered: this.posesAnswered,
      picturesDrawn: this.live.picturesDrawn,
      transport: this.contacts ? 'messages' : this.liveTool.hasLoop ? 'shared memory' : undefined,
      sceneId: this.scene.id,
      origin: describeOrigin(this.scene, this.bodies),
      shellPoints: [...(this.bodies?.values() ?? [])].reduce(
        (sum, { prepared }) => sum + (prepared.shell?.count ?? 0),
        0,
      ),
    };
  }
}

/** A scene may be elsewhere than the one before it. */
function bringSliceInside(): void {
  const { x, y, z } = sliceAt.position.value;
  const ranges = sliceAt.range.value;
  const inside = (at: number, [low, high]: readonly [number, number]) =>
    at > low && at < high ? at : (low + high) / 2;
  sliceAt.position.value = { x: inside(x, ranges.x), y: inside(y, ranges.y), z: inside(z, ranges.z) };
}
