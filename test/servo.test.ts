import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRecording } from '@palpable/cli/internal';
import { FAULT_DEVICE_SILENT, FAULT_EMERGENCY_STOP } from '@palpable/engine';
import { LIVE_COLUMNS, LIVE_WIDTH } from '@palpable/engine/advanced';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './lib/free-port.js';
import { keepProcess, palpable, workIn } from './lib/palpable.js';
import { type Felt, readFelt } from './lib/read-felt.js';
import { startVrpnDevice } from './lib/vrpn-device.js';

// Live loops as a user starts them. The machine may be busy, so that nothing here asks for punctual cycles: only for
// what holds however late they come.

const program = fileURLToPath(new URL('../packages/cli/bin/palpable.js', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-servo-'));
  write('plate.json', plateScene);
  write('two.json', {
    ...plateScene,
    bodies: { ...plateScene.bodies, other: { ...plateScene.bodies.block, position: [0.06, 0, 0.03], shell: {} } },
    tool: ['block', 'other'],
  });
  return workIn(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plateScene = {
  palpable: 1,
  bodies: {
    plate: { mesh: { box: [0.2, 0.2, 0.02] }, field: { resolution: 48 } },
    block: {
      mesh: { box: [0.02, 0.02, 0.02] },
      position: [0, 0, 0.03],
      shell: { spacing: 0.004 },
      field: { resolution: 32 },
    },
  },
  tool: 'block',
  friction: { coefficient: 0.5 },
};

/** Presses into the plate, and its third button for a moment. */
const STOPPED_DEVICE = `
export default ({ port }) => {
  const wrench = new Float64Array(6);
  let samples = 0;
  const timer = setInterval(() => {
    port.takeWrench(wrench, performance.now());
    if (port.isLoopAlive) samples += 1;
    port.putPose([0, 0, -0.015, 0, 0, 0, 1], samples > 200 && samples < 300 ? 4 : 0);
  }, 1);
  return { name: 'x', state: 'connected', limits: { force: 8, torque: 0 }, close: async () => clearInterval(timer) };
};
`;

function write(name: string, content: unknown): string {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

beforeAll(keepProcess);

/** In this process: for what does not begin, or need not be felt. */
async function servo(...args: string[]) {
  const done = await palpable('servo', ...args, '--json');
  expect(done.stderr).not.toMatch(/\n\s+at /);
  return { ...done, report: done.status === 0 ? JSON.parse(done.stdout) : null };
}

type Hands = readonly Pick<Felt, 'count' | 'column'>[];

/** Records until there is enough in the file, however long that takes; gives what it reports. */
async function recordUntil(name: string, isEnough: (...hands: Hands) => boolean, ...args: string[]) {
  const child = start(...args, '--stdin', '--record', name, '--json');
  const said = listen(child);
  let report = '';
  child.stdout.on('data', (chunk) => {
    report += chunk;
  });
  const exit = once(child, 'exit');
  await waitFor(async () => /\nexit \d/.test(said.text) || isEnough(...(await recordedSoFar(name))), 200);
  child.stdin.write('stop\n');
  await exit;
  expect(said.text).toMatch(/\nexit 0\n$/);
  expect(said.text).not.toMatch(/\n\s+at /);
  return JSON.parse(report);
}

/** Of a file that is being written; no hands while there is too little of it. */
async function recordedSoFar(name: string): Promise<Hands> {
  const recording = await readRecording(join(folder, name)).catch(() => null);
  const hands = recording?.hands.filter(({ count }) => count > 0) ?? [];
  return hands.map(({ count, rows }) => ({
    count,
    column: (column) => Array.from({ length: count }, (_, i) => rows[i * LIVE_WIDTH + LIVE_COLUMNS.indexOf(column)]!),
  }));
}

const most = (hand: Hands[number] | undefined, column: Parameters<Felt['column']>[0]) =>
  Math.max(...(hand?.column(column) ?? []));
/** All the pushes along x together, N. */
const pushOf = (hand: Hands[number] | undefined) => hand?.column('fx').reduce((sum, force) => sum + force, 0) ?? 0;
const freshOf = (hand: Hands[number] | undefined) => hand?.column('fresh').filter((fresh) => fresh > 0).length ?? 0;

async function columnsOf(name: string, hand = 0) {
  const { hands, events } = await readFelt(join(folder, name));
  return { ...hands[hand]!, events };
}

async function expectSameAgain(name: string) {
  const replayed = await palpable('replay', name);
  expect(replayed.stderr).toBe('');
  expect(replayed.stdout).toContain('bit-identical');
  expect(replayed.status).toBe(0);
}

describe('palpable servo', { timeout: 120_000 }, () => {
  it.each(['mcap', 'csv'])('runs a simulated hand, records it as %s, and replays it to the bit', async (format) => {
    const name = `felt.${format}`;
    const report = await recordUntil(name, (hand) => most(hand, 'fz') > 0.2, 'plate.json');
    expect(report.hands[0]).toMatchObject({ tool: 'block', device: 'simulated', dropped: 0 });
    expect(report.recording).toMatchObject({ file: name, dropped: 0 });
    const { count, column } = await columnsOf(name);
    expect(count).toBe(report.recording.rows);
    expect(Math.max(...column('contacts'))).toBeGreaterThan(0);
    expect(Math.max(...column('fz'))).toBeGreaterThan(0.1);
    expect(Math.max(...column('energy'))).toBeLessThan(1e-3);
    // The hand begins without force, whatever it holds.
    expect(column('gain')[0]).toBeLessThan(0.1);
    await expectSameAgain(name);
  });

  it('takes that recording as a trajectory', async () => {
    const done = await palpable('run', 'plate.json', '--trajectory', 'felt.mcap', '--out', 'path.csv');
    expect(done.stderr).not.toContain('palpable: felt.mcap');
    expect(done.status).toBe(0);
    const { report } = await servo('plate.json', '--device', 'replay:felt.mcap', '--seconds', '0.5');
    expect(report.hands[0].cycles).toBeGreaterThan(0);
  });

  it('obeys commands while it runs, refuses what it cannot do, and replays all of it', async () => {
    const child = start('plate.json', '--stdin', '--record', 'commands.mcap');
    const said = listen(child);
    await say(child, said, 'set friction.coefficient 0.9', 'done: set friction.coefficient 0.9');
    await say(child, said, 'set method.kind god-object', 'done: set method.kind');
    await say(child, said, 'set method.kind penalty', 'done: set method.kind penalty');
    await say(child, said, 'pause', 'done: pause');
    await say(child, said, 'resume', 'done: resume');
    await say(child, said, 'set timeStep 0.002', '"timeStep" cannot change while the scene is felt');
    await say(child, said, 'set coupling.stiffness -1', 'coupling.stiffness');
    await say(child, said, 'jump', '"jump" is not a command; the commands are pause, resume, halt, release, stop');
    await say(child, said, 'scene two.json', 'A recording holds one scene');
    child.stdin.write('stop\n');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    const { events } = await columnsOf('commands.mcap');
    const kinds = events.map(({ command }) => command?.kind);
    expect(kinds.slice(0, 7)).toEqual(['set', 'set', 'set', 'pause', 'resume', 'set', 'set']);
    await expectSameAgain('commands.mcap');
  });

  it('goes over to another scene without ending', async () => {
    const child = start('plate.json', '--stdin');
    const said = listen(child);
    await say(child, said, 'scene missing.json', 'missing.json');
    await say(child, said, 'scene two.json', 'now rendering two.json');
    child.stdin.write('stop\n');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });

  it('moves two tools with two devices, which touch each other', async () => {
    // Each hand reaches over to where the other one is, and stays there: a loop that stalls takes the force away.
    const towards = (x: number, other: number) =>
      Array.from({ length: 6000 }, (_, i) => {
        const part = Math.min(1, i / 100);
        return `${i / 100},${x + part * (other - x) * 0.6},0,0.03,0,0,0,1`;
      });
    const path = (rows: string[]) => `time,px,py,pz,qx,qy,qz,qw\n${rows.join('\n')}\n`;
    write('left.csv', path(towards(0, 0.06)));
    write('right.csv', path(towards(0.06, 0)));
    const report = await recordUntil(
      'two.mcap',
      (...both) => pushOf(both[0]) * pushOf(both[1]) < -1 || most(both[0], 'time') > 60,
      ...['two.json', '--device', 'other=replay:right.csv', '--device', 'replay:left.csv'],
    );
    expect(report.hands.map(({ tool }: { tool: string }) => tool).sort()).toEqual(['block', 'other']);
    const tools = [await columnsOf('two.mcap', 0), await columnsOf('two.mcap', 1)];
    for (const { column } of tools) expect(Math.max(...column('contacts'))).toBeGreaterThan(0);
    expect(pushOf(tools[0]) * pushOf(tools[1])).toBeLessThan(0);
    await expectSameAgain('two.mcap');
  });

  it('takes the force away when a VRPN device falls silent, and goes on when it is back', async () => {
    let hand = await startVrpnDevice('Hand0');
    const { port } = hand;
    const device = { kind: 'vrpn', address: `Hand0@127.0.0.1:${port}` };
    write('vrpn.json', { ...plateScene, device });
    const child = start('vrpn.json', '--stdin', '--record', 'vrpn.mcap');
    const said = listen(child);
    // The block is pressed into the plate, so that there is something to feel. A busy machine takes a while to feel it.
    const press = () => setInterval(() => hand.setPosition(0, 0, -0.015), 1);
    let pressing = press();
    await waitFor(() => Math.abs(hand.push) > 0.6);
    clearInterval(pressing);
    await hand.close();
    await until(said, 'lost');
    await pause(300);
    hand = await startVrpnDevice('Hand0', port);
    pressing = press();
    await waitFor(() => Math.abs(hand.push) > 0.6);
    child.stdin.write('stop\n');
    await once(child, 'exit');
    clearInterval(pressing);
    await hand.close();
    const { column, count } = await columnsOf('vrpn.mcap');
    const [silent, force, fresh, time] = [column('faults'), column('fz'), column('fresh'), column('time')];
    let heard = Number.NaN;
    let felt = 0;
    let felt20msAfter = 0;
    let outage = 0;
    for (let i = 0; i < count; i += 1) {
      if (fresh[i]! > 0) heard = time[i]!;
      if (outage === 0) felt = Math.max(felt, Math.abs(force[i]!));
      if (time[i]! - heard > 0.02) felt20msAfter = Math.max(felt20msAfter, Math.abs(force[i]!));
      // Longer than a busy machine keeps the device of this test waiting.
      if (time[i]! - heard > 0.25) outage = i;
    }
    expect(felt).toBeGreaterThan(0.5);
    expect(felt20msAfter).toBe(0);
    expect(silent.some((bits) => (bits & FAULT_DEVICE_SILENT) !== 0)).toBe(true);
    expect(outage).toBeGreaterThan(0);
    expect(force.slice(outage).some((value) => Math.abs(value) > 0.5)).toBe(true);
    await expectSameAgain('vrpn.mcap');
  });

  it('takes a device of the user, as the documents show it', async () => {
    const page = readFileSync(new URL('../docs/devices.md', import.meta.url), 'utf8');
    const example = /```js\n\/\/ my-device\.mjs\n(?<code>[\s\S]*?)```/.exec(page)?.groups?.code;
    expect(example!.split('\n').length).toBeLessThanOrEqual(31);
    write('my-device.mjs', example);
    const isEnough = (...[hand]: Hands) => freshOf(hand) > 100 && most(hand, 'contacts') > 0;
    const report = await recordUntil('own.mcap', isEnough, 'plate.json', '--device', 'module:my-device.mjs');
    expect(report.hands[0].device).toBe('module');
    const { column } = await columnsOf('own.mcap');
    expect(column('fresh').filter((fresh) => fresh > 0).length).toBeGreaterThan(100);
    expect(Math.max(...column('contacts'))).toBeGreaterThan(0);
  });

  it('stops at a button of the device, stays stopped when that is let go, and replays it', async () => {
    write('button.mjs', STOPPED_DEVICE);
    const stop = ['--device', 'module:button.mjs', '--stop-button', '2'];
    const isLetGo = (...[hand]: Hands) =>
      most(hand, 'buttons') === 4 && hand!.column('buttons').at(-1) === 0 && hand!.column('gain').at(-1) === 0;
    await recordUntil('stopped.mcap', isLetGo, 'plate.json', ...stop);
    const { column } = await columnsOf('stopped.mcap');
    const [buttons, faults, gain] = [column('buttons'), column('faults'), column('gain')];
    const pressed = buttons.indexOf(4);
    expect(pressed).toBeGreaterThan(0);
    expect(buttons.at(-1)).toBe(0);
    expect(faults.slice(pressed).every((bits) => (bits & FAULT_EMERGENCY_STOP) !== 0)).toBe(true);
    expect(faults.slice(0, pressed).some((bits) => (bits & FAULT_EMERGENCY_STOP) !== 0)).toBe(false);
    expect(gain.at(-1)).toBe(0);
    await expectSameAgain('stopped.mcap');
  });

  it('shows its tool to VRPN clients', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const first = start('plate.json', '--stdin', '--serve-vrpn', address.split(':')[1]!);
    const found = await waitFor(async () => {
      const listed = await palpable('devices', '--vrpn', address, '--seconds', '1', '--json');
      return JSON.parse(listed.stdout).devices.find((one: { device: string }) => one.device?.startsWith('vrpn:'));
    });
    expect(found.device).toBe(`vrpn:block@${address}`);
    const report = await recordUntil(
      'seen.mcap',
      (hand) => freshOf(hand) > 100,
      'plate.json',
      '--device',
      found.device,
    );
    expect(report.hands[0].device).toBe('vrpn');
    const { column } = await columnsOf('seen.mcap');
    expect(column('fresh').filter((fresh) => fresh > 0).length).toBeGreaterThan(100);
    first.stdin.write('stop\n');
    await once(first, 'exit');
  });
});

describe('palpable servo, given something wrong', { timeout: 60_000 }, () => {
  it.each([
    [['plate.json', '--device', 'falcon'], '"falcon" is not one of simulated, replay, vrpn, haply, module'],
    [['plate.json', '--device', 'haply', '--device', 'haply'], 'more devices than tools'],
    [['plate.json', '--device', 'plate=haply'], 'no tool "plate"'],
    [['plate.json', '--device', 'vrpn:Phantom0'], 'write vrpn:Phantom0@host'],
    [['plate.json', '--device', 'haply:http://x'], 'is not the address of a Haply service'],
    [['plate.json', '--device', 'module:none.mjs'], 'there is no such file'],
    [['plate.json', '--device', 'replay'], 'replay needs a file'],
    [['plate.json', '--device', 'replay:none.csv'], 'none.csv'],
    [['plate.json', '--record', 'felt.txt'], '.mcap or .csv'],
    [['none.json'], 'none.json'],
    [['plate.json', '--seconds', '-1'], 'above zero'],
  ])('%j', async (args, words) => {
    const done = await servo(...args);
    expect(done.stderr).toContain(words);
    expect(done.stderr.trim().split('\n')).toHaveLength(1);
    expect(done.status).toBe(1);
  });

  it('does not replace a recording unasked', async () => {
    write('kept.mcap', 'precious');
    const done = await servo('plate.json', '--seconds', '1', '--record', 'kept.mcap');
    expect(done.status).toBe(1);
    expect(done.stderr).toContain('kept.mcap');
  });

  it('does not replay what it cannot: another scene than was recorded', async () => {
    write('changed.json', plateScene);
    await servo('changed.json', '--seconds', '0.5', '--record', 'changed.mcap');
    write('changed.json', { ...plateScene, friction: { coefficient: 0.6 } });
    const done = await palpable('replay', 'changed.mcap');
    expect(done.status).toBe(1);
    expect(done.stderr).toContain('the scene changed.json changed');
  });

  it('has devices that ask for nothing when none answers', async () => {
    const done = await palpable('devices', '--vrpn', '127.0.0.1:1', '--haply', 'ws://127.0.0.1:1', '--seconds', '1');
    expect(done.status).toBe(0);
    expect(done.stdout).toContain('no VRPN server answers at 127.0.0.1:1');
    expect(done.stdout).toContain('no Haply service answers at ws://127.0.0.1:1');
  });
});

function start(...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [program, 'servo', ...args], { cwd: folder });
}

/** What a process says on standard error, growing. */
function listen(child: ChildProcessWithoutNullStreams): { text: string } {
  const said = { text: '' };
  child.stderr.on('data', (chunk) => {
    said.text += chunk;
  });
  child.on('exit', (code) => {
    said.text += `\nexit ${code}\n`;
  });
  return said;
}

async function say(
  child: ChildProcessWithoutNullStreams,
  said: { text: string },
  line: string,
  answer: string,
): Promise<void> {
  child.stdin.write(`${line}\n`);
  await until(said, answer);
  // A blend, and some cycles under the change.
  await pause(200);
}

async function until(said: { text: string }, words: string): Promise<void> {
  const found = await waitFor(() => said.text.includes(words) || /\nexit \d/.test(said.text));
  expect(found).toBe(true);
  expect(said.text).toContain(words);
}

/** The first answer that is not nothing, within a minute. */
async function waitFor<T>(look: () => T | Promise<T>, everyMs = 10): Promise<T> {
  const end = performance.now() + 60_000;
  for (;;) {
    const found = await look();
    if (found || performance.now() > end) return found;
    await pause(everyMs);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
