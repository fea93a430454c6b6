import { decodeBase64 } from '../mesh/text-coding.js';
import { KERNEL_MODULE } from './kernel-module.js';

/*
 * Sums over many contacts run in WebAssembly, two numbers at a time. The arrays that they read and write lie in the
 * memory of the module, so that nothing is copied. Every kernel has a reference in TypeScript beside its caller, which
 * runs where there is no WebAssembly or no SIMD, and gives the same bits.
 */

/** What the module exports. A table holds the addresses of the arrays; two contacts are a pair. */
export interface Kernels {
  evaluateDiscs(table: number, pairs: number): void;
  evaluateHeldDiscs(table: number, pairs: number): void;
  takeArguments(table: number, pairs: number): void;
  sumPull(table: number, pairs: number): void;
  countRims(table: number, pairs: number): number;
  sumRims(table: number, pairs: number, isPolygon: number, isLacking: number): void;
  sumSquare(map: number, weight: number, lower: number, pairs: number): void;
}

/** Arrays that kernels can work on, allocated once. */
export interface Arena {
  /** Null where sums run in TypeScript. */
  readonly kernels: Kernels | null;
  /** A new array of zeros. */
  floats(count: number): Float64Array;
  /** A table of the addresses of such arrays: its own address, 0 without kernels. */
  table(arrays: readonly Float64Array[]): number;
}

/** The part of WebAssembly that is needed here; the engine knows no host that would declare it. */
interface Memory {
  readonly buffer: ArrayBuffer;
}
declare const WebAssembly:
  | {
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Memory: new (limits: { initial: number; maximum: number }) => Memory;
      readonly Instance: new (module: object, imports: { env: { memory: Memory } }) => { readonly exports: object };
    }
  | undefined;

const PAGE = 65_536;
const VECTOR = 16;

let wanted = true;
/** Null where it cannot be had. */
let compiled: object | null | undefined;

/**
 * Whether what is created from now on may sum in WebAssembly, in this thread. For tests: the answers have the same bits
 * either way. They may unless this is called.
 */
export function useKernels(on: boolean): void {
  wanted = on;
}

/** Memory for `count` numbers in `arrays` arrays and tables. */
export function createArena(count: number, arrays: number): Arena {
  // Each array and table begins at a whole vector; nothing lies at 0.
  const size = 8 * count + (VECTOR + 8) * arrays + VECTOR;
  const module = wanted ? compile() : null;
  const memory = module && reserve(Math.ceil(size / PAGE));
  if (!(module && memory)) {
    return { kernels: null, floats: (length) => new Float64Array(length), table: () => 0 };
  }
  const { exports } = new WebAssembly!.Instance(module, { env: { memory } });
  const { buffer } = memory;
  // Touched now, so that no cycle has to wait for pages.
  new Uint8Array(buffer).fill(0);
  let end = VECTOR;
  const take = (bytes: number): number => {
    const at = end;
    end += VECTOR * Math.ceil(bytes / VECTOR);
    return at;
  };
  return {
    kernels: exports as Kernels,
    floats: (length) => new Float64Array(buffer, take(8 * length), length),
    table(arrays) {
      const addresses = new Uint32Array(buffer, take(4 * arrays.length), arrays.length);
      addresses.set(arrays.map(({ byteOffset }) => byteOffset));
      return addresses.byteOffset;
    },
  };
}

function compile(): object | null {
  if (compiled === undefined) {
    compiled = null;
    try {
      if (typeof WebAssembly !== 'undefined') compiled = new WebAssembly.Module(decodeBase64(KERNEL_MODULE));
    } catch {
      // No SIMD, or a page that may not compile: TypeScript gives the same answers.
    }
  }
  return compiled;
}

/** Memory that never grows, so that arrays in it stay; null if none is left. */
function reserve(pages: number): Memory | null {
  try {
    return new WebAssembly!.Memory({ initial: pages, maximum: pages });
  } catch {
    return null;
  }
}
