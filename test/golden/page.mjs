/// <reference lib="dom" />
// What the page of `in-page.mjs` runs.
// @ts-expect-error An address of that page.
import * as advanced from '/engine/advanced.js';
// @ts-expect-error An address of that page.
import * as index from '/engine/index.js';
import { playGolden, summarise } from './play.mjs';

const engine = { ...index, ...advanced };
/** @type {import('./play.mjs').GoldenCache} */
const cache = { assets: new Map() };
/** @type {import('./play.mjs').Played} */
let last;

/** @param {string} path */
const read = async (path) => new Uint8Array(await (await fetch(`/scenes/${path}`)).arrayBuffer());

/** What tests call. */
export const hook = {
  /**
   * @param {import('./cases.mjs').GoldenCase} golden
   * @param {boolean} kernels
   */
  async play(golden, kernels) {
    last = await playGolden(engine, golden, read, cache, kernels);
    return summarise(last);
  },
  rows: () => [...last.rows],
};
Object.assign(window, { golden: hook });
