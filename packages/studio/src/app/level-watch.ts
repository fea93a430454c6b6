/** Finds from time to time which levels of detail touch, while that is to be seen. */
import type { PreparedBody } from '@palpable/engine';
import { effect } from '@preact/signals';
import { poseOf } from '../scene/place-meshes.js';
import type { StudioScene } from '../scene/scene.js';
import type { ChosenNodes, LevelsSetup } from '../threads/levels-client.js';
import { createLevelsClient, type LevelsClient } from '../threads/levels-client.js';
import { hasLevels, runningScene } from './chosen-method.js';
import { overlays } from './state.js';

const INTERVAL_MS = 100;
const NOBODY: Int32Array = new Int32Array(0);

/** Undefined where the bodies have no levels of detail. */
export function describeLevels(
  { tool, environments }: StudioScene,
  bodies: ReadonlyMap<string, PreparedBody>,
): LevelsSetup | undefined {
  const ofTool = bodies.get(tool.label)?.hierarchy;
  const others = environments.flatMap((body) => {
    const hierarchy = bodies.get(body.label)?.hierarchy;
    return hierarchy ? [{ hierarchy, pose: poseOf(body) }] : [];
  });
  return ofTool && others.length === environments.length ? { tool: ofTool, environments: others } : undefined;
}

/** Ends with what it gives back. */
export function watchLevels(
  setup: LevelsSetup,
  toolPose: Float64Array,
  onNodes: (nodes: ChosenNodes) => void,
): () => void {
  let client: LevelsClient | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let asked = '';
  const ask = () => {
    const method = runningScene.value?.method;
    if (!method || !('distanceTolerance' in method) || !client?.isFree) return;
    const { tolerance, absoluteTolerance, distanceTolerance } = method;
    const settings = { tolerance, absoluteTolerance, distanceTolerance };
    const question = `${toolPose.join()} ${JSON.stringify(settings)}`;
    // At rest there is nothing new to see.
    if (question === asked) return;
    asked = question;
    client.ask(toolPose, settings);
  };
  const stop = () => {
    clearInterval(timer);
    client?.close();
    client = undefined;
    asked = '';
  };
  const follow = effect(() => {
    stop();
    if (overlays.levels.value && hasLevels.value) {
      client = createLevelsClient(setup, onNodes);
      timer = setInterval(ask, INTERVAL_MS);
    } else onNodes({ tool: NOBODY, environments: setup.environments.map(() => NOBODY) });
  });
  return () => {
    follow();
    stop();
  };
}
