// The sums over contacts of src/friction/disc-sum.ts, in WebAssembly with two contacts at a time: the even one of a pair
// in the first lane of a vector, the odd one in the second. The pure TypeScript there is the reference: it has the same
// operations in the same order, so that both give the same bits.
//
// A `table` holds the addresses of the arrays, four bytes each, in the order of the constants.

const MAP: usize = 0;
const RADIUS: usize = 4;
const SHIFT: usize = 8;
const ARGUMENT: usize = 12;
const NEAREST: usize = 16;
const RIM: usize = 20;
const DIRECTION: usize = 24;
const PULL: usize = 28;
const SUMS: usize = 32;
const OUTER: usize = 36;
const SCALE: usize = 40;

/** Bytes of a pair of contacts in the map, and in arrays of two numbers and of one number per contact. */
const MAP_PAIR: usize = 192;
const TWO_PAIR: usize = 32;
const ONE_PAIR: usize = 16;

/**
 * Argument, point of the disc, rim, scale, pull and sums. In three passes: one alone would wait for roots and quotients,
 * since the processor looks ahead by no more than a pair or two.
 */
export function evaluateDiscs(table: usize, pairs: i32): void {
  takeArguments(table, pairs);
  let radius: usize = load<u32>(table, RADIUS);
  let argument: usize = load<u32>(table, ARGUMENT);
  let nearest: usize = load<u32>(table, NEAREST);
  let rim: usize = load<u32>(table, RIM);
  let scales: usize = load<u32>(table, SCALE);
  const sums: usize = load<u32>(table, SUMS);
  const one = f64x2.splat(1);
  const half = f64x2.splat(0.5);
  let potential = f64x2.splat(0);
  let support = f64x2.splat(0);
  for (let pair = 0; pair < pairs; pair += 1) {
    const u = v128.load(argument);
    const v = v128.load(argument, 16);
    const r = v128.load(radius);
    const square = f64x2.add(f64x2.mul(u, u), f64x2.mul(v, v));
    const length = f64x2.sqrt(square);
    const inside = f64x2.le(square, one);
    const scale = v128.bitselect(one, f64x2.div(one, length), inside);
    support = f64x2.add(support, f64x2.mul(r, length));
    potential = f64x2.add(
      potential,
      v128.bitselect(f64x2.mul(f64x2.mul(r, half), square), f64x2.mul(r, f64x2.sub(length, half)), inside),
    );
    v128.store(rim, v128.andnot(one, inside));
    v128.store(scales, scale);
    v128.store(nearest, f64x2.mul(scale, u));
    v128.store(nearest, f64x2.mul(scale, v), 16);
    radius += ONE_PAIR;
    argument += TWO_PAIR;
    nearest += TWO_PAIR;
    rim += ONE_PAIR;
    scales += ONE_PAIR;
  }
  storeSum(sums, potential);
  storeSum(sums + 8, support);
  sumPull(table, pairs);
}

/** The same with every contact of a disc kept inside or on the rim; no sums. */
export function evaluateHeldDiscs(table: usize, pairs: i32): void {
  takeArguments(table, pairs);
  let argument: usize = load<u32>(table, ARGUMENT);
  let nearest: usize = load<u32>(table, NEAREST);
  let rim: usize = load<u32>(table, RIM);
  let scales: usize = load<u32>(table, SCALE);
  const one = f64x2.splat(1);
  const zero = f64x2.splat(0);
  for (let pair = 0; pair < pairs; pair += 1) {
    const u = v128.load(argument);
    const v = v128.load(argument, 16);
    const perLength = f64x2.div(one, f64x2.sqrt(f64x2.add(f64x2.mul(u, u), f64x2.mul(v, v))));
    const scale = v128.bitselect(one, perLength, f64x2.eq(v128.load(rim), zero));
    v128.store(scales, scale);
    v128.store(nearest, f64x2.mul(scale, u));
    v128.store(nearest, f64x2.mul(scale, v), 16);
    argument += TWO_PAIR;
    nearest += TWO_PAIR;
    rim += ONE_PAIR;
    scales += ONE_PAIR;
  }
  sumPull(table, pairs);
}

/** Argument alone. */
export function takeArguments(table: usize, pairs: i32): void {
  let map: usize = load<u32>(table, MAP);
  let shift: usize = load<u32>(table, SHIFT);
  let argument: usize = load<u32>(table, ARGUMENT);
  const direction: usize = load<u32>(table, DIRECTION);
  const y0 = v128.load64_splat(direction, 0);
  const y1 = v128.load64_splat(direction, 8);
  const y2 = v128.load64_splat(direction, 16);
  const y3 = v128.load64_splat(direction, 24);
  const y4 = v128.load64_splat(direction, 32);
  const y5 = v128.load64_splat(direction, 40);
  for (let pair = 0; pair < pairs; pair += 1) {
    v128.store(argument, dot(v128.load(shift), map, y0, y1, y2, y3, y4, y5));
    v128.store(argument, dot(v128.load(shift, 16), map + 96, y0, y1, y2, y3, y4, y5), 16);
    map += MAP_PAIR;
    shift += TWO_PAIR;
    argument += TWO_PAIR;
  }
}

/** Pull alone. */
export function sumPull(table: usize, pairs: i32): void {
  let map: usize = load<u32>(table, MAP);
  let radius: usize = load<u32>(table, RADIUS);
  let nearest: usize = load<u32>(table, NEAREST);
  let f0 = f64x2.splat(0);
  let f1 = f64x2.splat(0);
  let f2 = f64x2.splat(0);
  let f3 = f64x2.splat(0);
  let f4 = f64x2.splat(0);
  let f5 = f64x2.splat(0);
  for (let pair = 0; pair < pairs; pair += 1) {
    const r = v128.load(radius);
    const ru = f64x2.mul(r, v128.load(nearest));
    const rv = f64x2.mul(r, v128.load(nearest, 16));
    f0 = addPull(f0, ru, rv, map, 0);
    f1 = addPull(f1, ru, rv, map, 16);
    f2 = addPull(f2, ru, rv, map, 32);
    f3 = addPull(f3, ru, rv, map, 48);
    f4 = addPull(f4, ru, rv, map, 64);
    f5 = addPull(f5, ru, rv, map, 80);
    map += MAP_PAIR;
    radius += ONE_PAIR;
    nearest += TWO_PAIR;
  }
  storePull(load<u32>(table, PULL), f0, f1, f2, f3, f4, f5);
}

/** How many contacts are not inside. */
export function countRims(table: usize, pairs: i32): i32 {
  let rim: usize = load<u32>(table, RIM);
  const zero = f64x2.splat(0);
  let count = i64x2.splat(0);
  for (let pair = 0; pair < pairs; pair += 1) {
    // All bits of those that differ are set: minus one.
    count = i64x2.sub(count, f64x2.ne(v128.load(rim), zero));
    rim += ONE_PAIR;
  }
  return <i32>(i64x2.extract_lane(count, 0) + i64x2.extract_lane(count, 1));
}

/** Sum of the outer products of the columns of contacts on the rim: what they have, or what they lack. */
export function sumRims(table: usize, pairs: i32, isPolygon: i32, isLacking: i32): void {
  let map: usize = load<u32>(table, MAP);
  let radius: usize = load<u32>(table, RADIUS);
  let argument: usize = load<u32>(table, ARGUMENT);
  let nearest: usize = load<u32>(table, NEAREST);
  let rim: usize = load<u32>(table, RIM);
  let scales: usize = load<u32>(table, SCALE);
  const outer: usize = load<u32>(table, OUTER);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  clearOuter(outer);
  for (let pair = 0; pair < pairs; pair += 1) {
    const state = v128.load(rim);
    const isInside = f64x2.eq(state, zero);
    if (!isLacking || !i64x2.all_true(isInside)) {
      const isOnRim = f64x2.eq(state, one);
      const r = v128.load(radius);
      // Of a disc the nearest point itself lies across the rim.
      let nu = v128.load(nearest);
      let nv = v128.load(nearest, 16);
      let part = r;
      if (isPolygon) {
        nu = f64x2.sub(v128.load(argument), nu);
        nv = f64x2.sub(v128.load(argument, 16), nv);
        const perLength = f64x2.div(one, f64x2.sqrt(f64x2.add(f64x2.mul(nu, nu), f64x2.mul(nv, nv))));
        nu = f64x2.mul(nu, perLength);
        nv = f64x2.mul(nv, perLength);
      } else part = f64x2.mul(r, v128.load(scales));
      // Elsewhere than on the rim any direction will do.
      nu = v128.bitselect(nu, one, isOnRim);
      nv = v128.bitselect(nv, zero, isOnRim);
      let along: v128;
      let across: v128;
      if (isLacking) {
        across = v128.bitselect(zero, r, isInside);
        along = v128.bitselect(f64x2.sub(r, part), across, isOnRim);
      } else {
        across = v128.bitselect(r, zero, isInside);
        along = v128.bitselect(part, across, isOnRim);
      }
      addColumn(outer, map, along, f64x2.neg(nv), nu);
      if (v128.any_true(f64x2.ne(across, zero))) addColumn(outer, map, across, nu, nv);
    }
    map += MAP_PAIR;
    radius += ONE_PAIR;
    argument += TWO_PAIR;
    nearest += TWO_PAIR;
    rim += ONE_PAIR;
    scales += ONE_PAIR;
  }
  storeOuter(outer);
}

/** Sum of the outer products of both columns of every contact, by its weight; all but the last are addresses. */
export function sumSquare(map: usize, weight: usize, outer: usize, pairs: i32): void {
  clearOuter(outer);
  for (let pair = 0; pair < pairs; pair += 1) {
    const w = v128.load(weight);
    addSide(outer, map, w);
    addSide(outer, map + 96, w);
    map += MAP_PAIR;
    weight += ONE_PAIR;
  }
  storeOuter(outer);
}

@inline
function dot(start: v128, map: usize, y0: v128, y1: v128, y2: v128, y3: v128, y4: v128, y5: v128): v128 {
  let sum = f64x2.add(start, f64x2.mul(v128.load(map), y0));
  sum = f64x2.add(sum, f64x2.mul(v128.load(map, 16), y1));
  sum = f64x2.add(sum, f64x2.mul(v128.load(map, 32), y2));
  sum = f64x2.add(sum, f64x2.mul(v128.load(map, 48), y3));
  sum = f64x2.add(sum, f64x2.mul(v128.load(map, 64), y4));
  return f64x2.add(sum, f64x2.mul(v128.load(map, 80), y5));
}

@inline
function addPull(sum: v128, ru: v128, rv: v128, map: usize, at: usize): v128 {
  return f64x2.add(sum, f64x2.add(f64x2.mul(ru, v128.load(map + at)), f64x2.mul(rv, v128.load(map + at, 96))));
}

@inline
function storeSum(at: usize, sum: v128): void {
  store<f64>(at, f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
}

@inline
function storePull(pull: usize, f0: v128, f1: v128, f2: v128, f3: v128, f4: v128, f5: v128): void {
  storeSum(pull, f0);
  storeSum(pull + 8, f1);
  storeSum(pull + 16, f2);
  storeSum(pull + 24, f3);
  storeSum(pull + 32, f4);
  storeSum(pull + 40, f5);
}

/** The 21 entries on and below the diagonal, row by row, with both lanes apart while they are summed. */
const ENTRIES: usize = 21;

@inline
function clearOuter(outer: usize): void {
  memory.fill(outer, 0, 16 * ENTRIES);
}

@inline
function storeOuter(outer: usize): void {
  for (let entry: usize = 0; entry < ENTRIES; entry += 1) storeSum(outer + 8 * entry, v128.load(outer + 16 * entry));
}

/** The column u · (first side) + v · (second side), with its weight. */
@inline
function addColumn(outer: usize, map: usize, weight: v128, u: v128, v: v128): void {
  addOuter(
    outer,
    weight,
    f64x2.add(f64x2.mul(u, v128.load(map)), f64x2.mul(v, v128.load(map, 96))),
    f64x2.add(f64x2.mul(u, v128.load(map, 16)), f64x2.mul(v, v128.load(map, 112))),
    f64x2.add(f64x2.mul(u, v128.load(map, 32)), f64x2.mul(v, v128.load(map, 128))),
    f64x2.add(f64x2.mul(u, v128.load(map, 48)), f64x2.mul(v, v128.load(map, 144))),
    f64x2.add(f64x2.mul(u, v128.load(map, 64)), f64x2.mul(v, v128.load(map, 160))),
    f64x2.add(f64x2.mul(u, v128.load(map, 80)), f64x2.mul(v, v128.load(map, 176))),
  );
}

@inline
function addSide(outer: usize, side: usize, weight: v128): void {
  addOuter(
    outer,
    weight,
    v128.load(side),
    v128.load(side, 16),
    v128.load(side, 32),
    v128.load(side, 48),
    v128.load(side, 64),
    v128.load(side, 80),
  );
}

@inline
function addOuter(outer: usize, weight: v128, g0: v128, g1: v128, g2: v128, g3: v128, g4: v128, g5: v128): void {
  const w0 = f64x2.mul(weight, g0);
  v128.store(outer, f64x2.add(v128.load(outer, 0), f64x2.mul(w0, g0)), 0);
  const w1 = f64x2.mul(weight, g1);
  v128.store(outer, f64x2.add(v128.load(outer, 16), f64x2.mul(w1, g0)), 16);
  v128.store(outer, f64x2.add(v128.load(outer, 32), f64x2.mul(w1, g1)), 32);
  const w2 = f64x2.mul(weight, g2);
  v128.store(outer, f64x2.add(v128.load(outer, 48), f64x2.mul(w2, g0)), 48);
  v128.store(outer, f64x2.add(v128.load(outer, 64), f64x2.mul(w2, g1)), 64);
  v128.store(outer, f64x2.add(v128.load(outer, 80), f64x2.mul(w2, g2)), 80);
  const w3 = f64x2.mul(weight, g3);
  v128.store(outer, f64x2.add(v128.load(outer, 96), f64x2.mul(w3, g0)), 96);
  v128.store(outer, f64x2.add(v128.load(outer, 112), f64x2.mul(w3, g1)), 112);
  v128.store(outer, f64x2.add(v128.load(outer, 128), f64x2.mul(w3, g2)), 128);
  v128.store(outer, f64x2.add(v128.load(outer, 144), f64x2.mul(w3, g3)), 144);
  const w4 = f64x2.mul(weight, g4);
  v128.store(outer, f64x2.add(v128.load(outer, 160), f64x2.mul(w4, g0)), 160);
  v128.store(outer, f64x2.add(v128.load(outer, 176), f64x2.mul(w4, g1)), 176);
  v128.store(outer, f64x2.add(v128.load(outer, 192), f64x2.mul(w4, g2)), 192);
  v128.store(outer, f64x2.add(v128.load(outer, 208), f64x2.mul(w4, g3)), 208);
  v128.store(outer, f64x2.add(v128.load(outer, 224), f64x2.mul(w4, g4)), 224);
  const w5 = f64x2.mul(weight, g5);
  v128.store(outer, f64x2.add(v128.load(outer, 240), f64x2.mul(w5, g0)), 240);
  v128.store(outer, f64x2.add(v128.load(outer, 256), f64x2.mul(w5, g1)), 256);
  v128.store(outer, f64x2.add(v128.load(outer, 272), f64x2.mul(w5, g2)), 272);
  v128.store(outer, f64x2.add(v128.load(outer, 288), f64x2.mul(w5, g3)), 288);
  v128.store(outer, f64x2.add(v128.load(outer, 304), f64x2.mul(w5, g4)), 304);
  v128.store(outer, f64x2.add(v128.load(outer, 320), f64x2.mul(w5, g5)), 320);
}
