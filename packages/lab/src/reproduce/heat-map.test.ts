import { describe, expect, it } from 'vitest';
import { formatHeatMap } from './heat-map.js';

describe('formatHeatMap', () => {
  const panel = { name: 'normal', colour: '#c00000', size: 2, values: [1, 0.5, 0, 2], borders: [1] };
  const svg = formatHeatMap({ title: 'W', panels: [panel] });

  it('shades cells by value, leaves zeros white and takes what is above 1 as 1', () => {
    expect(svg).toContain('<path d="M0 0h120v120h-120zM120 120h120v120h-120z" fill="#c00000" fill-opacity="1.00"/>');
    expect(svg).toContain('<path d="M120 0h120v120h-120z" fill="#c00000" fill-opacity="0.50"/>');
    expect(svg).not.toContain('M0 120h120');
  });

  it('draws borders between groups', () => {
    expect(svg).toContain('M120 0V240M0 120H240');
  });

  it('puts panels side by side', () => {
    expect(formatHeatMap({ title: 'W', panels: [panel, panel] })).toContain('translate(288 64)');
  });
});
