/** A plane through the distance field: colour by distance, a line every centimetre, a strong one at the surface. */
import {
  Color,
  DataTexture,
  DataUtils,
  DoubleSide,
  HalfFloatType,
  LinearFilter,
  Mesh,
  PlaneGeometry,
  RedFormat,
  ShaderMaterial,
  Vector3,
} from 'three';
import type { SlicePlane } from '../threads/body-client.js';
import { DISTANCE_RAMP, parseHex } from './colours.js';

export function createSliceView() {
  const colour = (hex: string) => new Color(...parseHex(hex));
  const material = new ShaderMaterial({
    uniforms: {
      distances: { value: null },
      deepInside: { value: colour(DISTANCE_RAMP.inside.deep) },
      nearInside: { value: colour(DISTANCE_RAMP.inside.near) },
      nearOutside: { value: colour(DISTANCE_RAMP.outside.near) },
      farOutside: { value: colour(DISTANCE_RAMP.outside.far) },
      range: { value: DISTANCE_RAMP.rangeMm / 1000 },
      lineStep: { value: DISTANCE_RAMP.stepMm / 1000 },
    },
    vertexShader: /* glsl */ `
      varying vec2 place;
      void main() {
        place = uv;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      uniform sampler2D distances;
      uniform vec3 deepInside, nearInside, nearOutside, farOutside;
      uniform float range, lineStep;
      varying vec2 place;

      // 1 on a line of the given half width in pixels, 0 beside it.
      float line(float offset, float slope, float halfWidth) {
        return 1.0 - smoothstep(halfWidth - 0.5, halfWidth + 0.5, offset / max(slope, 1e-9));
      }

      void main() {
        float d = texture2D(distances, place).r;
        float slope = fwidth(d);
        float share = clamp(abs(d) / range, 0.0, 1.0);
        vec3 colour = d < 0.0 ? mix(nearInside, deepInside, share) : mix(nearOutside, farOutside, share);
        float toNextLine = abs(fract(d / lineStep + 0.5) - 0.5) * lineStep;
        // Where lines would run together (seen at a grazing angle) they fade instead of flickering.
        float legible = 1.0 - smoothstep(0.15, 0.4, slope / lineStep);
        colour = mix(colour, colour * 0.72, legible * line(toNextLine, slope, 0.6));
        colour = mix(colour, vec3(0.1, 0.11, 0.13), line(abs(d), slope, 1.2));
        gl_FragColor = vec4(colour, 0.94);
      }`,
    side: DoubleSide,
    transparent: true,
  });
  const object = new Mesh(new PlaneGeometry(1, 1).translate(0.5, 0.5, 0), material);
  object.matrixAutoUpdate = false;
  object.visible = false;
  object.renderOrder = 1;
  let texture: DataTexture | undefined;
  return {
    /** To be put into the frame of the body that has the field. */
    object,
    show(plane: SlicePlane, distances: Float32Array) {
      const { columns, rows } = plane;
      if (texture?.image.width !== columns || texture.image.height !== rows) {
        texture?.dispose();
        texture = createTexture(columns, rows);
        material.uniforms.distances!.value = texture;
      }
      // Half floats: the smallest format that every WebGL 2 device filters, and exact enough where it matters, near 0.
      const halves = texture.image.data as Uint16Array;
      for (let i = 0; i < halves.length; i++) halves[i] = DataUtils.toHalfFloat(distances[i]!);
      texture.needsUpdate = true;
      const along = new Vector3().fromArray(plane.along);
      const up = new Vector3().fromArray(plane.up);
      const normal = new Vector3().crossVectors(along, up).normalize();
      object.matrix.makeBasis(along, up, normal).setPosition(...plane.corner);
      object.matrixWorldNeedsUpdate = true;
    },
  };
}

function createTexture(columns: number, rows: number): DataTexture {
  const texture = new DataTexture(new Uint16Array(columns * rows), columns, rows, RedFormat, HalfFloatType);
  texture.minFilter = LinearFilter;
  texture.magFilter = LinearFilter;
  return texture;
}
