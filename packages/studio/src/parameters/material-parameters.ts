/** The material of each body that bends: keys of the scene that may change while it runs, under the name of a body. */
import { listParameters, type NumberParameter } from '@palpable/engine/advanced';
import { capitalise } from '../controls/words.js';
import type { LiveParameter } from './parameter-model.js';

/** Path `bodies.clip.deformable.young`, group `bodies.clip`. */
export type MaterialParameter = LiveParameter<NumberParameter>;

/** By their paths below the name of a body, in the order of the panel. */
const LABELS: Readonly<Record<string, string>> = {
  'deformable.young': 'Young’s modulus',
  'deformable.stiffnessDamping': 'Stiffness damping',
  'deformable.massDamping': 'Mass damping',
  density: 'Density',
};

const MATERIAL_PATH = /^bodies\.([^.]+)\.(.+)$/;

const descriptions = new Map(
  listParameters().flatMap(({ path, parameter }) => {
    const key = path.startsWith('bodies.*.') ? path.slice('bodies.*.'.length) : '';
    return key in LABELS && parameter.kind === 'number' ? [[key, parameter] as const] : [];
  }),
);

/** Undefined for a path of anything else. */
export function materialParameter(path: string): MaterialParameter | undefined {
  const [, body, key] = MATERIAL_PATH.exec(path) ?? [];
  const parameter = key === undefined ? undefined : descriptions.get(key);
  if (!parameter) return undefined;
  const label = LABELS[key!]!;
  return { path, group: `bodies.${body}`, label, name: `${capitalise(body!)}: ${lowered(label)}`, parameter };
}

/** The same path whatever the body is called, for tables: `bodies.*.deformable.young`. */
export function anyBody(path: string): string {
  return path.replace(MATERIAL_PATH, 'bodies.*.$2');
}

/** Of all bodies that bend. A name with a dot cannot be distinguished from a path. */
export function materialParameters(scene: unknown): MaterialParameter[] {
  return bendingBodies(scene)
    .filter((name) => !name.includes('.'))
    .flatMap((name) => Object.keys(LABELS).map((key) => materialParameter(`bodies.${name}.${key}`)!));
}

/** Names of the bodies that have a material. */
export function bendingBodies(scene: unknown): string[] {
  const { bodies } = (scene ?? {}) as { readonly bodies?: Readonly<Record<string, { readonly deformable?: unknown }>> };
  return Object.entries(bodies ?? {}).flatMap(([name, body]) => (body?.deformable ? name : []));
}

/** `Material of the clip`; undefined for a group that is no body. */
export function materialTitle(group: string): string | undefined {
  return group.startsWith('bodies.') ? `Material of the ${group.slice('bodies.'.length)}` : undefined;
}

/** Names of people stay as they are. */
function lowered(label: string): string {
  return label.startsWith('Young') ? label : label.toLowerCase();
}
