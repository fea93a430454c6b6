/**
 * Which scene is on the stage. Every scene that is opened becomes an entry in the history of the browser, and those that
 * the user made stay in this tab: no click loses one.
 */
import { isPalpableError } from '@palpable/engine';
import { signal } from '@preact/signals';
import { DEFAULT_SCENE, openGalleryScene, openOwnScene } from '../gallery/gallery.js';
import { withResolution } from '../scene/describe-scene.js';
import { broughtFiles, type StudioScene } from '../scene/scene.js';
import { decodeScene, encodeScene } from '../scene/scene-link.js';
import { addressOf, readAddress } from './address.js';

/** A scene that could not be opened, in words. */
export interface OpeningProblem {
  readonly title: string;
  readonly text: string;
}

const LOST_SCENE: OpeningProblem = {
  title: 'The files of this scene are gone',
  text: 'The page keeps dropped files until it is closed or reloaded. Drop them again.',
};

export const currentScene = signal<StudioScene>(openGalleryScene(DEFAULT_SCENE));
/** The one that was on the stage before it; undefined for the first. */
export const sceneBefore = signal<StudioScene | undefined>(undefined);
/** Those that came with a link or as files, newest first. */
export const ownScenes = signal<readonly StudioScene[]>([]);

const OWN = 'own-';
const shared = new Map<string, StudioScene>();
let madeUp = 0;
/** Before that the stage has had no scene, whatever `currentScene` holds. */
let hasShown = false;

/** An address that no other scene of this tab has. */
export function nextOwnId(): string {
  madeUp += 1;
  return `${OWN}${madeUp}`;
}

/** Opens what the address asks for, or the first scene of the gallery and says why. */
export function openFromAddress(): OpeningProblem | undefined {
  const { sceneId, sceneText } = readAddress(location.search, location.hash);
  try {
    if (sceneText !== undefined) show(openShared(sceneText));
    else show(ownScenes.value.find(({ id }) => id === sceneId) ?? openGalleryScene(sceneId ?? DEFAULT_SCENE));
    return undefined;
  } catch (error) {
    if (!isPalpableError(error)) throw error;
    show(openGalleryScene(DEFAULT_SCENE));
    if (sceneText !== undefined) return { title: 'The scene in this link cannot be opened', text: error.message };
    if (sceneId?.startsWith(OWN)) return LOST_SCENE;
    return { title: 'There is no such scene', text: error.message };
  }
}

/** Puts another scene onto the stage. */
export function openScene(scene: StudioScene): void {
  if (scene.id.startsWith(OWN)) keep(scene);
  history.pushState(null, '', `${location.pathname}${addressFor(scene)}`);
  show(scene);
}

/** One of the user's own is written into the address itself where it can be, so that it survives a reload. */
function addressFor(scene: StudioScene): string {
  const isWritten = scene.id.startsWith(OWN) && broughtFiles(scene).length === 0;
  if (!isWritten) return addressOf(location.search, scene.id === DEFAULT_SCENE ? undefined : scene.id);
  const text = encodeScene(scene.value);
  shared.set(text, scene);
  return `${addressOf(location.search, undefined)}#scene=${text}`;
}

/** The same link again is the same scene. */
function openShared(text: string): StudioScene {
  const scene = shared.get(text) ?? keep(openOwnScene(nextOwnId(), decodeScene(text)));
  shared.set(text, scene);
  return scene;
}

/** The browser's back button leads to the scene before. */
export function followHistory(onOpened: (problem: OpeningProblem | undefined) => void): void {
  addEventListener('popstate', () => onOpened(openFromAddress()));
}

function keep(scene: StudioScene): StudioScene {
  ownScenes.value = [scene, ...ownScenes.value.filter(({ id }) => id !== scene.id)];
  return scene;
}

function show(scene: StudioScene): void {
  const { resolution } = readAddress(location.search, '');
  if (hasShown) {
    // What is on the stage stays there, with all that was done to it.
    if (scene.id === currentScene.value.id) return;
    sceneBefore.value = currentScene.value;
  }
  hasShown = true;
  currentScene.value = resolution === undefined ? scene : withResolution(scene, resolution);
}
