/** A program with a loop that pushes, which ends in the midst of it by an error that nobody catches. */
import { connectHaply } from '@palpable/cli/internal';
import { createPortMemory, openPortDevice, openPortHost } from '@palpable/engine/advanced';

const [url] = process.argv.slice(2);
const memory = createPortMemory();
const loop = openPortDevice(memory, { force: 10, torque: 0 });
const pose = new Float64Array(7);
let poses = 0;
connectHaply({ port: openPortHost(memory), url, onLog: () => {} });
setInterval(() => {
  if (loop.read(pose)) poses += 1;
  loop.write(Float64Array.of(0, 0, 3, 0, 0, 0));
  if (poses >= 20) throw new Error('nobody catches this');
}, 1);
