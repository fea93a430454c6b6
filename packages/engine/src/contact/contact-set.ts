/**
 * The contacts of one cycle as a struct of arrays: a pool with a `count`, filled by a query, read by every method.
 * All vectors are in the world frame.
 */
export interface ContactSet {
  /** Contacts in use, at most `capacity`. */
  count: number;
  /** Most contacts that fit. */
  readonly capacity: number;
  /** Shell point of each contact. */
  readonly point: Int32Array;
  /** Where the shell point is, metres, three numbers per contact. */
  readonly position: Float64Array;
  /**
   * Direction that pushes the tool out, from the shell's normal: inward for a shell on the tool, outward for a shell on
   * the environment. Unit length.
   */
  readonly normal: Float64Array;
  /** Gradient of the distance at the point, with its sign chosen so that it, too, points in the direction in which the tool is pushed. */
  readonly gradient: Float64Array;
  /** How deep the point lies below the zero surface, metres; negative within the margin. */
  readonly depth: Float64Array;
  /** From the tool's centre of mass to the point, metres. */
  readonly arm: Float64Array;
  /** How much of the surface the contact stands for: 1 for a point on a face, less on edges, more where it stands for others. */
  readonly share: Float64Array;
  /** Stiffness of each contact, N/m; written by the method that uses it. */
  readonly stiffness: Float64Array;
}

/** Puts the contact of one place of the set into another. */
export function moveContact(set: ContactSet, from: number, to: number): void {
  const { point, position, normal, gradient, depth, arm, share, stiffness } = set;
  point[to] = point[from];
  depth[to] = depth[from];
  share[to] = share[from];
  stiffness[to] = stiffness[from];
  for (let i = 0; i < 3; i += 1) {
    position[3 * to + i] = position[3 * from + i];
    normal[3 * to + i] = normal[3 * from + i];
    gradient[3 * to + i] = gradient[3 * from + i];
    arm[3 * to + i] = arm[3 * from + i];
  }
}

/** Allocates an empty set for at most `capacity` contacts. */
export function createContactSet(capacity: number): ContactSet {
  return {
    count: 0,
    capacity,
    point: new Int32Array(capacity),
    position: new Float64Array(3 * capacity),
    normal: new Float64Array(3 * capacity),
    gradient: new Float64Array(3 * capacity),
    depth: new Float64Array(capacity),
    arm: new Float64Array(3 * capacity),
    share: new Float64Array(capacity).fill(1),
    stiffness: new Float64Array(capacity),
  };
}
