/**
 * How far a tool that sticks moves along the surface all the same: the point of the tool at the middle of its contacts,
 * step by step. What moves along the contacts' mean normal does not count: a tool that is pressed harder goes deeper, and
 * still sticks.
 */
import {
  createPose,
  type Method,
  type MethodOutput,
  relativePose,
  STATE_STICK,
  transformPoint,
} from '@palpable/engine';
import { type ContactPicture, contactPictureBytes, viewContactPicture } from '@palpable/engine/advanced';

export class DriftMeter {
  private readonly method: Method;
  private readonly picture: ContactPicture;
  /** Mean of the contacts, each as much as it presses: place (as a pose) and direction in the world. */
  private readonly middle = createPose();
  private readonly normal = new Float64Array(3);
  /** The same place as the tool has it, and where that was one cycle before. */
  private readonly onTool = createPose();
  private readonly middleBefore = new Float64Array(3);
  private readonly poseBefore = createPose();
  /** Along the surface since the tool began to stick. */
  private readonly moved = new Float64Array(3);
  private isStuck = false;

  constructor(method: Method, maxContacts: number) {
    this.method = method;
    this.picture = viewContactPicture(new ArrayBuffer(contactPictureBytes(maxContacts)), 0, maxContacts);
  }

  /** After every cycle; gives the distance from where the tool began to stick, m, and 0 while it does not. */
  measure({ frictionState, toolPose }: MethodOutput): number {
    const { moved, poseBefore } = this;
    const wasStuck = this.isStuck;
    this.isStuck = frictionState === STATE_STICK;
    if (!wasStuck) moved.fill(0);
    if (wasStuck && this.isStuck && this.findMiddle()) this.addStep(toolPose);
    poseBefore.set(toolPose);
    return this.isStuck ? lengthOf(moved) : 0;
  }

  private addStep(toolPose: Float64Array): void {
    const { middle, middleBefore, onTool, normal, moved } = this;
    relativePose(onTool, toolPose, middle);
    transformPoint(middleBefore, this.poseBefore, onTool[0]!, onTool[1]!, onTool[2]!);
    let along = 0;
    for (let k = 0; k < 3; k += 1) along += normal[k]! * (middle[k]! - middleBefore[k]!);
    for (let k = 0; k < 3; k += 1) moved[k]! += middle[k]! - middleBefore[k]! - along * normal[k]!;
  }

  /** False when there are no contacts to be seen. */
  private findMiddle(): boolean {
    const { picture, method } = this;
    if (!method.draw) return false;
    method.draw(picture);
    // Depths only where the method does not report forces.
    return this.weigh(picture.normalForce) || this.weigh(picture.depth);
  }

  private weigh(weights: Float32Array): boolean {
    const { picture, middle, normal } = this;
    normal.fill(0);
    middle.fill(0, 0, 3);
    let sum = 0;
    for (let c = 0; c < picture.numbers[0]!; c += 1) {
      const weight = Math.max(0, weights[c]!);
      sum += weight;
      for (let k = 0; k < 3; k += 1) {
        normal[k]! += weight * picture.normal[3 * c + k]!;
        middle[k]! += weight * picture.position[3 * c + k]!;
      }
    }
    const length = lengthOf(normal);
    if (!(sum > 0 && length > 0)) return false;
    for (let k = 0; k < 3; k += 1) {
      normal[k]! /= length;
      middle[k]! /= sum;
    }
    return true;
  }
}

function lengthOf(vector: Float64Array): number {
  return Math.hypot(vector[0]!, vector[1]!, vector[2]!);
}
