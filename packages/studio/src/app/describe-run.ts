/** Lines about how the scene runs, for the foot of the panel and for scripts. */
import { brickCount, type ElasticBody } from '@palpable/engine/advanced';
import type { StudioScene } from '../scene/scene.js';
import type { LoadedBody } from '../threads/body-client.js';

export function describeRun(
  scene: StudioScene,
  bodies: ReadonlyMap<string, LoadedBody>,
  isLoopPossible: boolean,
): string[] {
  const all = [...bodies.values()];
  const isBuilt = all.some(({ origin }) => origin === 'built');
  const lines = [
    ...all.flatMap(({ prepared: { shell } }) => (shell ? `${shell.count.toLocaleString('en')} shell points` : [])),
    ...describeFields(all),
    ...all.flatMap(({ prepared: { hierarchy } }) =>
      hierarchy ? `${hierarchy.nodeCount.toLocaleString('en')} convex pieces in levels of detail` : [],
    ),
    ...all.flatMap(({ prepared: { elastic } }) => (elastic ? describeElastic(elastic) : [])),
    isBuilt ? 'Prepared in this tab' : 'Prepared assets',
    ...scene.notes,
  ];
  if (scene.scene.tool.length > 1) {
    lines.push(`You hold the ${scene.tool.label}; other tools stay where the scene puts them`);
  }
  if (!isLoopPossible) {
    lines.push(
      'No shared memory (the host does not isolate the page): no loop runs and you feel nothing, the tool goes where it is put, contacts arrive a little later, times are rough',
    );
  }
  return lines;
}

function describeElastic({ tetrahedra, surface, compliance }: ElasticBody): string {
  const count = (numbers: ArrayLike<number>) => (numbers.length / 3).toLocaleString('en');
  const megabytes = (compliance.byteLength / 1e6).toFixed(0);
  return `${count(tetrahedra.positions)} elastic nodes, ${count(surface.positions)} on the surface, ${megabytes} MB`;
}

function describeFields(bodies: readonly LoadedBody[]): string[] {
  const fields = bodies.flatMap(({ prepared: { field } }) => field ?? []);
  if (fields.length === 0) return [];
  const sizes = fields.map(({ voxelSize }) => 1000 * voxelSize);
  const bricks = fields.reduce((sum, field) => sum + brickCount(field), 0);
  const megabytes = fields.reduce((sum, field) => sum + field.bricks.byteLength / 1e6, 0).toFixed(0);
  const finest = Math.min(...sizes).toFixed(1);
  const coarsest = Math.max(...sizes).toFixed(1);
  const size = finest === coarsest ? finest : `${finest} to ${coarsest}`;
  const what = fields.length === 1 ? 'Field' : `${fields.length} fields`;
  return [`${what} of ${size} mm voxels in ${bricks.toLocaleString('en')} bricks, ${megabytes} MB`];
}

export function describeOrigin(
  { tool, environments }: StudioScene,
  bodies: ReadonlyMap<string, LoadedBody> | undefined,
): Record<string, string> {
  if (!bodies) return {};
  const isBuilt = environments.some(({ label }) => bodies.get(label)?.origin === 'built');
  return { tool: bodies.get(tool.label)!.origin, environment: isBuilt ? 'built' : 'asset' };
}
