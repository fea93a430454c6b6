/*
 * Arrays over contacts are summed two contacts at a time: the numbers of the two of a pair take turns. TypeScript sums
 * the even and the odd contacts apart as well, and adds the two sums last, so that every bit is the same.
 */

/** Contacts with the one of zeros that follows an odd last one. */
export function evenCount(count: number): number {
  return count + (count & 1);
}

/** Where the twelve numbers of contact n begin in a map; they are two apart. */
export function mapAt(n: number): number {
  return 24 * (n >> 1) + (n & 1);
}

/** The same for arrays of two numbers per contact. */
export function twoAt(n: number): number {
  return 4 * (n >> 1) + (n & 1);
}
