import type { PreparedBody } from '../asset/prepared-body.js';
import { PalpableError } from '../base/errors.js';
import type { ContactQuery } from '../contact/contact-query.js';
import { type ContactSet, createContactSet } from '../contact/contact-set.js';
import { appendContacts } from '../contact/query-contacts.js';
import { length3 } from '../math/portable.js';
import { createPose, type Pose, placePoint, rotationMatrix } from '../math/pose.js';
import type { MassProperties } from '../mesh/mass-properties.js';
import { meshBounds } from '../mesh/triangle-mesh.js';

/** The tool as a method needs it, in its own frame: centre of mass (m), mass (kg), inertia about the centre (kg m²). */
export interface ToolBody extends Pick<MassProperties, 'centre' | 'mass' | 'inertia'> {
  /** Its size: half the diagonal of its bounds, m. */
  readonly length: number;
}

/** What the tool can touch: one body of the environment, and how rough the two are to each other. */
export interface ContactPair {
  /** Of the tool and that body. */
  readonly query: ContactQuery;
  /** Where that body is in the world. */
  readonly environmentPose: Pose;
  /** Coefficient of friction while a contact holds. */
  readonly staticCoefficient: number;
  /** Coefficient of friction while it slides. */
  readonly kineticCoefficient: number;
  /** By point of the shell: 1 where contacts are declared dynamic (Zhao, section 7). Null for nowhere. */
  readonly dynamicPoints: Uint8Array | null;
}

/**
 * The tool that a prepared body makes, of a material of `density` kg/m³. Throws `mesh-invalid` for a body without
 * volume.
 */
export function createToolBody({ mesh, unitMass }: Pick<PreparedBody, 'mesh' | 'unitMass'>, density = 1000): ToolBody {
  if (!unitMass) {
    throw new PalpableError(
      'mesh-invalid',
      'The tool encloses no volume, so it has no mass. Give a closed mesh, or one whose openings can be closed.',
    );
  }
  if (!(density > 0 && Number.isFinite(density))) {
    throw new PalpableError('option-invalid', `The density is ${density}, but must be above 0 (kg/m³).`, 'density');
  }
  const { min, max } = meshBounds(mesh);
  return {
    centre: unitMass.centre,
    mass: density * unitMass.mass,
    inertia: unitMass.inertia.map((entry) => density * entry),
    length: 0.5 * length3(max[0] - min[0], max[1] - min[1], max[2] - min[2]),
  };
}

/** The same tool as light or heavy as wanted (kg), its mass spread as before. */
export function withMass(tool: ToolBody, mass: number): ToolBody {
  if (!(mass > 0 && Number.isFinite(mass))) {
    throw new PalpableError('option-invalid', `mass is ${mass}, but must be above 0 (kg).`, 'mass');
  }
  return { ...tool, mass, inertia: tool.inertia.map((entry) => (entry * mass) / tool.mass) };
}

/** A pair with all that is not given at its default: in the world's frame, friction 0.5, nothing declared dynamic. */
export function createContactPair(
  query: ContactQuery,
  { environmentPose = createPose(), staticCoefficient = 0.5, ...more }: Partial<Omit<ContactPair, 'query'>> = {},
): ContactPair {
  const { kineticCoefficient = staticCoefficient, dynamicPoints = null } = more;
  return { query, environmentPose, staticCoefficient, kineticCoefficient, dynamicPoints };
}

/** The contacts of a tool with all it can touch, in one set. */
export interface ToolContacts {
  readonly tool: ToolBody;
  readonly pairs: readonly ContactPair[];
  set: ContactSet;
  /** Contacts of pair p end before `ends[p]`. */
  ends: Int32Array;
  /** Centre of mass in the world. */
  readonly centre: Float64Array;
  /** Rotation of the tool, 3×3. */
  readonly rotation: Float64Array;
  /** Bits of the queries' caps in the last cycle. */
  capped: number;
}

export function createToolContacts(
  tool: ToolBody,
  pairs: readonly ContactPair[],
  maxContacts = Number.POSITIVE_INFINITY,
): ToolContacts {
  let capacity = 0;
  for (const { query } of pairs) capacity += query.maxContacts;
  return {
    tool,
    pairs,
    set: createContactSet(Math.min(capacity, maxContacts)),
    ends: new Int32Array(pairs.length),
    centre: new Float64Array(3),
    rotation: new Float64Array(9),
    capped: 0,
  };
}

/** Fills `centre`, `rotation` and `set` for the tool at `pose`. */
export function findToolContacts(contacts: ToolContacts, pose: Pose): void {
  const { tool, pairs, set, ends, centre } = contacts;
  placePoint(centre, pose, tool.centre);
  rotationMatrix(contacts.rotation, pose);
  set.count = 0;
  contacts.capped = 0;
  for (let p = 0; p < pairs.length; p += 1) {
    const { query, environmentPose } = pairs[p];
    if (query.shellOn === 'tool') appendContacts(query, set, pose, environmentPose, centre);
    else appendContacts(query, set, environmentPose, pose, centre);
    contacts.capped |= query.counters.capped;
    ends[p] = set.count;
  }
}

/** Depth of the deepest contact, 0 without any. */
export function deepestContact(set: ContactSet): number {
  let deepest = 0;
  for (let c = 0; c < set.count; c += 1) if (set.depth[c] > deepest) deepest = set.depth[c];
  return deepest;
}
