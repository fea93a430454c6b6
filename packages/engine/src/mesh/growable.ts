/**
 * Typed arrays that grow by doubling, for readers that learn the number of elements only while they read.
 * `take` hands out a copy of exactly the used part.
 */
export class GrowableFloat64 {
  data = new Float64Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.data.length) this.data = grown(this.data, new Float64Array(this.data.length * 2));
    this.data[this.length++] = value;
  }

  push3(x: number, y: number, z: number): void {
    if (this.length + 3 > this.data.length) this.data = grown(this.data, new Float64Array(this.data.length * 2));
    this.data[this.length] = x;
    this.data[this.length + 1] = y;
    this.data[this.length + 2] = z;
    this.length += 3;
  }

  take(): Float64Array {
    return this.data.slice(0, this.length);
  }
}

export class GrowableUint32 {
  data = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.data.length) this.data = grown(this.data, new Uint32Array(this.data.length * 2));
    this.data[this.length++] = value;
  }

  push3(a: number, b: number, c: number): void {
    this.push(a);
    this.push(b);
    this.push(c);
  }

  /** A quad as two triangles, cut from its first corner to its third. */
  pushQuad(a: number, b: number, c: number, d: number): void {
    this.push3(a, b, c);
    this.push3(a, c, d);
  }

  take(): Uint32Array {
    return this.data.slice(0, this.length);
  }
}

function grown<T extends Float64Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
