// Rows as a loop of 1 kHz would write them, made of their number alone, so that a reader knows what must be in them.
import { LIVE_COLUMNS, LIVE_WIDTH } from '@palpable/engine/advanced';

/** Numbers that a careless way to disk would change. */
const HARD = [-0, 1e-300, 5e-324, 0.1, -1 / 3, Number.MAX_VALUE, Math.PI, 1];

const place = (/** @type {typeof LIVE_COLUMNS[number]} */ name) => LIVE_COLUMNS.indexOf(name);
const DEVICE_ROTATION = place('dqx');
const TOOL_ROTATION = place('tqx');

/**
 * @param {Float64Array} row
 * @param {number} cycle
 * @param {number} hand
 */
export function fillRow(row, cycle, hand) {
  for (let k = 0; k < LIVE_WIDTH; k += 1) row[k] = HARD[(cycle + k) % HARD.length] * (hand === 0 ? 1 : -1);
  for (const [k, name] of LIVE_COLUMNS.entries()) if (name.startsWith('us_')) row[k] = 1.25 * (cycle % 64);
  row[place('time')] = cycle * 0.001;
  for (const at of [DEVICE_ROTATION, TOOL_ROTATION]) row.set([0, 0, 0.6, 0.8], at);
  row[place('friction_state')] = cycle % 3;
  row[place('contacts')] = cycle % 100;
  row[place('cycle')] = cycle;
  row[place('hand')] = hand;
  row[place('missed')] = cycle === 7 ? 2 : 0;
  row[place('faults')] = cycle === 9 ? 3 : 0;
}

/** @param {string[]} tools */
export function sampleInfo(tools) {
  return {
    version: '0.1.0',
    sceneSha256: 'ab'.repeat(32),
    sceneText: '{ "palpable": 1, "name": "Würfel" }\n',
    options: { device: 'simulated', rate: 1000 },
    timeStep: 0.001,
    tools,
    method: 'static-friction',
    startTime: '2026-01-02T03:04:05.678Z',
    startTimeNs: '1767323045678901234',
  };
}
