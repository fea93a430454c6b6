import { expect, it } from 'vitest';
import type { ShellOwner } from '../../contact/contact-query.js';
import { createContactSet } from '../../contact/contact-set.js';
import { createPose } from '../../math/pose.js';
import { createBox } from '../../mesh/shapes.js';
import { MODEL_COUNT } from '../contact-model-header.js';
import { createMethodOutput } from '../method.js';
import { prepareRigBodies } from '../rig.fixture.js';
import { createContactPair, withMass } from '../tool-contacts.js';
import { clusterAt, createContactModel } from './contact-model.js';
import { createModularContactSide } from './contact-side.js';
import { createModularDynamics } from './modular-dynamics.js';
import { modularOptions } from './modular-rig.fixture.js';
import { createShellContacts } from './shell-contacts.js';

it.each(['tool', 'environment'] as ShellOwner[])(
  'a box rests on another by shell and field, shell on the %s, the two sides apart',
  async (shellOn) => {
    const bodies = await prepareRigBodies(createBox(0.04, 0.04, 0.04), createBox(0.12, 0.12, 0.04), {
      shellOn,
      spacing: 0.008,
    });
    const tool = withMass(bodies.tool, 0.01);
    const contacts = createShellContacts([createContactPair(bodies.query, { staticCoefficient: 0.5 })]);
    const options = modularOptions({ contact: { tolerance: 1e-9, clusters: 5 } });
    const side = createModularContactSide(tool, contacts, options);
    const dynamics = createModularDynamics(tool, options);
    const model = createContactModel(5);
    const output = createMethodOutput();
    dynamics.reset(createPose(0, 0, 0.0405));
    const device = createPose(0, 0, 0.03);
    for (let n = 0; n < 600; n += 1) {
      if (n % 4 === 0) side.update(model, dynamics.toolState);
      dynamics.step(output, device, model);
    }
    const height = output.toolPose[2] - 0.04;
    const { toolState } = dynamics;
    expect(Math.abs(toolState[9]) / 0.01).toBeLessThan(0.002);
    expect(height).toBeLessThan(0);
    expect(height).toBeGreaterThan(-0.0006);
    expect(output.wrench[2]).toBeCloseTo(500 * (0.01 + height), 2);
    expect(output.wrench[0]).toBeCloseTo(0, 1);
    for (let k = 0; k < model[MODEL_COUNT]; k += 1) {
      // The plane lies on the environment, the push goes up.
      expect(model[clusterAt(k) + 5]).toBeLessThan(-0.9);
      expect(model[clusterAt(k) + 2]).toBeCloseTo(0.02, 3);
    }
  },
);

it('takes no contact from points round the corner of the face that touches', async () => {
  const bodies = await prepareRigBodies(createBox(0.04, 0.04, 0.04), createBox(0.12, 0.12, 0.04), {
    shellOn: 'tool',
    spacing: 0.002,
  });
  const contacts = createShellContacts([createContactPair(bodies.query)]);
  const set = createContactSet(contacts.capacity);
  contacts.find(set, createPose(0, 0, 0.04 - 0.004), new Float64Array(3));
  // Points of the side faces lie as deep as 4 mm, and would push the box sideways.
  expect(set.count).toBeGreaterThan(50);
  for (let c = 0; c < set.count; c += 1) expect(set.normal[3 * c + 2]).toBeGreaterThan(0.5);
});
