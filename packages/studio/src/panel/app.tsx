/** The page: stage on the left, panel on the right; on a phone the panel is a sheet at the bottom. */
import { DEFAULT_PASSIVITY } from '@palpable/engine';
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { readAddress } from '../app/address.js';
import { listenToKeys } from '../app/keyboard.js';
import { liveHistory, loopPace } from '../app/loop-watch.js';
import { currentScene, followHistory, type OpeningProblem, openFromAddress } from '../app/scene-store.js';
import {
  isHelpOpen,
  isPaused,
  isToolHeld,
  loopState,
  overlays,
  phase,
  sceneValue,
  sliceAt,
  trouble,
} from '../app/state.js';
import { Studio } from '../app/studio.js';
import { troubleOf } from '../app/troubles.js';
import { messageOf } from '../controls/words.js';
import { DropDialog } from '../opening/drop-dialog.js';
import { listenToDrops } from '../opening/dropped.js';
import { GalleryDialog, isGalleryOpen } from '../opening/gallery-dialog.js';
import { SceneBar } from '../opening/scene-bar.js';
import { isShareOpen, ShareDialog } from '../opening/share-dialog.js';
import { LoopStrip } from '../plots/loop-strip.js';
import { PlotsDrawer } from '../plots/plots-drawer.js';
import { saveFile } from '../record/export.js';
import { RecordBar } from '../record/record-bar.js';
import { RecordDesk } from '../record/record-desk.js';
import type { StudioScene } from '../scene/scene.js';
import { EmergencyStop } from './emergency-stop.js';
import { Help } from './help.js';
import { Panel } from './panel.js';
import { StageButtons } from './stage-buttons.js';
import { StageNotes } from './stage-notes.js';

/** What a key moves the slice by, metres. */
const SLICE_STEP = 0.005;

/** Files are held over the page. */
const isDragOver = signal(false);
/** What the address asked for and could not be had. */
const openingProblem = signal(openFromAddress());

export function App() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const studio = useRef<Studio>(undefined);
  const desk = useMemo(() => new RecordDesk({ show: (moment) => studio.current?.showMoment(moment) }), []);
  const scene = currentScene.value;
  // At once, so that the page never shows the name of one scene with the stage of another.
  useLayoutEffect(() => {
    const opened = openStudio(canvas.current!, scene, desk);
    studio.current = opened;
    return () => {
      opened.close();
      // A browser gives out a few drawing contexts only, and takes back the oldest when one more is asked for.
      opened.canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
    };
  }, [scene]);
  const problem = openingProblem.value;
  // Only when the scene that is shown instead is on the stage, which begins without any trouble.
  useEffect(() => {
    if (problem) reportProblem(problem);
  }, [problem]);
  useEffect(() => {
    listenToCommands(() => studio.current, desk);
    // A page that only rests may come back as it was; it has let go of the force.
    addEventListener('pagehide', ({ persisted }) => {
      if (!persisted) studio.current?.close();
    });
    listenToDrops((isOver) => (isDragOver.value = isOver));
    followHistory((next) => (openingProblem.value = next));
  }, []);
  return (
    <>
      <div class="stage-column">
        <main class="stage" data-held={isToolHeld.value} data-phase={phase.value}>
          {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: arrow keys are for the stage, not the reader */}
          <canvas
            // A scene gets a stage of its own: nothing of the one before can be left on it.
            key={scene.id}
            ref={canvas}
            tabIndex={0}
            role="application"
            aria-roledescription="3D stage"
            aria-label={`${scene.name}. Arrow keys and Page Up, Page Down move the ${scene.tool.label}, with Shift they rotate it. Press question mark for help.`}
          />
          <StageNotes
            scene={scene}
            onCancel={() => studio.current?.cancel()}
            onStartAgain={() => void studio.current?.load()}
          />
          <EmergencyStop
            onStop={() => studio.current?.liveTool.stop()}
            onRelease={() => studio.current?.liveTool.release()}
          />
          <SceneBar />
          <StageButtons
            scene={scene}
            onReset={() => studio.current?.resetTool()}
            onLookHome={() => studio.current?.view?.lookHome()}
          />
        </main>
        <RecordBar desk={desk} onSavePicture={() => void savePicture(studio.current, scene)} />
        {loopState.value !== 'impossible' && (
          <PlotsDrawer
            history={liveHistory}
            limits={{ timeStep: scene.scene.timeStep, energyBound: DEFAULT_PASSIVITY.bound }}
            strip={<LoopStrip pace={loopPace} />}
          />
        )}
      </div>
      <Panel
        scene={scene}
        actions={{
          setPaused: (wished) => studio.current?.liveTool.setPaused(wished),
          set: async (path, value) => studio.current?.liveTool.set(path, value) ?? 'The scene is still opening.',
        }}
      />
      <Help scene={scene} />
      <GalleryDialog />
      <ShareDialog scene={scene} readValue={() => sceneValue.value ?? scene.value} />
      <DropDialog readBefore={() => studio.current?.sceneBefore()} />
      {isDragOver.value && <div class="drop-veil">Drop to open</div>}
    </>
  );
}

function openStudio(canvas: HTMLCanvasElement, scene: StudioScene, desk: RecordDesk): Studio {
  const { ignoreAssets } = readAddress(location.search, '');
  const studio = new Studio(canvas, scene, desk, ignoreAssets);
  window.palpable = studio.hook;
  void studio.load();
  return studio;
}

async function savePicture(studio: Studio | undefined, scene: StudioScene): Promise<void> {
  try {
    if (studio) saveFile(`${scene.id}.png`, await studio.takePicture());
  } catch (error) {
    trouble.value = { title: 'No picture was saved', text: messageOf(error) };
  }
}

function reportProblem({ title, text }: OpeningProblem): void {
  trouble.value = troubleOf(title, text, 'Show the gallery', () => (isGalleryOpen.value = true));
}

function listenToCommands(studio: () => Studio | undefined, desk: RecordDesk): void {
  listenToKeys({
    move: (...by) => studio()?.devices?.mouseKeyboard.move(...by),
    turn: (...by) => studio()?.devices?.mouseKeyboard.turn(...by),
    reset: () => studio()?.resetTool(),
    lookHome: () => studio()?.view?.lookHome(),
    lookFrom: (direction) => studio()?.view?.lookFrom(direction),
    toggle: (overlay) => (overlays[overlay].value = !overlays[overlay].value),
    moveSlice,
    openHelp: () => (isHelpOpen.value = true),
    openGallery: () => (isGalleryOpen.value = true),
    stop: () => studio()?.liveTool.stop(),
    togglePause: () => studio()?.liveTool.setPaused(!isPaused.value),
    toggleRecording: () => {
      if (desk.canRecord.value) desk.toggleRecording();
    },
    savePicture: () => void savePicture(studio(), currentScene.value),
    openShare: () => (isShareOpen.value = true),
  });
}

function moveSlice(steps: number): void {
  const axis = sliceAt.axis.value;
  const [low, high] = sliceAt.range.value[axis];
  const position = sliceAt.position.value[axis] + steps * SLICE_STEP;
  sliceAt.position.value = { ...sliceAt.position.value, [axis]: Math.min(high, Math.max(low, position)) };
  overlays.slice.value = true;
}
