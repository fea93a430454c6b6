import { createNodeWorkers } from '@palpable/cli/internal';
import { buildField, createTorus } from '@palpable/engine';
import { describe, expect, it } from 'vitest';

describe("Node's workers", () => {
  const mesh = createTorus(0.4, 0.1, 48, 24);

  it('build the same field as the calling thread, to the bit', async () => {
    const alone = await buildField(mesh, { resolution: 48 });
    const field = await buildField(mesh, { resolution: 48 }, { workers: createNodeWorkers(3) });
    expect(Buffer.from(field.bricks.buffer).equals(Buffer.from(alone.bricks.buffer))).toBe(true);
    expect(Buffer.from(field.coarse.buffer).equals(Buffer.from(alone.coarse.buffer))).toBe(true);
    expect(field).toEqual(alone);
  });

  it('stop when the build is cancelled', async () => {
    const stop = new AbortController();
    const onProgress = (_: string, fraction: number) => {
      if (fraction > 0.2) stop.abort();
    };
    const build = buildField(
      mesh,
      { resolution: 200 },
      { workers: createNodeWorkers(2), signal: stop.signal, onProgress },
    );
    await expect(build).rejects.toMatchObject({ name: 'PalpableError', code: 'cancelled' });
  });
});
