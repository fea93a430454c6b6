/** Contacts as marks of a few pixels whose shape tells the state as well as the colour: disc, diamond, ring. */
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Points, ShaderMaterial } from 'three';

export interface ContactPoints {
  readonly object: Points<BufferGeometry, ShaderMaterial>;
  /** Three numbers each. */
  readonly position: Float32Array;
  readonly colour: Float32Array;
  /** 0: ring, 1: disc, 2: diamond. */
  readonly shape: Float32Array;
  commit(count: number): void;
}

export const SHAPE_RING = 0;
export const SHAPE_DISC = 1;
export const SHAPE_DIAMOND = 2;

export function createContactPoints(capacity: number, renderOrder: number): ContactPoints {
  const geometry = new BufferGeometry();
  const attribute = (name: string, size: number) => {
    const made = new BufferAttribute(new Float32Array(size * capacity), size).setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, made);
    return made;
  };
  const position = attribute('position', 3);
  const colour = attribute('colour', 3);
  const shape = attribute('shape', 1);
  const material = createPointMaterial();
  const object = new Points(geometry, material);
  object.frustumCulled = false;
  object.renderOrder = renderOrder;
  object.onBeforeRender = (renderer) => {
    material.uniforms.pixelRatio!.value = renderer.getPixelRatio();
  };
  geometry.setDrawRange(0, 0);
  return {
    object,
    position: position.array as Float32Array,
    colour: colour.array as Float32Array,
    shape: shape.array as Float32Array,
    commit(count) {
      geometry.setDrawRange(0, count);
      for (const part of [position, colour, shape]) part.needsUpdate = true;
    },
  };
}

function createPointMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { pixelRatio: { value: 1 } },
    // The dark rim keeps them apart from bright bodies and from each other, the fill from dark ones.
    vertexShader: /* glsl */ `
      uniform float pixelRatio;
      attribute vec3 colour;
      attribute float shape;
      varying vec3 seenColour;
      varying float seenShape;
      void main() {
        seenColour = colour;
        seenShape = shape;
        vec4 seen = modelViewMatrix * vec4(position, 1.0);
        gl_Position = projectionMatrix * seen;
        gl_PointSize = (shape > 1.5 ? 12.0 : 10.0) * pixelRatio;
      }`,
    fragmentShader: /* glsl */ `
      varying vec3 seenColour;
      varying float seenShape;
      void main() {
        vec2 place = 2.0 * abs(gl_PointCoord - 0.5);
        float radius = seenShape > 1.5 ? place.x + place.y : length(place);
        if (radius > 1.0 || (seenShape < 0.5 && radius < 0.3)) discard;
        gl_FragColor = vec4(mix(seenColour, vec3(0.13, 0.1, 0.12), smoothstep(0.66, 0.78, radius)), 1.0);
      }`,
    depthTest: false,
    transparent: true,
  });
}
