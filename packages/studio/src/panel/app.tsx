/** The page: stage on the left, panel on the right; on a phone the panel is a sheet at the bottom. */
import { useEffect, useRef } from 'preact/hooks';
import { readAddress } from '../app/address.js';
import { listenToKeys } from '../app/keyboard.js';
import { isHelpOpen, isToolHeld, overlays, phase, sliceAxis, slicePosition, sliceRange } from '../app/state.js';
import { Studio } from '../app/studio.js';
import { bunnyTeapot } from '../scene/bunny-teapot.js';
import { Help } from './help.js';
import { Panel } from './panel.js';
import { StageButtons } from './stage-buttons.js';
import { StageNotes } from './stage-notes.js';

/** What a key moves the slice by, metres. */
const SLICE_STEP = 0.005;

const scene = bunnyTeapot;

export function App() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const studio = useRef<Studio>(undefined);
  useEffect(() => {
    studio.current = openStudio(canvas.current!);
  }, []);
  return (
    <>
      <main class="stage" data-held={isToolHeld.value} data-phase={phase.value}>
        {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: arrow keys are for the stage, not the reader */}
        <canvas
          ref={canvas}
          tabIndex={0}
          role="application"
          aria-roledescription="3D stage"
          aria-label={`${scene.name}. Arrow keys and Page Up, Page Down move the ${scene.tool.label}, with Shift they turn it. Press question mark for help.`}
        />
        <StageNotes
          scene={scene}
          onCancel={() => studio.current?.cancel()}
          onStartAgain={() => void studio.current?.load()}
        />
        <StageButtons
          scene={scene}
          onReset={() => studio.current?.resetTool()}
          onLookHome={() => studio.current?.lookHome()}
        />
      </main>
      <Panel
        scene={scene}
        feelActions={{
          chooseMethod: (method) => studio.current?.change('method', method),
          setFriction: (coefficient) => studio.current?.change('friction', coefficient),
          setPaused: (isPaused) => studio.current?.setPaused(isPaused),
        }}
      />
      <Help scene={scene} />
    </>
  );
}

function openStudio(canvas: HTMLCanvasElement): Studio {
  const { scene, ignoreAssets } = readAddress(bunnyTeapot, location.search);
  const studio = new Studio(canvas, scene, ignoreAssets);
  window.palpable = studio.hook;
  listenToKeys({
    move: (...by) => studio.move(...by),
    turn: (...by) => studio.turn(...by),
    reset: () => studio.resetTool(),
    lookHome: () => studio.lookHome(),
    toggle: (overlay) => {
      overlays[overlay].value = !overlays[overlay].value;
    },
    moveSlice,
    openHelp: () => {
      isHelpOpen.value = true;
    },
  });
  void studio.load();
  return studio;
}

function moveSlice(steps: number): void {
  const axis = sliceAxis.value;
  const [low, high] = sliceRange.value[axis];
  const position = slicePosition.value[axis] + steps * SLICE_STEP;
  slicePosition.value = { ...slicePosition.value, [axis]: Math.min(high, Math.max(low, position)) };
  overlays.slice.value = true;
}
