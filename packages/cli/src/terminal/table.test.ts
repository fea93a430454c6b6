import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { printJson } from './json.js';
import { describeMachine, machineInfo } from './machine-info.js';
import { positiveNumber, wholeNumber } from './option-values.js';
import { formatNumber, formatTable } from './table.js';

describe('a table', () => {
  it('puts numbers to the right and text to the left', () => {
    const rows = [
      { method: 'tree', contacts: 30, 'time, µs': 4.20312 },
      { method: 'brute force', contacts: 1000, 'time, µs': 60 },
    ];
    expect(formatTable(rows).split('\n')).toEqual([
      'method       contacts  time, µs',
      '───────────  ────────  ────────',
      'tree               30     4.203',
      'brute force     1\u202f000        60',
    ]);
  });

  it('is empty without rows', () => {
    expect(formatTable([])).toBe('');
  });

  it.each([
    [0, '0'],
    [-1234567, '-1\u202f234\u202f567'],
    [0.000123456, '0.0001235'],
    [Number.NaN, 'NaN'],
    [1e21, '1e+21'],
  ])('writes %s as %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });
});

describe('values of options', () => {
  it('takes whole numbers of the range', () => {
    const read = wholeNumber(8, 4096);
    expect(read('8')).toBe(8);
    expect(read('1e3')).toBe(1000);
    for (const wrong of ['7', '4097', '8.5', 'many', '', ' ', 'NaN']) {
      expect(() => read(wrong), wrong).toThrow('Give a whole number from 8 to 4096.');
    }
  });

  it('takes numbers above zero', () => {
    expect(positiveNumber('0.004')).toBe(0.004);
    for (const wrong of ['0', '-1', 'x', '', 'Infinity']) {
      expect(() => positiveNumber(wrong), wrong).toThrow('Give a number above zero.');
    }
  });
});

describe('for programs and headings', () => {
  it('writes typed arrays as lists', () => {
    const stream = new PassThrough();
    printJson({ size: new Float64Array([1, 0.5]) }, stream);
    expect(JSON.parse(String(stream.read()))).toEqual({ size: [1, 0.5] });
  });

  it('names the machine in one line', () => {
    const { cpu, cores } = machineInfo();
    expect(cpu).not.toBe('');
    expect(cores).toBeGreaterThanOrEqual(1);
    const machine = { cpu: 'Abacus 1', cores: 2, memoryGib: 8, node: '20.19.0', system: 'linux x64' };
    expect(describeMachine(machine)).toBe('Abacus 1, 2 cores, 8 GiB, Node 20.19.0, linux x64');
  });
});
