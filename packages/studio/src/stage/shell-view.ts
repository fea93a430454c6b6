/** The points of the shell as small discs on the tool. */
import type { PointShell } from '@palpable/engine';
import { BufferAttribute, BufferGeometry, Color, Points, ShaderMaterial } from 'three';

/** Diameter of a disc, m. */
const LARGEST_DISC = 0.0022;
/** Of the distance to the next point: more, and a fine shell would hide its body. */
const DISC_SHARE = 0.5;

export function createShellView() {
  const material = new ShaderMaterial({
    uniforms: { colour: { value: new Color() }, pixelsPerMetre: { value: 1 }, size: { value: LARGEST_DISC } },
    // Points that face away are dropped, so that the shell reads as a surface also where the mesh is hidden. Each is
    // lifted by half a millimetre so that the surface below does not swallow half the disc.
    vertexShader: /* glsl */ `
      uniform float pixelsPerMetre;
      uniform float size;
      void main() {
        vec4 seen = modelViewMatrix * vec4(position + 0.0005 * normal, 1.0);
        vec3 facing = normalMatrix * normal;
        // At the silhouette discs would stand out like a fringe.
        bool away = dot(facing, normalize(seen.xyz)) > -0.2;
        gl_Position = away ? vec4(0.0, 0.0, 2.0, 1.0) : projectionMatrix * seen;
        gl_PointSize = clamp(size * pixelsPerMetre / -seen.z, 1.5, 14.0);
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 colour;
      void main() {
        if (length(gl_PointCoord - 0.5) > 0.5) discard;
        gl_FragColor = vec4(colour, 1.0);
      }`,
  });
  const object = new Points(new BufferGeometry(), material);
  object.onBeforeRender = (renderer, _scene, camera) => {
    const height = renderer.domElement.height;
    material.uniforms.pixelsPerMetre!.value = 0.5 * height * camera.projectionMatrix.elements[5]!;
  };
  let levelEnds: ArrayLike<number> = [0];
  return {
    object,
    setShell(shell: PointShell) {
      levelEnds = shell.levelEnds;
      material.uniforms.size!.value = Math.min(LARGEST_DISC, DISC_SHARE * shell.spacing);
      object.geometry.dispose();
      object.geometry = new BufferGeometry()
        .setAttribute('position', new BufferAttribute(Float32Array.from(shell.points), 3))
        .setAttribute('normal', new BufferAttribute(Float32Array.from(shell.normals), 3));
      object.geometry.computeBoundingSphere();
    },
    /** Shows the points of the levels up to this one; each level samples the whole body. */
    setLevel(level: number) {
      object.geometry.setDrawRange(0, levelEnds[Math.min(level, levelEnds.length - 1)] ?? 0);
    },
    setColour: (colour: string) => material.uniforms.colour!.value.setStyle(colour).convertLinearToSRGB(),
  };
}
