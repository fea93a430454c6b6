/** Numbers per contact in the array of blocks: W, 3×3, normal first. */
export const BLOCK_STRIDE = 9;

const MAX_ITERATIONS = 60;
const ACCURACY = 1e-14;
const SINGULAR = 1e-14;

/**
 * Signorini and Coulomb at one contact, exactly: f with δ = W f + g, f_n ≥ 0, δ_n ≥ 0, f_n δ_n = 0, |f_t| ≤ μ f_n,
 * f_t opposite to δ_t where it is at its bound (Duriez, section 4, on the circular cone).
 *
 * - g_n ≥ 0: open, f = 0.
 * - stick: f = −W⁻¹g, if that is inside the cone.
 * - slip: δ_t = −s f_t with s > 0. The normal row gives f_n = −(g_n + W_nt f_t) / W_nn; what is left is
 *   (S + s I) f_t = −h with S = W_tt − W_tn W_nt / W_nn, h = g_t − W_tn g_n / W_nn, and |f_t| = μ f_n fixes s. At s = 0
 *   the force is beyond the cone; for s → ∞ it goes to f_t = 0, f_n = −g_n / W_nn > 0. Between lies a root whatever μ
 *   and W are, found by Newton's method on μ f_n / |f_t| kept within a bracket. In terms of the angle of slip, the usual form, f_n has a
 *   pole when μ|W_nt| ≥ W_nn, and the angle needs trigonometry.
 *
 * Limits: μ = 0 gives f_n = −g_n / W_nn alone; μ → ∞ sticks wherever the stuck force pushes; W_nn ≤ 0 gives f = 0, since
 * no force would open the contact; S = 0 gives a force at its bound against h.
 *
 * `blocks` holds W at `block`, `coefficient` μ at `contact`.
 */
export function solveOneContact(
  force: Float64Array,
  gap: Float64Array,
  blocks: Float64Array,
  block: number,
  coefficient: Float64Array,
  contact: number,
): void {
  const w = BLOCK_STRIDE * block;
  const friction = coefficient[contact];
  const nn = blocks[w];
  const nu = blocks[w + 1];
  const nv = blocks[w + 2];
  force[0] = 0;
  force[1] = 0;
  force[2] = 0;
  if (!(gap[0] < 0 && nn > 0)) return;
  const frictionless = -gap[0] / nn;
  force[0] = frictionless;
  if (!(friction > 0)) return;

  const suu = blocks[w + 4] - (blocks[w + 3] * nu) / nn;
  const suv = blocks[w + 5] - (blocks[w + 3] * nv) / nn;
  const svu = blocks[w + 7] - (blocks[w + 6] * nu) / nn;
  const svv = blocks[w + 8] - (blocks[w + 6] * nv) / nn;
  const hu = gap[1] + blocks[w + 3] * frictionless;
  const hv = gap[2] + blocks[w + 6] * frictionless;

  const trace = suu + svv;
  // Where W is singular no stuck force can be had from it: the search then comes down to stick from slip.
  const singular = !(suu * svv - suv * svu > SINGULAR * trace * trace);
  const push = Math.sqrt(hu * hu + hv * hv);
  if (singular && !(push > 0)) return;

  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let slip = singular ? push / (friction * frictionless) : 0;
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration += 1) {
    const determinant = (suu + slip) * (svv + slip) - suv * svu;
    const fu = (suv * hv - (svv + slip) * hu) / determinant;
    const fv = (svu * hu - (suu + slip) * hv) / determinant;
    const size = Math.sqrt(fu * fu + fv * fv);
    const normal = frictionless - (nu * fu + nv * fv) / nn;
    force[0] = normal;
    force[1] = fu;
    force[2] = fv;
    const bound = friction * normal;
    if (slip === 0 && size <= bound) return;
    if (Math.abs(size - bound) <= ACCURACY * size) break;
    if (size > bound) low = slip;
    else high = slip;
    // ∂f_t/∂s = −(S + s I)⁻¹ f_t. The ratio of bound to size, unlike their difference, is nearly linear in s.
    const du = (suv * fv - (svv + slip) * fu) / determinant;
    const dv = (svu * fu - (suu + slip) * fv) / determinant;
    const boundSlope = (-friction * (nu * du + nv * dv)) / nn;
    const sizeSlope = (fu * du + fv * dv) / size;
    slip += (size * (size - bound)) / (boundSlope * size - bound * sizeSlope);
    if (slip > low && slip < high) continue;
    if (high === Number.POSITIVE_INFINITY) slip = 2 * low + trace;
    else if (high - low > ACCURACY * high) slip = 0.5 * (low + high);
    else break;
  }
  // On the cone to the last digit, also where the root is not.
  force[0] = Math.max(0, force[0]);
  const size = Math.sqrt(force[1] * force[1] + force[2] * force[2]);
  const bound = friction * force[0];
  if (singular && size <= bound) return;
  const scale = size > 0 ? bound / size : 0;
  force[1] *= scale;
  force[2] *= scale;
}
