import { contactPictureBytes, FRICTION_SLIP, FRICTION_STICK, viewContactPicture } from '@palpable/engine/advanced';
import type { InstancedBufferGeometry, Mesh, Points } from 'three';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFrame, FrameNumber } from '../threads/contact-frame.js';
import { parseHex, STATE_COLOURS } from './colours.js';
import { type ContactView, createContactView } from './contact-view.js';

const CAPACITY = 200;
let view: ContactView;
let picture: ReturnType<typeof viewContactPicture>;

beforeEach(() => {
  view = createContactView(CAPACITY);
  picture = viewContactPicture(new ArrayBuffer(contactPictureBytes(CAPACITY)), 0, CAPACITY);
});

/** Contacts one above the other that push upwards. */
function fill(count: number): void {
  picture.numbers[0] = count;
  for (let i = 0; i < count; i += 1) {
    picture.position[3 * i + 2] = 0.01 * i;
    picture.normal[3 * i + 2] = 1;
    picture.normalForce[i] = i;
    picture.coefficient[i] = 0.5;
    picture.state[i] = FRICTION_STICK;
  }
}

function parts() {
  const [cones, normals, friction, points] = view.object.children as [Mesh, Mesh, Mesh, Points];
  const instances = (mesh: Mesh) => (mesh.geometry as InstancedBufferGeometry).instanceCount;
  return {
    counts: {
      points: points.geometry.drawRange.count,
      normals: instances(normals),
      friction: instances(friction),
      cones: instances(cones),
    },
    normals: normals.geometry.getAttribute('along'),
    friction: friction.geometry.getAttribute('along'),
    colour: points.geometry.getAttribute('colour'),
    shape: points.geometry.getAttribute('shape'),
    cones,
  };
}

describe('contact view', () => {
  it('draws what a picture holds, longer arrows for more force', () => {
    fill(3);
    picture.friction.set([0.5, 0, 0], 3);
    picture.state[2] = FRICTION_SLIP;
    expect(view.showPicture(picture)).toBe(true);
    const { counts, normals, friction, colour, shape } = parts();
    expect(counts).toEqual({ points: 3, normals: 3, friction: 1, cones: 3 });
    expect(normals.getZ(0)).toBeGreaterThan(0);
    expect(normals.getZ(2)).toBeGreaterThan(normals.getZ(1));
    expect(normals.getZ(1)).toBeGreaterThan(normals.getZ(0));
    expect(friction.getX(0)).toBeGreaterThan(0);
    expect(shape.getX(2)).not.toBe(shape.getX(1));
    parseHex(STATE_COLOURS.slip).forEach((part, k) => {
      expect(colour.getComponent(2, k)).toBeCloseTo(part, 6);
    });
  });

  it('says when nothing new is seen', () => {
    fill(2);
    expect(view.showPicture(picture)).toBe(true);
    expect(view.showPicture(picture)).toBe(false);
    view.clear();
    expect(parts().counts.points).toBe(0);
    expect(view.showPicture(picture)).toBe(true);
  });

  it('draws no more cones than can be told apart', () => {
    fill(200);
    view.showPicture(picture);
    expect(parts().counts).toEqual({ points: 200, normals: 200, friction: 0, cones: 50 });
  });

  it('shows the frames of the contact thread by depth, without forces', () => {
    const frame = createFrame(2);
    frame.numbers[FrameNumber.contacts] = 2;
    frame.normal.set([0, 0, 1, 0, 0, 1]);
    frame.depth.set([0, 0.02]);
    view.showFrame(frame);
    const { counts, colour, normals } = parts();
    expect(counts).toEqual({ points: 2, normals: 2, friction: 0, cones: 0 });
    expect(colour.getY(0)).not.toBeCloseTo(colour.getY(1), 2);
    expect(normals.getZ(0)).toBe(normals.getZ(1));
  });

  it('hides each part by itself', () => {
    view.parts.cones.visible = false;
    expect(parts().cones.visible).toBe(false);
    expect(view.object.children.filter((part) => part.visible)).toHaveLength(3);
  });
});
