/**
 * The contacts: a mark at each point, an arrow along the direction that pushes the tool out, one along the friction, a
 * cone of what friction can bear. From the loop they come with forces and states, which give lengths and colours; from
 * the contact thread with depths alone, which then give the colours. Drawn over everything, since contacts lie inside
 * a body by definition.
 */
import { type ContactPicture, FRICTION_SLIP, FRICTION_STICK } from '@palpable/engine/advanced';
import { Group } from 'three';
import { type ContactFrame, FrameNumber } from '../threads/contact-frame.js';
import { createArrowBatch } from './arrow-batch.js';
import { depthColour, parseHex, type Rgb, STATE_COLOURS } from './colours.js';
import { createConeBatch } from './cone-batch.js';
import { createContactPoints, SHAPE_DIAMOND, SHAPE_DISC, SHAPE_RING } from './contact-points.js';
import { forceShare } from './force-length.js';
import { createPictureMemo } from './picture-memo.js';

/** In radii of the scene. */
const LONGEST_ARROW = 0.24;
const SHORTEST_NEEDLE = 0.05;
const THICKNESS = 0.0025;
const CONE_SIDE = 0.09;
const MARK_WIDTH = 0.03;
/** More would hide each other. */
const MOST_CONES = 64;
/** Less friction than this has no arrow, N. */
const LEAST_FRICTION = 0.005;

/** In the order of the `FRICTION_…` constants. */
const COLOURS: readonly Rgb[] = [STATE_COLOURS.none, STATE_COLOURS.stick, STATE_COLOURS.slip].map(parseHex);

/** The three numbers of a contact. */
const of = (values: Float32Array, contact: number) => values.subarray(3 * contact, 3 * contact + 3);

export type ContactView = Readonly<ReturnType<typeof createContactView>>;

export function createContactView(capacity: number) {
  const points = createContactPoints(capacity, 13);
  const normals = createArrowBatch(capacity, 11);
  const friction = createArrowBatch(capacity, 12);
  const cones = createConeBatch(MOST_CONES, 10);
  const memo = createPictureMemo(capacity);
  const object = new Group();
  object.add(cones.object, normals.object, friction.object, points.object);
  let radius = 0.46;

  const setScale = (sceneRadius: number) => {
    radius = sceneRadius;
    normals.setThickness(THICKNESS * radius);
    friction.setThickness(1.5 * THICKNESS * radius);
    cones.setSize(CONE_SIDE * radius);
    points.setSize(MARK_WIDTH * radius);
  };
  const commit = (contacts: number, withFriction: number, withCone: number) => {
    points.commit(contacts);
    normals.commit(contacts);
    friction.commit(withFriction);
    cones.commit(withCone);
  };
  const showNormal = (i: number, from: ContactPicture | ContactFrame, length: number, colour: Float32Array) => {
    for (let k = 3 * i; k < 3 * i + 3; k += 1) {
      normals.origin[k] = from.position[k]!;
      normals.along[k] = length * from.normal[k]!;
      normals.colour[k] = 0.9 * colour[k]!;
    }
  };
  setScale(radius);

  return {
    object,
    /** Each with a switch of its own. */
    parts: { contacts: points.object, normals: normals.object, friction: friction.object, cones: cones.object },
    /** Radius of the scene, which arrows are measured by, m. */
    setScale,
    clear() {
      memo.forget();
      commit(0, 0, 0);
    },
    /** From the contact thread. */
    showFrame(frame: ContactFrame) {
      memo.forget();
      const count = Math.min(capacity, frame.numbers[FrameNumber.contacts]!);
      for (let i = 0; i < count; i += 1) {
        points.colour.set(depthColour(1000 * frame.depth[i]!), 3 * i);
        points.shape[i] = SHAPE_DISC;
        points.position.set(of(frame.position, i), 3 * i);
        showNormal(i, frame, SHORTEST_NEEDLE * radius, points.colour);
      }
      commit(count, 0, 0);
      return true;
    },
    /** From the loop; false when nothing changes that can be seen: the last one stays. */
    showPicture(picture: ContactPicture) {
      if (!memo.takeNews(picture)) return false;
      const count = Math.min(capacity, picture.numbers[0]!);
      let arrows = 0;
      for (let i = 0; i < count; i += 1) {
        showMark(i, picture);
        const share = forceShare(picture.normalForce[i]!);
        showNormal(i, picture, radius * (SHORTEST_NEEDLE + share * (LONGEST_ARROW - SHORTEST_NEEDLE)), points.colour);
        if (showFriction(arrows, i, picture)) arrows += 1;
      }
      commit(count, arrows, showCones(picture, count));
      return true;
    },
  };

  function showMark(i: number, { position, state }: ContactPicture): void {
    const mark = state[i]!;
    points.shape[i] = mark === FRICTION_SLIP ? SHAPE_DIAMOND : mark === FRICTION_STICK ? SHAPE_DISC : SHAPE_RING;
    points.position.set(of(position, i), 3 * i);
    points.colour.set(COLOURS[mark] ?? COLOURS[0]!, 3 * i);
  }

  /** False where there is too little friction for an arrow. */
  function showFriction(arrow: number, i: number, { position, friction: force }: ContactPicture): boolean {
    const size = Math.hypot(force[3 * i]!, force[3 * i + 1]!, force[3 * i + 2]!);
    if (size < LEAST_FRICTION) return false;
    const scale = (radius * LONGEST_ARROW * forceShare(size)) / size;
    friction.origin.set(of(position, i), 3 * arrow);
    for (let k = 0; k < 3; k += 1) friction.along[3 * arrow + k] = scale * force[3 * i + k]!;
    friction.colour.set(of(points.colour, i), 3 * arrow);
    return true;
  }

  /** Of many contacts every second, third, … one. */
  function showCones({ position, normal, coefficient }: ContactPicture, count: number): number {
    const stride = Math.max(1, Math.ceil(count / MOST_CONES));
    let shown = 0;
    for (let i = 0; i < count; i += stride) {
      cones.slope[shown] = coefficient[i]!;
      cones.origin.set(of(position, i), 3 * shown);
      cones.axis.set(of(normal, i), 3 * shown);
      cones.colour.set(of(points.colour, i), 3 * shown);
      shown += 1;
    }
    return shown;
  }
}
