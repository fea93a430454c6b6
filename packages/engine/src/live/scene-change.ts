import { checkSceneValue } from '../scene/check-scene.js';
import type { Scene } from '../scene/scene-description.js';

/** Groups of the scene that may change while it runs. The others decide what has to be prepared, or when. */
export const LIVE_GROUPS = ['method', 'contact', 'friction', 'coupling', 'gravity'] as const;

/** And of a body that bends, its material: nothing of it has to be prepared. */
const LIVE_MATERIAL = /^bodies\.([^.]+)\.(density|deformable\.(young|massDamping|stiffnessDamping))$/;

function isLiveMaterial(value: unknown, path: string): boolean {
  const name = LIVE_MATERIAL.exec(path)?.[1];
  const { bodies } = value as { bodies: Record<string, { deformable?: unknown } | undefined> };
  return name !== undefined && bodies[name]?.deformable != null;
}

/** The scene with one key changed, or a sentence why it cannot be. */
export function changedScene(
  value: unknown,
  path: string,
  newValue: unknown,
): { readonly value: unknown; readonly scene: Scene } | string {
  const keys = path.split('.');
  if (!LIVE_GROUPS.some((group) => group === keys[0]) && !isLiveMaterial(value, path)) {
    return `"${path}" cannot change while the scene is felt; ${LIVE_GROUPS.join(', ')} can. Start again with the changed scene.`;
  }
  const changed = withKey(value, keys, newValue);
  const { scene, problems } = checkSceneValue(changed);
  if (!scene) return problems.map(({ message }) => message).join(' ');
  return { value: changed, scene };
}

function withKey(value: unknown, [key, ...rest]: readonly string[], newValue: unknown): unknown {
  const object = typeof value === 'object' && value !== null ? value : {};
  const inner = (object as Record<string, unknown>)[key];
  return { ...object, [key]: rest.length === 0 ? newValue : withKey(inner, rest, newValue) };
}
