// Plays a pinned case with the engine that it is given, and says with which bits it answers. Runs in Node and in a page,
// so it knows neither files nor modules beyond the engine.

/** Two seconds, unless a case says otherwise; the hand approaches for a quarter of it. */
const CYCLES = 2000;
/** The hand wanders from one random place to the next in so many cycles. */
const STRETCH = 125;
/** Largest turn, as a quaternion's vector part. */
const TURN = 0.06;
/** Finer bodies would take minutes to build in both places, and show nothing more. */
const MAX_RESOLUTION = 48;
const MAX_POINTS = 2000;
const LEAST_TOLERANCE = 0.02;
/** Times as long as a scene says. */
const LONGER_ELEMENTS = 1.5;

/**
 * @typedef {typeof import('@palpable/engine') & typeof import('@palpable/engine/advanced')} Engine
 * @typedef {{ name: string, bodies: Record<string, string>, columns: readonly string[], rows: Float64Array, contacts: number }} Played
 * @typedef {{ assets: Map<string, Promise<{ asset: Uint8Array, body: import('@palpable/engine').PreparedBody }>> }} GoldenCache
 */

/**
 * @param {Engine} engine
 * @param {import('./cases.mjs').GoldenCase} golden
 * @param {(path: string) => Promise<Uint8Array>} readFile relative to `scenes/`
 * @param {GoldenCache} cache bodies that were prepared before
 * @param {boolean} [kernels] whether sums run in WebAssembly
 * @returns {Promise<Played>}
 */
export async function playGolden(engine, golden, readFile, cache, kernels = true) {
  const value = typeof golden.scene === 'string' ? parse(await readFile(golden.scene)) : golden.scene;
  const { scene, problems } = engine.checkSceneValue(value);
  if (!scene) throw new Error(`${golden.name}: ${problems.map(({ message }) => message).join('\n')}`);
  /** @type {Map<string, import('@palpable/engine').PreparedBody>} */
  const bodies = new Map();
  /** @type {Record<string, string>} */
  const hashes = {};
  for (const [name, plan] of engine.planPreparation(scene)) {
    const { asset, body } = await prepareOnce(engine, scene.bodies[name], plan, readFile, cache);
    bodies.set(name, body);
    hashes[name] = hashOf(asset);
  }
  engine.useKernels(kernels);
  const { method } = engine.createSceneMethod(scene, bodies);
  engine.useKernels(true);
  const { timeStep, limits } = scene;
  const hand = engine.handOfTrajectory(wander(engine, scene, golden), timeStep);
  const play = engine.startPlay({ method, timeStep, limits }, hand);
  const width = engine.RESULT_COLUMNS.length;
  const cycles = golden.cycles ?? CYCLES;
  const rows = new Float64Array(cycles * width);
  while (engine.playCycle(play))
    engine.writeResultRow(rows, play.cycle, play.time, play.devicePose, play.output, play.limited);
  const kept = engine.RESULT_COLUMNS.flatMap((name, at) => (name.startsWith('us_') ? [] : [at]));
  const few = new Float64Array(cycles * kept.length);
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    for (let k = 0; k < kept.length; k += 1) few[cycle * kept.length + k] = rows[cycle * width + kept[k]];
  }
  return {
    name: golden.name,
    bodies: hashes,
    columns: kept.map((at) => engine.RESULT_COLUMNS[at]),
    rows: few,
    contacts: play.counters.maxContacts,
  };
}

/** @param {Uint8Array} bytes */
function parse(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/**
 * @param {Engine} engine
 * @param {import('@palpable/engine').Scene['bodies'][string]} described
 * @param {import('@palpable/engine').PrepareOptions} plan
 * @param {(path: string) => Promise<Uint8Array>} readFile
 * @param {GoldenCache} cache
 */
function prepareOnce(engine, { mesh, scale, unit }, plan, readFile, { assets }) {
  const coarse = coarser(plan);
  const key = JSON.stringify([mesh, scale, unit, coarse]);
  const known = assets.get(key);
  if (known) return known;
  const made = prepare(engine, { mesh, scale, unit }, coarse, readFile);
  assets.set(key, made);
  return made;
}

/**
 * @param {import('@palpable/engine').PrepareOptions} plan
 * @returns {import('@palpable/engine').PrepareOptions}
 */
function coarser(plan) {
  const { field, shell, hierarchy, elastic } = plan;
  return {
    ...plan,
    ...(field && { field: { ...field, resolution: Math.min(MAX_RESOLUTION, field.resolution ?? MAX_RESOLUTION) } }),
    ...(shell?.count && { shell: { ...shell, count: Math.min(MAX_POINTS, shell.count) } }),
    ...(hierarchy && { hierarchy: { tolerance: Math.max(LEAST_TOLERANCE, hierarchy.tolerance ?? 0) } }),
    ...(elastic?.elementSize && { elastic: { ...elastic, elementSize: LONGER_ELEMENTS * elastic.elementSize } }),
  };
}

/**
 * @param {Engine} engine
 * @param {Pick<import('@palpable/engine').Scene['bodies'][string], 'mesh' | 'scale' | 'unit'>} described
 * @param {import('@palpable/engine').PrepareOptions} plan
 * @param {(path: string) => Promise<Uint8Array>} readFile
 */
async function prepare(engine, { mesh, scale, unit }, plan, readFile) {
  const read =
    typeof mesh === 'string'
      ? (await engine.readMesh(await readFile(mesh), { fileName: mesh, scale, ...(unit && { unit }) })).mesh
      : engine.buildSceneMesh({ mesh, scale });
  if (!read) throw new Error('There is no mesh.');
  const body = await engine.prepareBody(engine.cleanMesh(read).mesh, plan);
  const asset = engine.encodeAsset(body);
  return { asset, body: engine.decodeAsset(asset) };
}

/**
 * From the tool's place into contact, then from one random place to the next around there.
 *
 * @param {Engine} engine
 * @param {import('@palpable/engine').Scene} scene
 * @param {import('./cases.mjs').GoldenCase} golden
 */
function wander(engine, scene, { towards, wander: reach, seed, cycles = CYCLES }) {
  const random = engine.createRandom(seed);
  const { position, rotation } = scene.bodies[scene.tool[0]];
  const time = Float64Array.from({ length: cycles }, (_, cycle) => cycle * scene.timeStep);
  const poses = new Float64Array(7 * cycles);
  /** @type {number[]} offset (3), turn (3) */
  let from = [0, 0, 0, 0, 0, 0];
  let to = [...towards, 0, 0, 0];
  const offset = [0, 0, 0, 0, 0, 0];
  for (let cycle = 0, begun = 0, length = cycles / 4; cycle < cycles; cycle += 1) {
    if (cycle === begun + length) {
      begun = cycle;
      length = STRETCH;
      from = to;
      to = from.map((_, k) => (k < 3 ? towards[k] + reach * (2 * random() - 1) : TURN * (2 * random() - 1)));
    }
    const t = (cycle - begun) / length;
    const share = t * t * (3 - 2 * t);
    for (let k = 0; k < 6; k += 1) offset[k] = from[k] + share * (to[k] - from[k]);
    placeAt(poses, 7 * cycle, position, rotation, offset);
  }
  return { count: cycles, time, poses };
}

/**
 * @param {Float64Array} poses
 * @param {number} at
 * @param {readonly number[]} position
 * @param {readonly number[]} rotation
 * @param {readonly number[]} offset
 */
function placeAt(poses, at, position, [bx, by, bz, bw], [x, y, z, tx, ty, tz]) {
  const size = Math.sqrt(tx * tx + ty * ty + tz * tz + 1);
  const [ax, ay, az, aw] = [tx / size, ty / size, tz / size, 1 / size];
  poses.set(
    [
      position[0] + x,
      position[1] + y,
      position[2] + z,
      aw * bx + ax * bw + ay * bz - az * by,
      aw * by - ax * bz + ay * bw + az * bx,
      aw * bz + ax * by - ay * bx + az * bw,
      aw * bw - ax * bx - ay * by - az * bz,
    ],
    at,
  );
}

/** Cycles of which one digit of the summary speaks. */
export const BLOCK = 25;

/**
 * What the file of pinned bits keeps of a case: hashes of all rows, of the prepared bodies, of each block of cycles and
 * of each column, so that a difference can be placed.
 *
 * @param {Played} played
 */
export function summarise({ name, bodies, columns, rows }) {
  const width = columns.length;
  const blocks = Array.from({ length: rows.length / (width * BLOCK) }, (_, block) =>
    hashOf(rows.subarray(block * BLOCK * width, (block + 1) * BLOCK * width)).slice(0, 2),
  );
  const each = columns.map((_, at) => hashOf(rows.filter((_, k) => k % width === at)).slice(0, 2));
  return {
    name,
    hash: hashOf(rows),
    bodies: Object.entries(bodies).map(([body, hash]) => `${body.replaceAll(' ', '_')}=${hash}`),
    blocks: blocks.join(''),
    columns: each.join(''),
  };
}

/**
 * Sixty-four bits of whatever is behind a view, as text.
 *
 * @param {ArrayBufferView} view
 */
function hashOf(view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  for (let i = 0; i < bytes.length; i += 1) {
    a = Math.imul(a ^ bytes[i], 0x01000193);
    b = Math.imul((b << 5) ^ (b >>> 27) ^ bytes[i], 0xc2b2ae35);
  }
  const word = (/** @type {number} */ x) => ((x ^ (x >>> 15)) >>> 0).toString(16).padStart(8, '0');
  return word(a) + word(b);
}
