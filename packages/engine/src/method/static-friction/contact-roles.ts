import {
  CONTACT_DYNAMIC,
  CONTACT_SEPARATING,
  CONTACT_STATIC,
  type FrictionProblem,
} from '../../friction/friction-problem.js';
import type { ToolContacts } from '../tool-contacts.js';

/**
 * Which contacts may hold the tool by static friction: all but those that separate (Zhao, Li, Barbič, section 4.1) and
 * those declared dynamic (section 7).
 *
 * With u = Δx + Δω × r the displacement of a contact that there would be without friction, it separates
 * - `pull`: when it would come off, u·N above its depth, and the coupling itself pulls away from it, F_vc·N > 0. That is
 *   the condition that section 5.6 names, but for the depth: with u·N > 0 a peg that is driven down a wall, tilted by a
 *   thousandth, would lose the friction of every contact that the tilt relieves a little;
 * - `printed`: when u·N > 0 and u·F_vc > 0, as section 4.1 has it. That strips the loaded edge of a cube which is pressed and pulled of its
 *   friction, so that the cube slips too early; kept for comparison;
 * - `off`: never. Parts then stick to each other when pulled apart.
 */
export type Separation = 'pull' | 'printed' | 'off';

/** `frictionless` is the displacement that there would be without friction, `couplingForce` F_vc. */
export function setContactRoles(
  problem: FrictionProblem,
  contacts: ToolContacts,
  separation: Separation,
  frictionless: Float64Array,
  couplingForce: Float64Array,
): void {
  const { role, arm, normal } = problem;
  const { pairs, ends, set } = contacts;
  const { depth, point } = set;
  const isPull = separation === 'pull';
  let c = 0;
  for (let p = 0; p < pairs.length; p += 1) {
    const { dynamicPoints } = pairs[p];
    for (; c < ends[p]; c += 1) {
      role[c] = CONTACT_STATIC;
      if (dynamicPoints !== null && dynamicPoints[point[c]] === 1) role[c] = CONTACT_DYNAMIC;
      else if (separation !== 'off') {
        const o = 3 * c;
        const ux = frictionless[0] + frictionless[4] * arm[o + 2] - frictionless[5] * arm[o + 1];
        const uy = frictionless[1] + frictionless[5] * arm[o] - frictionless[3] * arm[o + 2];
        const uz = frictionless[2] + frictionless[3] * arm[o + 1] - frictionless[4] * arm[o];
        const out = ux * normal[o] + uy * normal[o + 1] + uz * normal[o + 2];
        if (!(out > (isPull ? depth[c] : 0))) continue;
        const along = isPull
          ? couplingForce[0] * normal[o] + couplingForce[1] * normal[o + 1] + couplingForce[2] * normal[o + 2]
          : couplingForce[0] * ux + couplingForce[1] * uy + couplingForce[2] * uz;
        if (along > 0) role[c] = CONTACT_SEPARATING;
      }
    }
  }
}
