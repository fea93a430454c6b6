/** What the scene, as it is felt now, says of its method. */
import { checkSceneValue, findsByHierarchy, type Scene } from '@palpable/engine';
import { computed } from '@preact/signals';
import { sceneValue } from './state.js';

/** Undefined before the first scene. */
export const feltScene = computed<Scene | undefined>(() => checkSceneValue(sceneValue.value).scene ?? undefined);

export const isDeformable = computed(() => feltScene.value?.method.kind === 'deformable');
export const isModular = computed(() => feltScene.value?.method.kind === 'modular');
/** Whether contacts are found between convex pieces. */
export const hasLevels = computed(() => feltScene.value !== undefined && findsByHierarchy(feltScene.value));
