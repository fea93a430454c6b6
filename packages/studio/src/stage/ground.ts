/** The floor: a grid that fades with distance, and the shadow that the bodies throw on it. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  LineSegments,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  ShadowMaterial,
} from 'three';
import type { StageColours } from './theme-colours.js';

const SPACING = 0.1;
const LINES_EACH_WAY = 14;
const FADE_RADIUS = SPACING * LINES_EACH_WAY;

export function createGround() {
  const shadow = new Mesh(new PlaneGeometry(2 * FADE_RADIUS, 2 * FADE_RADIUS), new ShadowMaterial());
  shadow.receiveShadow = true;
  const gridMaterial = new ShaderMaterial({
    uniforms: { colour: { value: new Color() }, radius: { value: FADE_RADIUS } },
    vertexShader: /* glsl */ `
      varying vec2 place;
      void main() {
        place = position.xy;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 colour;
      uniform float radius;
      varying vec2 place;
      void main() {
        float fade = 1.0 - smoothstep(0.25 * radius, radius, length(place));
        gl_FragColor = vec4(colour, fade);
      }`,
    transparent: true,
    depthWrite: false,
  });
  const grid = new LineSegments(createGridGeometry(), gridMaterial);
  grid.position.z = -0.0008;
  shadow.position.z = -0.0004;
  grid.renderOrder = -2;
  shadow.renderOrder = -1;
  const object = new Group();
  object.add(grid, shadow);
  return {
    object,
    /** Puts it under a scene: one cell is 1, 10 or 100 mm, whichever suits the radius. */
    place(x: number, y: number, height: number, radius: number) {
      // A power of ten, m, so that a scene is a few cells wide.
      const spacing = 10 ** Math.round(Math.log10(radius / 4));
      // On whole cells, so that lines keep meeting the axes of the world.
      object.position.set(Math.round(x / spacing) * spacing, Math.round(y / spacing) * spacing, height);
      object.scale.setScalar(spacing / SPACING);
    },
    applyColours(colours: StageColours) {
      // Shown as it is written in the style, without a trip through linear light.
      gridMaterial.uniforms.colour!.value.setStyle(colours.grid).convertLinearToSRGB();
      shadow.material.opacity = colours.shadow;
    },
  };
}

function createGridGeometry(): BufferGeometry {
  const points: number[] = [];
  for (let i = -LINES_EACH_WAY; i <= LINES_EACH_WAY; i++) {
    const at = i * SPACING;
    points.push(at, -FADE_RADIUS, 0, at, FADE_RADIUS, 0, -FADE_RADIUS, at, 0, FADE_RADIUS, at, 0);
  }
  return new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
}
