/**
 * Where the hand's frame lies in the world. It is laid again whenever tool and hand have parted (first contact with the
 * loop, clutch, another place for the tool), so that the tool goes on from where it is.
 *
 * Device: right-handed, x right, y forward, z up. Its forward points into the view as the view was when the frame was
 * laid: a rotation of the basis about the vertical alone.
 */
type Quaternion = [x: number, y: number, z: number, w: number];

export function createHaplyFrame() {
  const rawStart = new Float64Array(3);
  const worldStart = new Float64Array(3);
  let cosine = 1;
  let sine = 0;
  let basis: Quaternion = [0, 0, 0, 1];
  /** The tool in the hand. */
  let inHand: Quaternion = [0, 0, 0, 1];
  return {
    /** From now on the hand at `raw` means the tool at `world`; `yaw` rotates the device's frame about the vertical, rad. */
    anchor(raw: ArrayLike<number>, world: ArrayLike<number>, yaw: number) {
      cosine = Math.cos(yaw);
      sine = Math.sin(yaw);
      basis = [0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)];
      for (let k = 0; k < 3; k += 1) {
        rawStart[k] = raw[k]!;
        worldStart[k] = world[k]!;
      }
      inHand = multiply(conjugate(multiply(basis, rotationOf(raw))), rotationOf(world));
    },
    /** World pose of the tool for a pose of the hand. */
    toWorld(out: Float64Array, raw: ArrayLike<number>) {
      const x = raw[0]! - rawStart[0]!;
      const y = raw[1]! - rawStart[1]!;
      out[0] = worldStart[0]! + cosine * x - sine * y;
      out[1] = worldStart[1]! + sine * x + cosine * y;
      out[2] = worldStart[2]! + raw[2]! - rawStart[2]!;
      out.set(multiply(multiply(basis, rotationOf(raw)), inHand), 3);
    },
    /** A force of the world in the device's frame, in place. */
    turnBack(force: Float64Array) {
      const x = force[0]!;
      const y = force[1]!;
      force[0] = cosine * x + sine * y;
      force[1] = cosine * y - sine * x;
    },
  };
}

/** A pose on the way from one to another: even in position, along the chord in rotation. */
export function blendPose(out: Float64Array, from: ArrayLike<number>, to: ArrayLike<number>, share: number): void {
  let dot = 0;
  for (let k = 3; k < 7; k += 1) dot += from[k]! * to[k]!;
  const sign = dot < 0 ? -1 : 1;
  for (let k = 0; k < 7; k += 1) out[k] = (1 - share) * from[k]! + share * (k < 3 ? 1 : sign) * to[k]!;
  out.set(rotationOf(out), 3);
}

/** Of length 1; services round theirs. */
function rotationOf(pose: ArrayLike<number>): Quaternion {
  const [x, y, z, w] = [pose[3]!, pose[4]!, pose[5]!, pose[6]!];
  const length = Math.sqrt(x * x + y * y + z * z + w * w) || 1;
  return [x / length, y / length, z / length, w / length];
}

function conjugate([x, y, z, w]: Quaternion): Quaternion {
  return [-x, -y, -z, w];
}

function multiply([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}
