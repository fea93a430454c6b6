/** All that can be laid over the bodies, as one thing: what to show, what to hide, in which colours, how large. */
import type { ContactPicture } from '@palpable/engine/advanced';
import { Group, type Object3D, type Vector3 } from 'three';
import type { ContactFrame } from '../threads/contact-frame.js';
import { createContactView } from './contact-view.js';
import { createDeviceView, type DeviceView } from './device-view.js';
import { createShellView, type ShellView } from './shell-view.js';
import { createSliceView, type SliceView } from './slice-view.js';
import type { StageColours } from './theme-colours.js';
import { createWrenchView } from './wrench-view.js';

export type OverlayName = 'contacts' | 'normals' | 'friction' | 'cones' | 'wrench' | 'ghost' | 'shell' | 'slice';

export interface OverlaySet {
  /** In the frame of the world. */
  readonly object: Object3D;
  /** In the frame of the tool. */
  readonly shell: ShellView;
  /** In the frame of the body that is cut. */
  readonly slice: SliceView;
  readonly device: DeviceView;
  /** Contacts of the loop (with forces) or of the contact thread (with depths); false when they look as before. */
  show(contacts: ContactPicture | ContactFrame): boolean;
  /** What the hand feels, at the tool's centre in the world; false when it looks as before. */
  showWrench(wrench: ArrayLike<number>, centre: Vector3, isLimited: boolean): boolean;
  clearContacts(): void;
  clearWrench(): void;
  setVisible(name: OverlayName, isVisible: boolean): void;
  setColours(colours: StageColours): void;
  /** Radius of the scene, which arrows are measured by, m. */
  setScale(radius: number): void;
}

export function createOverlaySet(maxContacts: number): OverlaySet {
  const contacts = createContactView(maxContacts);
  const wrench = createWrenchView();
  const device = createDeviceView();
  const shell = createShellView();
  const slice = createSliceView();
  const object = new Group();
  object.add(contacts.object, wrench.object, device.object);
  return {
    object,
    shell,
    slice,
    device,
    show(news) {
      if ('state' in news) return contacts.showPicture(news);
      contacts.showFrame(news);
      return true;
    },
    showWrench: wrench.show,
    clearContacts: contacts.clear,
    clearWrench: wrench.hide,
    setVisible(name, isVisible) {
      if (name === 'wrench') wrench.setVisible(isVisible);
      else if (name === 'ghost') device.setVisible(isVisible);
      else if (name === 'shell') shell.object.visible = isVisible;
      else if (name === 'slice') slice.object.visible = isVisible;
      else contacts.setVisible(name, isVisible);
    },
    setColours(colours) {
      shell.setColour(colours.shell);
      device.setColour(colours.device);
      wrench.setColours(colours);
    },
    setScale(radius) {
      contacts.setScale(radius);
      wrench.setScale(radius);
    },
  };
}
