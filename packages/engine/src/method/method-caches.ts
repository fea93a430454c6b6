/**
 * What methods made before for the same bodies, to be used again and added to: a loop that changes its method while it
 * runs has no time to make it. The keys say what it was made for.
 */
export interface MethodCaches {
  /** Made in milliseconds: whoever runs out of room may clear it. */
  readonly queries: Map<string, object>;
  /** Made in seconds. */
  readonly kept: Map<string, object>;
  /** What the hands of a scene share, by the scene. */
  readonly shared: WeakMap<object, object>;
}

export function createMethodCaches(): MethodCaches {
  return { queries: new Map(), kept: new Map(), shared: new WeakMap() };
}
