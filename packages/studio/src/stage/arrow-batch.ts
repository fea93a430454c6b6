/**
 * Many arrows in one draw call. Each is given by where it starts and by a vector; the graphics card builds the rest, so
 * that a new frame costs nothing but writing those numbers. The heads keep their shape however long an arrow is.
 */
import { type BufferGeometry, ConeGeometry, CylinderGeometry, ShaderMaterial } from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { createInstanceBatch } from './instance-batch.js';

/** Of the shaft, in radii. */
const HEAD_RADIUS = 2.6;
const HEAD_LENGTH = 7;
const SIDES = 6;

export function createArrowBatch(capacity: number, renderOrder: number) {
  const material = new ShaderMaterial({
    uniforms: { radius: { value: 0.001 } },
    vertexShader: /* glsl */ `
      uniform float radius;
      attribute vec3 origin;
      attribute vec3 along;
      attribute vec3 colour;
      varying vec3 seenColour;
      varying float facing;
      void main() {
        float size = length(along);
        vec3 y = size > 0.0 ? along / size : vec3(0.0, 0.0, 1.0);
        vec3 x = normalize(abs(y.z) < 0.9 ? cross(y, vec3(0.0, 0.0, 1.0)) : cross(y, vec3(1.0, 0.0, 0.0)));
        vec3 z = cross(x, y);
        // Short arrows are thinner, and never all head.
        float head = min(${HEAD_LENGTH.toFixed(1)} * radius, 0.6 * size);
        float thin = head / (${HEAD_LENGTH.toFixed(1)} * radius);
        float height = position.y > 1.0 ? size - head + head * (position.y - 1.0)
          : position.y * (size - head);
        vec3 place = origin + y * height + thin * radius * (x * position.x + z * position.z);
        vec3 turned = x * normal.x + y * normal.y + z * normal.z;
        facing = abs(normalize(mat3(modelViewMatrix) * turned).z);
        seenColour = colour;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(place, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      varying vec3 seenColour;
      varying float facing;
      void main() {
        gl_FragColor = vec4(seenColour * (0.62 + 0.38 * facing), 1.0);
      }`,
    depthTest: false,
    transparent: true,
  });
  const sizes = { origin: 3, along: 3, colour: 3 };
  const { object, parts, commit } = createInstanceBatch(createArrowShape(), material, sizes, capacity, renderOrder);
  return {
    object,
    ...parts,
    commit,
    /** Radius of the shafts, m. */
    setThickness(radius: number) {
      material.uniforms.radius!.value = radius;
    },
  };
}

/** Along y: the shaft from 0 to 1, the head from 1 to 2; the shader knows. */
function createArrowShape(): BufferGeometry {
  const shaft = new CylinderGeometry(1, 1, 1, SIDES, 1, true).translate(0, 0.5, 0);
  const head = new ConeGeometry(HEAD_RADIUS, 1, SIDES, 1, false).translate(0, 1.5, 0);
  return mergeGeometries([shaft, head])!;
}
