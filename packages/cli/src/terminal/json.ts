/** Writes a value as indented JSON. Typed arrays become plain lists. */
export function printJson(value: unknown, stream: NodeJS.WritableStream = process.stdout): void {
  stream.write(`${JSON.stringify(value, listTypedArrays, 2)}\n`);
}

function listTypedArrays(_key: string, value: unknown): unknown {
  return ArrayBuffer.isView(value) && !(value instanceof DataView) ? Array.from(value as Float64Array) : value;
}
