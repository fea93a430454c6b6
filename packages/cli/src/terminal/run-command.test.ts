import { PassThrough } from 'node:stream';
import { PalpableError } from '@palpable/engine';
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { ExitCode } from './exit-codes.js';
import { runCommand } from './run-command.js';

async function runAndListen(action: () => Promise<ExitCode | undefined>, json = false) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await runCommand(action, { stdout, stderr }, json);
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

describe('exit codes', () => {
  it('is 0 for a command that just ends, and the code that it gives otherwise', async () => {
    expect(await runAndListen(async () => undefined)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await runAndListen(async () => ExitCode.difference)).code).toBe(3);
  });

  it("is 1 for the user's mistake, with one sentence and no stack", async () => {
    const result = await runAndListen(async () => {
      throw new PalpableError('mesh-empty', 'a.stl has no triangles.', 'a.stl');
    });
    expect(result).toEqual({ code: 1, stdout: '', stderr: 'palpable: a.stl has no triangles.\n' });
  });

  it('tells programs the same in JSON', async () => {
    const result = await runAndListen(async () => {
      throw new PalpableError('mesh-empty', 'a.stl has no triangles.', 'a.stl');
    }, true);
    expect(JSON.parse(result.stdout)).toEqual({
      error: { code: 'mesh-empty', message: 'a.stl has no triangles.', path: 'a.stl' },
    });
  });

  it.each([
    { thrown: new TypeError('x is undefined'), shown: 'run-command.test.ts' },
    { thrown: new PalpableError('worker-failed', 'A worker ended early.'), shown: /^A worker ended early.\n\nThis/ },
    { thrown: 'a thrown text', shown: /^a thrown text\n\nThis/ },
  ])('is 2 for a defect of ours, with a request to report it: $thrown', async ({ thrown, shown }) => {
    const { code, stderr } = await runAndListen(async () => {
      throw thrown;
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(shown);
    expect(stderr).toContain('Please report it');
  });

  it('is 130 when the work was cancelled, without a word', async () => {
    const result = await runAndListen(async () => {
      throw new PalpableError('cancelled', 'The work was cancelled.');
    });
    expect(result).toEqual({ code: 130, stdout: '', stderr: '' });
  });

  it("is commander's own for help and wrong options", async () => {
    const thrown = (exitCode: number) => async () => {
      throw new CommanderError(exitCode, 'commander.any', 'already printed');
    };
    expect(await runAndListen(thrown(0))).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await runAndListen(thrown(1))).toEqual({ code: 1, stdout: '', stderr: '' });
  });

  it('is 0 when the reader of the output has gone', async () => {
    const result = await runAndListen(async () => {
      throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    });
    expect(result.code).toBe(0);
  });
});
