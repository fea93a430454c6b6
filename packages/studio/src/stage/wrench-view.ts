/**
 * What the hand feels, drawn at the tool's centre: the force as an arrow, the torque as an arrow bent around its axis,
 * each with its number. In the colour of a warning while the device gives no more.
 */
import {
  type BufferGeometry,
  ConeGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  TorusGeometry,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { createArrowBatch } from './arrow-batch.js';
import { parseHex } from './colours.js';
import { createLabelSprite } from './label-sprite.js';
import type { StageColours } from './theme-colours.js';
import { forceWords, LEAST_FORCE, LEAST_TORQUE, torqueWords } from './wrench-words.js';

/** Drawn as long as the scene's radius times these, at forces and torques from here on: N, N m. */
const LONGEST_FORCE = 0.7;
const LARGEST_FORCE = 10;
const WIDEST_TORQUE = 0.22;
const LARGEST_TORQUE = 0.5;
const THICKNESS = 0.009;
/** How far around the axis the arrow goes, rad. */
const ARC = 1.5 * Math.PI;
/** Changes that are not seen. */
const SEEN_SHARE = 0.004;

export function createWrenchView() {
  const force = createArrowBatch(1, 15);
  const material = new MeshBasicMaterial({ depthTest: false, transparent: true });
  const torque = new Mesh(createBentArrow(), material);
  torque.renderOrder = 14;
  const forceLabel = createLabelSprite(17);
  const torqueLabel = createLabelSprite(16);
  const object = new Group();
  const parts = [force.object, torque, forceLabel.object, torqueLabel.object];
  object.add(...parts);
  const seen = new Float64Array(10);
  let colours: Pick<StageColours, 'force' | 'torque' | 'warning'> | undefined;
  let radius = 0.46;

  const hide = () => {
    seen.fill(0);
    for (const part of parts) part.visible = false;
  };
  const showForce = (vector: Vector3, centre: Vector3, isLimited: boolean) => {
    const size = vector.length();
    const isShown = size >= LEAST_FORCE;
    force.object.visible = isShown;
    forceLabel.object.visible = isShown;
    if (!isShown) return;
    const colour = isLimited ? colours!.warning : colours!.force;
    const length = radius * LONGEST_FORCE * Math.min(1, size / LARGEST_FORCE);
    centre.toArray(force.origin);
    tip.copy(vector).multiplyScalar(length / size);
    tip.toArray(force.along);
    force.colour.set(parseHex(colour));
    force.commit(1);
    // Beyond the tip, so that the words cover nothing.
    tip.multiplyScalar(1 + (0.07 * radius) / length).add(centre);
    forceLabel.show(forceWords(size, isLimited), colour, tip);
  };
  const showTorque = (vector: Vector3, push: Vector3, centre: Vector3, isLimited: boolean) => {
    const size = vector.length();
    const isShown = size >= LEAST_TORQUE;
    torque.visible = isShown;
    torqueLabel.object.visible = isShown;
    if (!isShown) return;
    const colour = isLimited ? colours!.warning : colours!.torque;
    const share = Math.sqrt(Math.min(1, size / LARGEST_TORQUE));
    const width = radius * WIDEST_TORQUE * (0.25 + 0.75 * share);
    torque.scale.setScalar(width);
    torque.position.copy(centre);
    torque.quaternion.setFromUnitVectors(AXIS, tip.copy(vector).divideScalar(size));
    material.color.setStyle(colour);
    // Outside of the bend, on the side that the force points away from.
    tip.multiplyScalar(tip.dot(push)).sub(push);
    if (tip.length() < 1e-6) tip.set(-1, 0, 0).applyQuaternion(torque.quaternion);
    tip.setLength(width + 0.07 * radius).add(centre);
    torqueLabel.show(torqueWords(size, isLimited), colour, tip);
  };
  /** Whether anything differs by as much as can be seen; remembers it then. */
  const isNews = (wrench: ArrayLike<number>, centre: Vector3, isLimited: boolean): boolean => {
    for (let k = 0; k < 3; k += 1) {
      current[k] = wrench[k]! / LARGEST_FORCE;
      current[3 + k] = wrench[3 + k]! / LARGEST_TORQUE;
      current[6 + k] = centre.getComponent(k) / radius;
    }
    current[9] = isLimited ? 1 : 0;
    if (current.every((part, k) => Math.abs(part - seen[k]!) < SEEN_SHARE)) return false;
    seen.set(current);
    return true;
  };

  hide();
  const setScale = (sceneRadius: number) => {
    radius = sceneRadius;
    force.setThickness(THICKNESS * radius);
  };
  setScale(radius);
  return {
    object,
    hide,
    /** Radius of the scene, which arrows are measured by, m. */
    setScale,
    setColours(next: StageColours) {
      colours = next;
      seen.fill(Number.NaN);
      for (const label of [forceLabel, torqueLabel]) label.setColours(next);
    },
    /**
     * @param wrench force and torque on the hand, N and N m, world frame
     * @param centre of the tool, world frame
     * @returns false when nothing changes that can be seen
     */
    show(wrench: ArrayLike<number>, centre: Vector3, isLimited: boolean) {
      if (!colours || !isNews(wrench, centre, isLimited)) return false;
      push.set(wrench[0]!, wrench[1]!, wrench[2]!);
      showForce(push, centre, isLimited);
      showTorque(twist.set(wrench[3]!, wrench[4]!, wrench[5]!), push, centre, isLimited);
      return true;
    },
  };
}

/** Of radius 1 about z, with its head at the end. */
function createBentArrow(): BufferGeometry {
  const bend = new TorusGeometry(1, 0.045, 8, 40, ARC);
  const head = new ConeGeometry(0.13, 0.36, 12).translate(0, 0.14, 0);
  // At the end of the bend, along it.
  head.applyQuaternion(new Quaternion().setFromAxisAngle(AXIS, ARC)).translate(Math.cos(ARC), Math.sin(ARC), 0);
  return mergeGeometries([bend, head])!;
}

const AXIS = new Vector3(0, 0, 1);
const tip = new Vector3();
const push = new Vector3();
const twist = new Vector3();
const current = new Float64Array(10);
