import { type BlockLayout, createTripleMemory } from '../base/triple-memory.js';
import { type ContactPicture, contactPictureBytes, viewContactPicture } from '../method/contact-picture.js';
import type { Method } from '../method/method.js';
import { openWantedReader, openWantedWriter, type WantedReader } from './wanted-pictures.js';

/** Snapshots of a hand's contacts, from the loop to whoever draws them. */
export interface PictureMemory {
  readonly memory: SharedArrayBuffer;
  readonly capacity: number;
}

export type PictureReader = WantedReader<ContactPicture>;

export function createPictureMemory(capacity: number): PictureMemory {
  return { memory: createTripleMemory(layoutOf(capacity)), capacity };
}

/** The drawing end of the snapshots that the loop makes of its contacts. */
export function openPictures({ memory, capacity }: PictureMemory): PictureReader {
  return openWantedReader(memory, layoutOf(capacity));
}

export interface PictureWriter {
  /** Draws what `method` shows of its last cycle, if somebody wants to see it. */
  draw(method: Method): void;
}

export function openPictureWriter({ memory, capacity }: PictureMemory): PictureWriter {
  const writer = openWantedWriter(memory, layoutOf(capacity));
  return {
    draw(method) {
      if (method.draw === undefined || !writer.takeWish()) return;
      method.draw(writer.block);
      writer.publish();
    },
  };
}

function layoutOf(capacity: number): BlockLayout<ContactPicture> {
  return {
    bytes: contactPictureBytes(capacity),
    view: (memory, offset) => viewContactPicture(memory, offset, capacity),
  };
}
