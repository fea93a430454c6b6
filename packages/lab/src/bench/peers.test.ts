import { expect, it } from 'vitest';
import { importPeer, type PeerLibrary } from './peers/peer.js';
import { LIBRARIES } from './peers/systems.js';
import { benchPeersCommand, loadPeers } from './peers.js';

const library = (name: string, load: PeerLibrary['load']): PeerLibrary => ({
  name,
  package: `${name}-js`,
  version: '1.2.3',
  load,
});
const everyone = () => true;

it('says what to run for a library that is not installed, and goes on', async () => {
  const absent = library('absent', () => importPeer('a-package-that-nobody-has'));
  const present = library('present', async () => ({ forms: () => [], createWorld: () => undefined as never }));
  const { peers, missing } = await loadPeers([absent, present], everyone);
  expect([...peers.keys()]).toEqual(['present']);
  const command = 'npm install --no-save --ignore-scripts absent-js@1.2.3 present-js@1.2.3';
  expect(missing).toEqual([{ name: 'absent', sentence: `absent is not installed. Run: ${command}` }]);
});

it('does not take a library that breaks for one that is missing, and leaves alone what is not wanted', async () => {
  const broken = library('broken', () => Promise.reject(new Error('out of memory')));
  await expect(loadPeers([broken], everyone)).rejects.toThrow('out of memory');
  expect((await loadPeers([broken], () => false)).peers.size).toBe(0);
});

async function run(
  flags: object,
): Promise<{ scenes: { rows: Record<string, unknown>[] }[]; missing: { name: string }[] }> {
  const text: string[] = [];
  const stdout = { write: (chunk: string) => text.push(chunk) } as never;
  const progress = { update() {}, done() {} };
  await benchPeersCommand.run({ stdout, json: true, progress } as never, { replays: 1, ...flags } as never);
  return JSON.parse(text.join(''));
}

it('measures ours and every library that is installed on the cube', { timeout: 120_000 }, async () => {
  const { scenes, missing } = await run({ quick: true, scene: 'cube', only: 'heuristic,rapier,jolt,mujoco,physx' });
  const { rows } = scenes[0]!;
  const lacking = new Set(missing.map(({ name }) => name));
  for (const name of ['heuristic', ...LIBRARIES.map((each) => each.name).filter((each) => !lacking.has(each))]) {
    const own = rows.filter(({ system }) => (system as string).startsWith(name));
    expect(own.length, name).toBeGreaterThan(0);
    for (const row of own) {
      expect(row, name).not.toHaveProperty('failed');
      expect(row.cycles, name).toBeGreaterThan(7000);
      expect(row.p50Us, name).toBeGreaterThan(0);
      // Pressed with 4 N on each face and pulled below the limit it stays where it is, and on the surface.
      expect(row.penetrationMaxMm, name).toBeLessThan(0.5);
      expect(row.driftStillUm, name).toBeLessThan(20);
      expect(Math.abs(row.slipPercent as number), name).toBeLessThan(30);
    }
  }
});

it('refuses names that are not there, and one mesh without the other', async () => {
  await expect(run({ only: 'bullet' })).rejects.toThrow('There is no system "bullet"');
  await expect(run({ scene: 'pond' })).rejects.toThrow('There is no scene "pond"');
  await expect(run({ tool: 'part.stl' })).rejects.toThrow('Give both --tool and --body');
});
