import { describe, expect, it } from 'vitest';
import { buildField, type FieldOptions } from '../field/build-field.js';
import { fieldJob } from '../field/field-job.js';
import { createSphere, createTorus } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { PalpableError } from './errors.js';
import { InProcessWorkers } from './in-process-workers.fixture.js';
import { type Job, JobPool, shareable, type WorkerHost } from './parallel.js';

interface Scale {
  readonly factor: number;
}

const scaleJob: Job<Scale, Float64Array, Float64Array> = {
  name: 'scale',
  open:
    ({ factor }) =>
    (piece) => {
      if (piece[0] === 13) throw new RangeError('thirteen');
      return piece.map((value) => value * factor);
    },
  transfer: (result) => [result.buffer as ArrayBuffer],
};

const pieces = (count: number) => Array.from({ length: count }, (_, n) => Float64Array.of(n + 100, n));
const hosts: readonly (readonly [string, () => InProcessWorkers | undefined])[] = [
  ['the calling thread', () => undefined],
  ['one worker', () => new InProcessWorkers(1, [scaleJob])],
  ['three workers', () => new InProcessWorkers(3, [scaleJob], 2)],
];

describe('a pool of jobs', () => {
  it.each(hosts)('gives results in the order of the pieces: on %s', async (_, createHost) => {
    const host = createHost();
    const pool = new JobPool(host);
    const seen: number[] = [];
    const hooks = { onPiece: (finished: number, total: number) => void seen.push(finished / total) };
    const results = await pool.run(scaleJob, { factor: 2 }, pieces(20), hooks);
    expect(results.map((each) => [...each])).toEqual(pieces(20).map(([a, b]) => [2 * a, 2 * b]));
    expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => (n + 1) / 20));
    // Again, with another context and fewer pieces than workers, on the workers that are there.
    expect((await pool.run(scaleJob, { factor: 3 }, pieces(2))).map((each) => [...each])).toEqual([
      [300, 0],
      [303, 3],
    ]);
    expect(await pool.run(scaleJob, { factor: 3 }, [])).toEqual([]);
    pool.close();
    if (host) expect([host.spawned, host.ended]).toEqual([host.size, host.size]);
  });

  it('starts no more workers than there are pieces', async () => {
    const host = new InProcessWorkers(8, [scaleJob]);
    const pool = new JobPool(host);
    await pool.run(scaleJob, { factor: 1 }, pieces(3));
    expect(host.spawned).toBe(3);
    pool.close();
  });

  it('gives right results when runs follow each other before all workers have answered', async () => {
    const pool = new JobPool(new InProcessWorkers(4, [scaleJob], 3));
    for (let factor = 1; factor < 30; factor += 1) {
      const results = await pool.run(scaleJob, { factor }, pieces(4 + (factor % 3)));
      results.forEach((each, n) => {
        expect([...each]).toEqual([factor * (n + 100), factor * n]);
      });
    }
    pool.close();
  });

  it('fails with the message of the worker, and ends all workers', async () => {
    const host = new InProcessWorkers(2, [scaleJob]);
    const pool = new JobPool(host);
    const run = pool.run(scaleJob, { factor: 1 }, [...pieces(5), Float64Array.of(13), ...pieces(5)]);
    await expect(run).rejects.toMatchObject({ code: 'worker-failed', message: expect.stringContaining('thirteen') });
    expect(host.ended).toBe(2);
  });

  it('fails when a worker does not know the job', async () => {
    const pool = new JobPool(new InProcessWorkers(2, []));
    await expect(pool.run(scaleJob, { factor: 1 }, pieces(3))).rejects.toMatchObject({
      code: 'worker-failed',
      message: expect.stringContaining('does not know the job "scale"'),
    });
  });

  it('fails when a worker breaks down', async () => {
    const host: WorkerHost = {
      size: 1,
      spawn: () => ({
        post: () => {},
        onMessage: () => {},
        onError: (listener) => void setImmediate(() => listener(new Error('out of memory'))),
        terminate: () => {},
      }),
    };
    const run = new JobPool(host).run(scaleJob, { factor: 1 }, pieces(3));
    await expect(run).rejects.toThrow(new PalpableError('worker-failed', 'A worker ended early: out of memory'));
  });

  it.each(hosts)('stops when it is cancelled: on %s', async (_, createHost) => {
    const host = createHost();
    const pool = new JobPool(host);
    const signal = { aborted: false };
    let finished = 0;
    const onPiece = (count: number) => {
      finished = count;
      if (count === 3) signal.aborted = true;
    };
    const run = pool.run(scaleJob, { factor: 1 }, pieces(50), { signal, onPiece });
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    expect(finished).toBe(3);
    if (host) expect(host.ended).toBe(host.spawned);
    expect(() => pool.run(scaleJob, { factor: 1 }, pieces(1), { signal })).toThrow(
      expect.objectContaining({ code: 'cancelled' }),
    );
  });
});

describe('shareable', () => {
  it('moves numbers to shared memory, once', () => {
    const shared = shareable(Float64Array.of(1, 2, 3));
    expect(shared).toBeInstanceOf(Float64Array);
    expect(shared.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect([...shared]).toEqual([1, 2, 3]);
    expect(shareable(shared)).toBe(shared);
    expect([...shareable(Uint32Array.of(4294967295).subarray(0, 1))]).toEqual([4294967295]);
  });
});

/** Each triangle by itself, the ones on one side left out: no lids, signs by winding number, a surface over the hole. */
function loosePieces(mesh: TriangleMesh): TriangleMesh {
  const positions: number[] = [];
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const corners = [0, 1, 2].map((n) => 3 * mesh.triangles[t + n]);
    const middle = [0, 1, 2].map((axis) => corners.reduce((sum, corner) => sum + mesh.positions[corner + axis] / 3, 0));
    if (middle[0] > 0.4) continue;
    for (const corner of corners) {
      positions.push(...middle.map((value, axis) => value + 0.95 * (mesh.positions[corner + axis] - value)));
    }
  }
  return {
    positions: Float64Array.from(positions),
    triangles: Uint32Array.from({ length: positions.length / 3 }, (_, n) => n),
  };
}

describe('a field built on workers', () => {
  it.each<[string, TriangleMesh, FieldOptions]>([
    ['a closed mesh', createTorus(0.4, 0.1, 24, 12), { resolution: 40 }],
    ['loose pieces with a hole', loosePieces(createSphere(1, 3)), { resolution: 12, offset: 0.05 }],
  ])('is the same to the bit with none, one and three: %s', async (_, mesh, options) => {
    const alone = await buildField(mesh, options);
    for (const size of [1, 3]) {
      const workers = new InProcessWorkers(size, [fieldJob], size);
      const field = await buildField(mesh, options, { workers });
      expect(workers.spawned, 'enough work for all').toBe(size);
      expect(workers.ended).toBe(size);
      expect(Object.keys(field)).toEqual(Object.keys(alone));
      for (const [name, value] of Object.entries(alone)) {
        const other = field[name as keyof typeof field];
        if (!ArrayBuffer.isView(value)) expect(other, name).toBe(value);
        else expect(Buffer.compare(bytesOf(other as Float32Array), bytesOf(value as Float32Array)), name).toBe(0);
      }
    }
  });
});

function bytesOf(array: Float32Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
