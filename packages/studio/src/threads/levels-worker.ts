/** The thread that finds which levels of detail touch, for the picture. */
import { workerScope } from './browser-workers.js';
import { createLevelFinder, type LevelFinder } from './find-levels.js';
import type { FromLevelsThread, ToLevelsThread } from './levels-client.js';

let finder: LevelFinder | undefined;

workerScope.addEventListener('message', ({ data }: MessageEvent<ToLevelsThread>) => {
  if (data.kind === 'setup') {
    finder = createLevelFinder(data.setup);
    return;
  }
  if (!finder) return;
  const answer: FromLevelsThread = { kind: 'nodes', nodes: finder.find(data.pose, data.settings) };
  workerScope.postMessage(answer, []);
});
