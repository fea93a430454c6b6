import { expect, test } from 'vitest';
import type { ComparedMotion, VariantResult } from './compare.js';
import type { ComparisonListener, ComparisonRequest } from './compare-client.js';
import { Comparison } from './comparison.js';

const MOTION = {} as ComparedMotion;

function open() {
  const started: { request: ComparisonRequest; listener: ComparisonListener }[] = [];
  let cancelled = 0;
  const comparison = new Comparison((request, listener) => {
    started.push({ request, listener });
    return {
      cancel: () => {
        cancelled += 1;
      },
    };
  });
  return { comparison, started, cancelled: () => cancelled };
}

test('runs what is chosen and gathers what comes out', () => {
  const { comparison, started } = open();
  comparison.methods.value = new Set(['penalty', 'static-friction']);
  comparison.models.value = new Set(['cone']);
  comparison.start(MOTION);
  const { request, listener } = started[0]!;
  expect(request.variants.map(({ label }) => label)).toEqual(['Penalty', 'Static friction, cone']);
  expect(comparison.progress.value).toEqual({ fraction: 0, label: 'Penalty' });
  listener.onProgress(0.3, 'Penalty');
  listener.onResult(0, { label: 'Penalty' } as VariantResult);
  listener.onFailed(1, 'The tool has no mass.');
  listener.onDone();
  expect(comparison.progress.value).toBeUndefined();
  expect(comparison.compared.value).toMatchObject([
    { label: 'Penalty', result: {} },
    { label: 'Static friction, cone', problem: 'The tool has no mass.' },
  ]);
});

test('can be cancelled, and keeps what is finished', () => {
  const { comparison, started, cancelled } = open();
  comparison.start(MOTION);
  started[0]!.listener.onResult(0, { label: 'Penalty' } as VariantResult);
  comparison.cancel();
  expect(cancelled()).toBe(1);
  expect(comparison.progress.value).toBeUndefined();
  expect(comparison.compared.value).toHaveLength(1);
  comparison.start(MOTION);
  expect(comparison.compared.value).toEqual([]);
  started[1]!.listener.onLost('out of memory');
  expect(comparison.words.value).toMatch(/out of memory/);
});

test('does nothing without a choice', () => {
  const { comparison, started } = open();
  comparison.methods.value = new Set();
  comparison.start(MOTION);
  expect(started).toEqual([]);
});
