import { DEFAULT_RESOLUTION } from '../field/build-field.js';
import { DEFAULT_COUNT, DEFAULT_CREASE_ANGLE, DEFAULT_SEED } from '../shell/build-shell.js';
import type { PreparedBody, PrepareOptions } from './prepared-body.js';

/** What is worked out of a mesh, each part without the others. */
export type BodyPart = 'field' | 'shell' | 'hierarchy' | 'elastic';

/**
 * The parts that a preparation asks for, each with its settings in full and in one order: equal work has equal settings,
 * whoever asks for it.
 */
export function wantedParts({ field, shell, hierarchy, elastic }: PrepareOptions): Map<BodyPart, object> {
  const parts = new Map<BodyPart, object>();
  if (field !== null) {
    const { resolution = DEFAULT_RESOLUTION, voxelSize, offset = 0 } = field ?? {};
    parts.set('field', voxelSize === undefined ? { resolution, offset } : { voxelSize, offset });
  }
  if (shell !== null) {
    const { spacing, count = DEFAULT_COUNT, seed = DEFAULT_SEED, creaseAngle = DEFAULT_CREASE_ANGLE } = shell ?? {};
    parts.set('shell', { ...(spacing === undefined ? { count } : { spacing }), seed, creaseAngle });
  }
  if (hierarchy) parts.set('hierarchy', hierarchy);
  if (elastic) {
    const { poisson, modes, elementSize, fixed, grip, touchable } = elastic;
    parts.set('elastic', { poisson, modes, elementSize, fixed, grip, touchable });
  }
  return parts;
}

/** A body with one of its parts alone, as if nothing else had been prepared. */
export function bodyWithPart(body: PreparedBody, part: BodyPart): PreparedBody {
  const bare = { ...body, field: null, shell: null, hierarchy: null, elastic: null, [part]: body[part] };
  return part !== 'field' && body.massFrom === 'field' ? { ...bare, massFrom: 'nothing', unitMass: null } : bare;
}

/** One body of the parts of several of the same mesh. */
export function joinParts(parts: ReadonlyMap<string, PreparedBody>): PreparedBody {
  const [first] = parts.values();
  return {
    // The mass of an open mesh is known to the one with the field.
    ...(parts.get('field') ?? first),
    shell: parts.get('shell')?.shell ?? null,
    hierarchy: parts.get('hierarchy')?.hierarchy ?? null,
    elastic: parts.get('elastic')?.elastic ?? null,
  };
}
