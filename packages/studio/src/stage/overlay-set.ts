/** All that can be laid over the bodies, as one thing: what to show, what to hide, in which colours, how large. */
import type { ContactPicture } from '@palpable/engine';
import { Group } from 'three';
import type { ContactFrame } from '../threads/contact-frame.js';
import { createContactView } from './contact-view.js';
import { createDeviceView } from './device-view.js';
import { createShellView } from './shell-view.js';
import { createSliceView } from './slice-view.js';
import type { StageColours } from './theme-colours.js';
import { createWrenchView } from './wrench-view.js';

export type OverlayName = 'contacts' | 'normals' | 'friction' | 'cones' | 'wrench' | 'ghost' | 'shell' | 'slice';

export function createOverlaySet(maxContacts: number) {
  const contacts = createContactView(maxContacts);
  const wrench = createWrenchView();
  const device = createDeviceView();
  const shell = createShellView();
  const slice = createSliceView();
  const object = new Group();
  object.add(contacts.object, wrench.object, device.object);
  return {
    /** In the frame of the world. */
    object,
    /** In the frame of the tool. */
    shell,
    /** In the frame of the body that is cut. */
    slice,
    device,
    /** Contacts of the loop (with forces) or of the contact thread (with depths); false when they look as before. */
    show(news: ContactPicture | ContactFrame) {
      if ('state' in news) return contacts.showPicture(news);
      contacts.showFrame(news);
      return true;
    },
    /** What the hand feels, at the tool's centre in the world; false when it looks as before. */
    showWrench: wrench.show,
    clearContacts: contacts.clear,
    clearWrench: wrench.hide,
    setVisible(name: OverlayName, isVisible: boolean) {
      if (name === 'wrench') wrench.setVisible(isVisible);
      else if (name === 'ghost') device.setVisible(isVisible);
      else if (name === 'shell') shell.object.visible = isVisible;
      else if (name === 'slice') slice.object.visible = isVisible;
      else contacts.setVisible(name, isVisible);
    },
    setColours(colours: StageColours) {
      shell.setColour(colours.shell);
      device.setColour(colours.device);
      wrench.setColours(colours);
    },
    /** Radius of the scene, which arrows are measured by, m. */
    setScale(radius: number) {
      contacts.setScale(radius);
      wrench.setScale(radius);
    },
  };
}
