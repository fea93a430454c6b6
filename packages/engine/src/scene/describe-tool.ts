import type { PreparedBody } from '../asset/prepared-body.js';
import { PalpableError } from '../base/errors.js';
import { withMass } from '../method/modular/modular-options.js';
import { createToolBody, type ToolBody } from '../method/tool-contacts.js';
import type { Scene } from './scene-description.js';
import { preparedBody } from './scene-pairs.js';

/** The tool with the mass that the scene gives it. Throws `option-invalid` for one without volume. */
export function describeTool(scene: Scene, bodies: ReadonlyMap<string, PreparedBody>, name: string): ToolBody {
  const body = preparedBody(bodies, name);
  if (!body.unitMass) {
    throw new PalpableError(
      'option-invalid',
      `bodies.${name}: The tool encloses no volume, so it has no mass; close its mesh, or give it a field ` +
        '("field": {}, with an "offset" for a thin sheet), from which its mass is then taken.',
      `bodies.${name}`,
    );
  }
  const tool = createToolBody(body, scene.bodies[name].density);
  const { kind, mass } = scene.method;
  return (kind === 'modular' || kind === 'deformable') && mass !== null ? withMass(tool, mass) : tool;
}
