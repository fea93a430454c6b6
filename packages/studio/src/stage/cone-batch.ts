/** Friction cones: which forces each contact can bear. Translucent, opening along the normal. */
import { ConeGeometry, DoubleSide, ShaderMaterial } from 'three';
import { createInstanceBatch } from './instance-batch.js';

export function createConeBatch(capacity: number, renderOrder: number) {
  const shape = new ConeGeometry(1, 1, 20, 1, true).rotateX(Math.PI).translate(0, 0.5, 0);
  const material = new ShaderMaterial({
    uniforms: { side: { value: 0.03 } },
    vertexShader: /* glsl */ `
      uniform float side;
      attribute vec3 origin;
      attribute vec3 axis;
      attribute vec3 colour;
      attribute float slope;
      varying vec3 seenColour;
      varying float rim;
      void main() {
        vec3 x = normalize(abs(axis.z) < 0.9 ? cross(axis, vec3(0.0, 0.0, 1.0)) : cross(axis, vec3(1.0, 0.0, 0.0)));
        vec3 z = cross(x, axis);
        float height = side / sqrt(1.0 + slope * slope);
        vec3 place = origin + height * (axis * position.y + slope * (x * position.x + z * position.z));
        seenColour = colour;
        rim = position.y;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(place, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      varying vec3 seenColour;
      varying float rim;
      void main() {
        float edge = smoothstep(0.9, 0.94, rim);
        gl_FragColor = vec4(seenColour * (1.0 - 0.35 * edge), mix(0.2, 0.75, edge));
      }`,
    side: DoubleSide,
    depthTest: false,
    depthWrite: false,
    transparent: true,
  });
  const sizes = { origin: 3, axis: 3, colour: 3, slope: 1 };
  const { object, parts, commit } = createInstanceBatch(shape, material, sizes, capacity, renderOrder);
  return {
    object,
    ...parts,
    commit,
    /** Length of the side, from the tip to the rim, m. */
    setSize(side: number) {
      material.uniforms.side!.value = side;
    },
  };
}
