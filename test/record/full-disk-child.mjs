// Records more rows than the file may have bytes; the shell that starts it sets the limit. Arguments: the recording and
// the length of the scene's text. Prints what the recorder told.
import { recordingFormatOf, startRecorder } from '@palpable/cli/internal';
import { createRing, createRingWriter, LIVE_WIDTH } from '@palpable/engine/advanced';
import { fillRow, sampleInfo } from './synthetic-row.mjs';

// The system would end the process; with a listener the write fails as on a full disk.
process.on('SIGXFSZ', () => {});
const [path = '', sceneLength = ''] = process.argv.slice(2);
const ROWS = 2000;
const ring = createRing(LIVE_WIDTH, 2048);
const writer = createRingWriter(ring);
/** @type {string[]} */
const errors = [];
/** @type {(value?: unknown) => void} */
let failed = () => {};
const failure = new Promise((resolve) => {
  failed = resolve;
});

try {
  const recorder = await startRecorder({
    ring,
    path,
    format: recordingFormatOf(path),
    info: { ...sampleInfo(['cube']), sceneText: ' '.repeat(Number(sceneLength)) },
    onError: ({ message }) => {
      errors.push(message);
      failed();
    },
  });
  recorder.begin(Date.now());
  const row = new Float64Array(LIVE_WIDTH);
  for (let cycle = 0; cycle < ROWS; cycle += 1) {
    fillRow(row, cycle, 0);
    writer.write(row);
    // In more than one round of the recorder.
    if (cycle % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await failure;
  process.stdout.write(JSON.stringify({ errors, result: await recorder.stop() }));
} catch (error) {
  process.stdout.write(JSON.stringify({ errors, refused: String(error) }));
}
