import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { palpable } from './lib/palpable.js';

const program = fileURLToPath(new URL('../packages/cli/bin/palpable.js', import.meta.url));

function palpableProcess(...args: string[]) {
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', timeout: 60_000 });
}

const commands = ['prepare', 'inspect', 'bench field', 'bench contact', 'bench soak', 'bench fuzz', 'studio'];

describe('the palpable command', () => {
  it('prints its version', () => {
    const { version } = JSON.parse(readFileSync(new URL('../packages/cli/package.json', import.meta.url), 'utf8'));
    expect(palpableProcess('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each(commands)('explains %s with an example and offers --json', async (command) => {
    const { status, stdout } = await palpable(...command.split(' '), '--help');
    expect(status).toBe(0);
    expect(stdout).toContain(`$ palpable ${command}`);
    expect(stdout).toContain('--json');
  });

  it.each([
    [['inspct'], "palpable: unknown command 'inspct' (Did you mean inspect?)\n"],
    [['bench', 'contcat'], "palpable: unknown command 'contcat' (Did you mean contact?)\n"],
    [['inspect', 'a.stl', '--jsno'], "palpable: unknown option '--jsno' (Did you mean --json?)\n"],
    [['inspect'], "palpable: missing required argument 'file'\n"],
    [
      ['inspect', 'a.stl', '--resolution', 'many'],
      "palpable: option '--resolution <voxels>' argument 'many' is invalid. Give a whole number from 8 to 2048.\n",
    ],
  ])('answers the mistake %j with one line and code 1', async (args, message) => {
    expect(await palpable(...args)).toMatchObject({ status: 1, stdout: '', stderr: message });
  });

  it('does not mind a reader that leaves', async () => {
    const child = spawn(process.execPath, [program, 'inspect', '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    const [code] = await once(child, 'close');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('palpable studio', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('prints its address, serves the page and ends on %s with %i', async (signal, wanted) => {
    const child = spawn(process.execPath, [program, 'studio', '--port', '0', '--json']);
    try {
      const { url } = JSON.parse(await readOutput(child));
      const answer = await fetch(url);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(await answer.text()).toContain('<title>');
    } finally {
      child.kill(signal);
    }
    const [code] = await once(child, 'exit');
    expect(code).toBe(wanted);
  });
});

/** The first thing that a process prints. */
async function readOutput(child: ChildProcess): Promise<string> {
  const [text] = await once(child.stdout!, 'data');
  return String(text);
}
