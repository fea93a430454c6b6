import { createBox, readMesh } from '@palpable/engine';
import { describe, expect, it } from 'vitest';
import { encodePly } from './encode-ply.js';

describe('encodePly', () => {
  it('comes back with every digit, whatever the file is called', async () => {
    const box = createBox(0.1, 0.2, 1 / 3);
    const { mesh, format } = await readMesh(encodePly(box), { fileName: 'part.step' });
    expect(format).toBe('ply');
    expect(mesh).toEqual(box);
  });
});
