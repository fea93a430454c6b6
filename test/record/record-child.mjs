// Records synthetic rows at 1 kHz until it is killed. Arguments: the recording, its format, and a file that always holds
// the number of rows that were put into the ring.
import { openSync, statSync, writeSync } from 'node:fs';
import { startRecorder } from '@palpable/cli/internal';
import { createRing, createRingWriter, LIVE_WIDTH } from '@palpable/engine/advanced';
import { fillRow, sampleInfo } from './synthetic-row.mjs';

const [path = '', format = '', progressPath = ''] = process.argv.slice(2);
const ring = createRing(LIVE_WIDTH, 4096);
const writer = createRingWriter(ring);
const progress = openSync(progressPath, 'w');
const row = new Float64Array(LIVE_WIDTH);
const count = new Float64Array(1);

const info = sampleInfo(['cube']);
const recorder = await startRecorder({ ring, path, format: format === 'csv' ? 'csv' : 'mcap', info });
recorder.begin(Date.now());
while (statSync(path).size === 0) await new Promise((resolve) => setTimeout(resolve, 1));
const start = performance.now();
process.stdout.write('recording\n');
setInterval(() => {
  const due = performance.now() - start;
  while (count[0] < due) {
    fillRow(row, count[0], 0);
    writer.write(row);
    count[0] += 1;
  }
  writeSync(progress, new Uint8Array(count.buffer), 0, 8, 0);
}, 1);
