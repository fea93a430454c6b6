/**
 * Many arrows in one draw call. Each is told by where it starts and by a vector; the graphics card builds the rest, so
 * that a new picture costs nothing but writing those numbers. The heads keep their shape however long an arrow is.
 */
import {
  type BufferAttribute,
  ConeGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
} from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

/** Of the shaft, in radii. */
const HEAD_RADIUS = 2.6;
const HEAD_LENGTH = 7;
const SIDES = 6;

export interface ArrowBatch {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  /** Three numbers per arrow: where it starts, the way to its tip, its colour (sRGB). */
  readonly origin: Float32Array;
  readonly along: Float32Array;
  readonly colour: Float32Array;
  /** Draws the first so many, as they were written. */
  commit(count: number): void;
  /** Radius of the shafts, m. */
  setThickness(radius: number): void;
}

export function createArrowBatch(capacity: number, renderOrder: number): ArrowBatch {
  const geometry = createArrowGeometry();
  const attribute = (name: string) => {
    const made = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, made);
    return made;
  };
  const origin = attribute('origin');
  const along = attribute('along');
  const colour = attribute('colour');
  const material = createArrowMaterial();
  const object = new Mesh(geometry, material);
  object.frustumCulled = false;
  object.renderOrder = renderOrder;
  geometry.instanceCount = 0;
  return {
    object,
    origin: origin.array as Float32Array,
    along: along.array as Float32Array,
    colour: colour.array as Float32Array,
    commit(count) {
      geometry.instanceCount = count;
      for (const part of [origin, along, colour]) part.needsUpdate = true;
    },
    setThickness(radius) {
      material.uniforms.radius!.value = radius;
    },
  };
}

/** Along y: the shaft from 0 to 1, the head from 1 to 2; the shader knows. */
function createArrowGeometry(): InstancedBufferGeometry {
  const shaft = new CylinderGeometry(1, 1, 1, SIDES, 1, true).translate(0, 0.5, 0);
  const head = new ConeGeometry(HEAD_RADIUS, 1, SIDES, 1, false).translate(0, 1.5, 0);
  const merged = mergeGeometries([shaft, head])!;
  const geometry = new InstancedBufferGeometry();
  geometry.setIndex(merged.getIndex());
  geometry.setAttribute('position', merged.getAttribute('position') as BufferAttribute);
  geometry.setAttribute('normal', merged.getAttribute('normal') as BufferAttribute);
  return geometry;
}

function createArrowMaterial(): ShaderMaterial {
  return new ShaderMaterial({
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
}
