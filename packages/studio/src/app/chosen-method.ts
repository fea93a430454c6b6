/** What the running scene says of its method. */
import { checkSceneValue, methodOf, type Scene } from '@palpable/engine';
import type { ContactParts } from '@palpable/engine/advanced';
import { computed } from '@preact/signals';
import { sceneValue } from './state.js';

/** Undefined before the first scene. */
export const runningScene = computed<Scene | undefined>(() => checkSceneValue(sceneValue.value).scene ?? undefined);

/** What contacts are found on. */
const contactParts = computed<ContactParts | undefined>(() => {
  const method = runningScene.value?.method;
  return method && methodOf(method.kind).contactsOn(method);
});

const definition = computed(() => runningScene.value && methodOf(runningScene.value.method.kind));
/** Whether contacts may be found in a thread of their own. */
export const isThreaded = computed(() => definition.value?.contactSide !== undefined);
export const drawsClusters = computed(() => definition.value?.drawsClusters === true);
/** Whether bodies bend. */
export const isDeformable = computed(() => contactParts.value === 'surfaces');
/** Whether contacts are found between convex pieces. */
export const hasLevels = computed(() => contactParts.value === 'pieces');
