/**
 * Writes the two tangents of a contact, u then v, six numbers from `6 * contact` on: unit vectors at right angles to the
 * normal and to each other, u × v = n. They depend on the normal alone, so that a contact keeps its frame from cycle to
 * cycle: u lies in the plane of the normal and the world's x axis, or its y axis where the normal is close to x. On
 * level ground u is x and v is y. The contact before has been written.
 */
export function writeTangents(tangent: Float64Array, normal: Float64Array, contact: number): void {
  const nx = normal[3 * contact];
  const ny = normal[3 * contact + 1];
  const nz = normal[3 * contact + 2];
  const o = 6 * contact;
  // Contacts in a row most often lie on one face.
  const before = 3 * contact - 3;
  if (contact > 0 && normal[before] === nx && normal[before + 1] === ny && normal[before + 2] === nz) {
    for (let i = o; i < o + 6; i += 1) tangent[i] = tangent[i - 6];
    return;
  }
  let ux: number;
  let uy: number;
  let uz: number;
  if (nx * nx < 0.8) {
    const scale = 1 / Math.sqrt(1 - nx * nx);
    ux = (1 - nx * nx) * scale;
    uy = -nx * ny * scale;
    uz = -nx * nz * scale;
  } else {
    const scale = 1 / Math.sqrt(1 - ny * ny);
    ux = -ny * nx * scale;
    uy = (1 - ny * ny) * scale;
    uz = -ny * nz * scale;
  }
  tangent[o] = ux;
  tangent[o + 1] = uy;
  tangent[o + 2] = uz;
  tangent[o + 3] = ny * uz - nz * uy;
  tangent[o + 4] = nz * ux - nx * uz;
  tangent[o + 5] = nx * uy - ny * ux;
}
