/** Places inside a file as users read them: `bodies.cube.field.resolution`, `friction.pairs[0].bodies`. */

const PLAIN_NAME = /^[\p{L}\p{N}_$-]+$/u;

export function keyPath(parent: string, key: string): string {
  if (!PLAIN_NAME.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
}

export function indexPath(parent: string, index: number): string {
  return `${parent}[${index}]`;
}
