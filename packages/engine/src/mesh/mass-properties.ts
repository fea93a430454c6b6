import { PalpableError } from '../base/errors.js';
import { meshBounds, type TriangleMesh } from './triangle-mesh.js';

/** Volume (m³), mass (kg), centre (m) and inertia (kg m²) of a solid of uniform density. */
export interface MassProperties {
  /** m³ */
  readonly volume: number;
  /** kg */
  readonly mass: number;
  /** Centre of mass, metres, body frame. */
  readonly centre: readonly [number, number, number];
  /** About the centre of mass along the body's axes, kg m², 3 × 3 row by row. */
  readonly inertia: Float64Array;
}

/** Integrals over a solid, relative to `origin`: of 1, of x, y, z, and of xx, yy, zz, xy, yz, zx. */
export interface SolidMoments {
  readonly origin: readonly [number, number, number];
  readonly volume: number;
  readonly first: readonly [number, number, number];
  readonly second: readonly [number, number, number, number, number, number];
}

/**
 * Mass properties of the solid that a closed mesh bounds, exact to rounding. For an open mesh the numbers mean nothing:
 * ask the audit first.
 */
export function massProperties(mesh: TriangleMesh, density: number): MassProperties {
  return massPropertiesFromMoments(meshMoments(mesh), density);
}

/**
 * The integrals of the solid that a closed mesh bounds, as a sum over tetrahedra from the middle of the mesh to its
 * triangles, signed, so that whatever lies outside cancels (divergence theorem). With a, b, c from that middle and
 * v = a · (b × c) / 6: ∫1 = v, ∫x = v (a + b + c) / 4, ∫xy = v (s_x s_y + a_x a_y + b_x b_y + c_x c_y) / 20, s = a + b + c.
 */
export function meshMoments(mesh: TriangleMesh): SolidMoments {
  const { positions, triangles } = mesh;
  const { min, max } = meshBounds(mesh);
  const origin: [number, number, number] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  const [ox, oy, oz] = origin;
  const first: [number, number, number] = [0, 0, 0];
  const second: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];
  let volume = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const a = triangles[i] * 3;
    const b = triangles[i + 1] * 3;
    const c = triangles[i + 2] * 3;
    const [ax, ay, az] = [positions[a] - ox, positions[a + 1] - oy, positions[a + 2] - oz];
    const [bx, by, bz] = [positions[b] - ox, positions[b + 1] - oy, positions[b + 2] - oz];
    const [cx, cy, cz] = [positions[c] - ox, positions[c + 1] - oy, positions[c + 2] - oz];
    const v = (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
    const [sx, sy, sz] = [ax + bx + cx, ay + by + cy, az + bz + cz];
    volume += v;
    first[0] += (v * sx) / 4;
    first[1] += (v * sy) / 4;
    first[2] += (v * sz) / 4;
    second[0] += (v * (sx * sx + ax * ax + bx * bx + cx * cx)) / 20;
    second[1] += (v * (sy * sy + ay * ay + by * by + cy * cy)) / 20;
    second[2] += (v * (sz * sz + az * az + bz * bz + cz * cz)) / 20;
    second[3] += (v * (sx * sy + ax * ay + bx * by + cx * cy)) / 20;
    second[4] += (v * (sy * sz + ay * az + by * bz + cy * cz)) / 20;
    second[5] += (v * (sz * sx + az * ax + bz * bx + cz * cx)) / 20;
  }
  return { origin, volume, first, second };
}

/** The last step, also for integrals that come from elsewhere, such as a distance field. */
export function massPropertiesFromMoments(moments: SolidMoments, density: number): MassProperties {
  const { origin, volume, first, second } = moments;
  if (!(density > 0) || !Number.isFinite(density)) {
    throw new PalpableError('option-invalid', `The density is ${density} kg/m³; give a number above 0.`);
  }
  if (!(volume > 0)) {
    throw new PalpableError(
      'mesh-invalid',
      `The mesh bounds no volume (${volume} m³), so it has no mass; clean it, or give a closed mesh that faces outward.`,
    );
  }
  const [x, y, z] = [first[0] / volume, first[1] / volume, first[2] / volume];
  // Second moments about the centre (Steiner), then the tensor: diagonal ∫(yy + zz), off-diagonal −∫xy.
  const xx = second[0] - volume * x * x;
  const yy = second[1] - volume * y * y;
  const zz = second[2] - volume * z * z;
  const xy = second[3] - volume * x * y;
  const yz = second[4] - volume * y * z;
  const zx = second[5] - volume * z * x;
  return {
    volume,
    mass: density * volume,
    centre: [origin[0] + x, origin[1] + y, origin[2] + z],
    // Adding 0 turns −0 into 0, which JSON does as well: a body from the cache is the same to the bit.
    inertia: Float64Array.of(yy + zz, -xy, -zx, -xy, zz + xx, -yz, -zx, -yz, xx + yy).map((v) => density * v + 0),
  };
}
