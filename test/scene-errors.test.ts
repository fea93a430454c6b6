import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { palpable, workIn } from './lib/palpable.js';

const gallery = fileURLToPath(new URL('../scenes/', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-scene-'));
  return workIn(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const SOUND = {
  palpable: 1,
  bodies: { ball: { mesh: { sphere: 0.02 } }, plate: { mesh: { box: [0.1, 0.1, 0.01] } } },
  tool: 'ball',
};

describe('palpable validate', () => {
  it('tells all that is wrong at once, with path, line, what was found and what was expected', async () => {
    const text = `{
  "palpable": 1,
  "bodies": {
    "cube": { "mesh": { "box": [0.1, 0.1, 0.1] }, "field": { "resolution": 4096 } },
    "corner": { "mesh": "gone.stl" }
  },
  "tool": "cub",
  "method": { "kind": "static-fricton" },
  "contact": { "stifness": 5000 },
  "friction": { "coefficient": "high" }
}`;
    const { status, stdout, stderr } = await palpable('validate', write('wrong.json', text));
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([
      'palpable: wrong.json: 6 problems:',
      '  bodies.cube.field.resolution, line 4: found 4096, expected a whole number from 8 to 2048 (voxels).',
      '  bodies.corner.mesh, line 5: found "gone.stl", expected a mesh file; there is none at this path, which starts from the folder of the scene.',
      '  tool, line 7: found "cub", expected the name of a body: cube, corner; probably "cube" was meant.',
      expect.stringMatching(
        /^ {2}method\.kind, line 8: found "static-fricton", expected one of .*; probably "static-friction" was meant\.$/,
      ),
      expect.stringMatching(
        /^ {2}contact\.stifness, line 9: there is no such key, .*; probably "stiffness" was meant\.$/,
      ),
      '  friction.coefficient, line 10: found "high", expected a number from 0 to 10000.',
    ]);
  });

  it('says line and column where the file is no JSON', async () => {
    const { status, stderr } = await palpable(
      'validate',
      write('syntax.json', '{\n  "palpable": 1,\n  "bodies": {},\n}'),
    );
    expect(status).toBe(1);
    expect(stderr).toBe(
      'palpable: syntax.json: line 4, column 1: found "}", a comma stands before it; expected another key, or no comma.\n',
    );
  });

  it('gives the same to programs', async () => {
    const { status, stdout } = await palpable(
      'validate',
      write('program.json', '{ "palpable": 1, "bodies": {} }'),
      '--json',
    );
    const { valid, scene, problems } = JSON.parse(stdout);
    expect({ status, valid, scene }).toEqual({ status: 1, valid: false, scene: null });
    expect(problems.map(({ path }: { path: string }) => path)).toEqual(['tool', 'bodies']);
  });

  it('prints a sound scene with its defaults', async () => {
    const file = write('sound.json', JSON.stringify(SOUND));
    const { status, stdout, stderr } = await palpable('validate', file);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('sound.json is valid.');
    expect(stdout).toContain('ball against plate: ball has the shell, plate the field.');
    expect(stdout).toContain('"gravity": [0, 0, 0],');
    const json = JSON.parse((await palpable('validate', file, '--json')).stdout);
    expect(json).toMatchObject({ valid: true, problems: [], scene: { friction: { model: 'cone', sides: 8 } } });
    // What it prints is a scene file itself.
    const filled = write('filled.json', stdout.slice(stdout.indexOf('{')));
    expect(JSON.parse((await palpable('validate', filled, '--json')).stdout).scene).toEqual(json.scene);
  });

  it('warns of what is allowed but hardly meant', async () => {
    const { status, stderr } = await palpable(
      'validate',
      write('odd.json', JSON.stringify({ ...SOUND, friction: { kinetic: 0.9 } })),
    );
    expect(status).toBe(0);
    expect(stderr).toContain(
      'odd.json: friction.kinetic, line 1: kinetic friction (0.9) is above static friction (0.5)',
    );
  });

  it.each(['bunny-teapot.json'])('finds %s of the gallery sound', async (scene) => {
    expect(await palpable('validate', join(gallery, scene))).toMatchObject({ status: 0, stderr: '' });
  });

  it('explains itself with an example, and names a file that is not there', async () => {
    for (const command of ['validate', 'run', 'replay']) {
      const { stdout } = await palpable(command, '--help');
      expect(stdout).toContain(`$ palpable ${command}`);
      expect(stdout).toContain('--json');
    }
    expect(await palpable('validate', 'none.json')).toMatchObject({
      status: 1,
      stderr: 'palpable: none.json: The file does not exist; check the path.\n',
    });
  });
});
