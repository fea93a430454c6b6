/** The method of a scene, in the few words of a card. */
import { checkSceneValue, methodOf } from '@palpable/engine';

/** Takes what a scene file holds; empty for one with problems. */
export function nameMethod(value: unknown): string {
  const { scene } = checkSceneValue(value);
  if (!scene) return '';
  const { title, friction, form } = methodOf(scene.method.kind);
  const words = friction === 'model' ? scene.friction.model : form?.(scene.method);
  return words ? `${title}, ${words}` : title;
}
