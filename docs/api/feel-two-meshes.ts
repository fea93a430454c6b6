// Feel two meshes: a ball above a plate, lowered until they touch.
import {
  buildField,
  buildShell,
  createBox,
  createContactQuery,
  createContactSet,
  createPose,
  createSphere,
  queryContacts,
} from '@palpable/engine';

// Prepared once: the plate gets a distance field, the ball a shell of points. Meshes from files come from `readMesh`.
const plate = await buildField(createBox(0.2, 0.2, 0.02), { resolution: 128 });
const ball = buildShell(createSphere(0.03), { spacing: 0.002 });
const query = createContactQuery(ball, plate, { shellOn: 'tool' });
const contacts = createContactSet(1000);

// Every cycle, without allocation: where do they touch, how deep, which way out?
const platePose = createPose();
for (const height of [0.05, 0.0395, 0.038]) {
  const ballPose = createPose(0, 0, height);
  queryContacts(query, contacts, ballPose, platePose, ballPose.subarray(0, 3));
  const deepest = Math.max(0, ...contacts.depth.subarray(0, contacts.count));
  console.log(`ball at ${height} m: ${contacts.count} contacts, deepest ${(1000 * deepest).toFixed(2)} mm`);
}
