/** The convex pieces of one body that contacts were found at, as wire in its frame, drawn over everything. */
import type { ConvexHierarchy } from '@palpable/engine/advanced';
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from 'three';
import { hullEdges } from './hull-edges.js';

export type LevelView = Readonly<ReturnType<typeof createLevelView>>;

export function createLevelView(hierarchy: ConvexHierarchy) {
  const material = new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.9, depthTest: false });
  const object = new LineSegments(new BufferGeometry(), material);
  object.frustumCulled = false;
  object.renderOrder = 6;
  let shown = '';
  return {
    object,
    /** False when nothing changes that can be seen. */
    show(nodes: Int32Array) {
      const wanted = nodes.join();
      if (wanted === shown) return false;
      shown = wanted;
      const { positions, colours } = hullEdges(hierarchy, nodes);
      object.geometry.dispose();
      object.geometry = new BufferGeometry()
        .setAttribute('position', new BufferAttribute(positions, 3))
        .setAttribute('color', new BufferAttribute(colours, 3));
      return true;
    },
  };
}
