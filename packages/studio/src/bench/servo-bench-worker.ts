/** The thread of a measured loop, empty or not. */
import { type FromLoop, type MeasuredLoop, serveMeasuredLoop } from '@palpable/engine/advanced';
import { workerScope } from '../threads/browser-workers.js';

const tell = (message: FromLoop) => workerScope.postMessage(message, []);

workerScope.addEventListener('message', ({ data: loop }: MessageEvent<MeasuredLoop>) => {
  // These marks name the thread and its turns in a trace of the browser.
  const onTurn = (isRunning: boolean) => {
    performance.mark(`${loop.isEmpty ? 'empty' : 'palpable'} ${isRunning ? 'runs' : 'rests'}`);
  };
  serveMeasuredLoop(loop, { clock: () => performance.now(), wallClock: () => Date.now(), tell, onTurn });
});
