/** From which side a scene is seen, so that nothing stands before the tool. */
import { type Box3, type Object3D, Raycaster, Vector3 } from 'three';

/** Rotations about the vertical, the first that shows the tool wins, rad. */
const TURNS = [0, 0.7, -0.7, 1.5, -1.5, 2.4, -2.4, Math.PI];
/** Where every side is walled in the view from above is left. */
const STEEP = 0.9;

/** `usual` and what comes back point from the scene to the eye. */
export function findOpenSide(usual: Vector3, tool: Box3, environment: Object3D): Vector3 {
  if (tool.isEmpty()) return usual.clone();
  const usualElevation = Math.asin(usual.z / usual.length());
  let best = usual.clone();
  let fewest = Number.POSITIVE_INFINITY;
  for (const elevation of [usualElevation, STEEP]) {
    for (const turn of TURNS) {
      const azimuth = Math.atan2(usual.y, usual.x) + turn;
      const level = Math.cos(elevation);
      const candidate = new Vector3(level * Math.cos(azimuth), level * Math.sin(azimuth), Math.sin(elevation));
      const hidden = countHidden(candidate, tool, environment);
      if (hidden === 0) return candidate;
      if (hidden < fewest) {
        fewest = hidden;
        best = candidate;
      }
    }
  }
  return best;
}

const raycaster = new Raycaster();
const point = new Vector3();

/** Of the tool's middle and of points towards its upper corners: how many cannot be seen from there. */
function countHidden(direction: Vector3, tool: Box3, environment: Object3D): number {
  let hidden = 0;
  for (let corner = 0; corner < 5; corner += 1) {
    tool.getCenter(point);
    if (corner < 4) {
      point.x += 0.3 * (corner & 1 ? 1 : -1) * (tool.max.x - tool.min.x);
      point.y += 0.3 * (corner & 2 ? 1 : -1) * (tool.max.y - tool.min.y);
      point.z += 0.3 * (tool.max.z - tool.min.z);
    }
    raycaster.set(point, direction);
    if (raycaster.intersectObject(environment, true).length > 0) hidden += 1;
  }
  return hidden;
}
