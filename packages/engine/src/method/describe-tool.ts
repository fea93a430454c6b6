import { PalpableError } from '../base/errors.js';
import type { MethodScene, PreparedBodies } from './method-definition.js';
import { preparedBody } from './scene-pairs.js';
import { createToolBody, type ToolBody, withMass } from './tool-contacts.js';

/** The tool with the mass that the scene gives it. Throws `option-invalid` for one without volume. */
export function describeTool(
  { bodies: described, method }: MethodScene,
  bodies: PreparedBodies,
  name: string,
): ToolBody {
  const body = preparedBody(bodies, name);
  if (!body.unitMass) {
    throw new PalpableError(
      'option-invalid',
      `bodies.${name}: The tool encloses no volume, so it has no mass; close its mesh, or give it a field ` +
        '("field": {}, with an "offset" for a thin sheet), from which its mass is then taken.',
      `bodies.${name}`,
    );
  }
  const tool = createToolBody(body, described[name].density);
  const { mass = null } = method as { readonly mass?: number | null };
  return mass === null ? tool : withMass(tool, mass);
}
