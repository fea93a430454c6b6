/** Contacts as marks of a few pixels whose shape shows the state as well as the colour: disc, diamond, ring. */
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Points, ShaderMaterial } from 'three';

/** Widths of a mark, CSS pixels. */
const WIDEST = 10;
const NARROWEST = 4;
/** From here on marks get narrower, so that they do not cover each other. */
const CROWDED = 60;

export const SHAPE_RING = 0;
export const SHAPE_DISC = 1;
export const SHAPE_DIAMOND = 2;

export function createContactPoints(capacity: number, renderOrder: number) {
  const geometry = new BufferGeometry();
  const attribute = (name: string, size: number) => {
    const made = new BufferAttribute(new Float32Array(size * capacity), size).setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, made);
    return made;
  };
  const position = attribute('position', 3);
  const colour = attribute('colour', 3);
  const shape = attribute('shape', 1);
  const material = new ShaderMaterial({
    uniforms: {
      pixelRatio: { value: 1 },
      height: { value: 1 },
      width: { value: 0.01 },
      widest: { value: WIDEST },
      narrowest: { value: NARROWEST },
    },
    // The dark rim keeps them apart from bright bodies and from each other, the fill from dark ones.
    vertexShader: /* glsl */ `
      uniform float pixelRatio;
      uniform float height;
      uniform float width;
      uniform float widest;
      uniform float narrowest;
      attribute vec3 colour;
      attribute float shape;
      varying vec3 seenColour;
      varying float seenShape;
      void main() {
        seenColour = colour;
        seenShape = shape;
        vec4 seen = modelViewMatrix * vec4(position, 1.0);
        gl_Position = projectionMatrix * seen;
        float pixels = 0.5 * height * width * projectionMatrix[1][1] / gl_Position.w;
        gl_PointSize = clamp(pixels, narrowest * pixelRatio, widest * pixelRatio) * (shape > 1.5 ? 1.2 : 1.0);
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
  const object = new Points(geometry, material);
  object.frustumCulled = false;
  object.renderOrder = renderOrder;
  object.onBeforeRender = (renderer) => {
    material.uniforms.pixelRatio!.value = renderer.getPixelRatio();
    material.uniforms.height!.value = renderer.domElement.height;
  };
  geometry.setDrawRange(0, 0);
  return {
    object,
    /** Three numbers each. */
    position: position.array as Float32Array,
    colour: colour.array as Float32Array,
    /** 0: ring, 1: disc, 2: diamond. */
    shape: shape.array as Float32Array,
    commit(count: number) {
      geometry.setDrawRange(0, count);
      material.uniforms.widest!.value = Math.max(NARROWEST, WIDEST * Math.min(1, Math.sqrt(CROWDED / count)));
      for (const part of [position, colour, shape]) part.needsUpdate = true;
    },
    /** Width that a mark should have in the world, m: it is smaller than usual on a small part seen from afar. */
    setSize(width: number) {
      material.uniforms.width!.value = width;
    },
  };
}
