/**
 * The contacts of the newest frame: a disc at each shell point and a needle along the direction that pushes the tool
 * out, coloured by depth. Drawn over everything, since contacts lie inside a body by definition.
 */
import {
  BufferAttribute,
  BufferGeometry,
  ConeGeometry,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  Points,
  Quaternion,
  ShaderMaterial,
  Vector3,
} from 'three';
import { type ContactFrame, FrameNumber } from '../threads/contact-channel.js';
import { DEPTH_RAMP, writeRampColour } from './colours.js';

const NEEDLE_LENGTH = 0.03;
const NEEDLE_RADIUS = 0.0013;

export interface ContactView {
  readonly object: Group;
  show(frame: ContactFrame): void;
  clear(): void;
  setVisible(isVisible: boolean): void;
}

export function createContactView(capacity: number): ContactView {
  const discs = createDiscs(capacity);
  const needles = createNeedles(capacity);
  const object = new Group();
  object.add(needles, discs);
  const setCount = (count: number) => {
    discs.geometry.setDrawRange(0, count);
    needles.count = count;
  };
  setCount(0);
  const colour = discs.geometry.getAttribute('colour') as BufferAttribute;
  const position = discs.geometry.getAttribute('position') as BufferAttribute;
  return {
    object,
    clear: () => setCount(0),
    setVisible(isVisible) {
      object.visible = isVisible;
    },
    show(frame) {
      const count = frame.numbers[FrameNumber.contacts]!;
      setCount(count);
      (position.array as Float32Array).set(frame.position.subarray(0, 3 * count));
      for (let i = 0; i < count; i++) {
        writeRampColour(colour.array as Float32Array, 3 * i, DEPTH_RAMP, 1000 * frame.depth[i]!);
        placeNeedle(needles, i, frame);
      }
      position.needsUpdate = true;
      colour.needsUpdate = true;
      needles.instanceMatrix.needsUpdate = true;
    },
  };
}

function createDiscs(capacity: number): Points<BufferGeometry, ShaderMaterial> {
  const geometry = new BufferGeometry()
    .setAttribute('position', new BufferAttribute(new Float32Array(3 * capacity), 3).setUsage(DynamicDrawUsage))
    .setAttribute('colour', new BufferAttribute(new Float32Array(3 * capacity), 3).setUsage(DynamicDrawUsage));
  const material = new ShaderMaterial({
    uniforms: { pixelRatio: { value: 1 } },
    vertexShader: /* glsl */ `
      uniform float pixelRatio;
      attribute vec3 colour;
      varying vec3 seenColour;
      void main() {
        seenColour = colour;
        vec4 seen = modelViewMatrix * vec4(position, 1.0);
        gl_Position = projectionMatrix * seen;
        gl_PointSize = clamp(7.5 / -seen.z, 4.0, 12.0) * pixelRatio;
      }`,
    fragmentShader: /* glsl */ `
      varying vec3 seenColour;
      void main() {
        float radius = 2.0 * length(gl_PointCoord - 0.5);
        if (radius > 1.0) discard;
        gl_FragColor = vec4(mix(seenColour, vec3(0.13, 0.1, 0.12), smoothstep(0.62, 0.75, radius)), 1.0);
      }`,
    depthTest: false,
    transparent: true,
  });
  const discs = new Points(geometry, material);
  discs.frustumCulled = false;
  discs.renderOrder = 11;
  discs.onBeforeRender = (renderer) => {
    material.uniforms.pixelRatio!.value = renderer.getPixelRatio();
  };
  return discs;
}

function createNeedles(capacity: number): InstancedMesh<ConeGeometry, ShaderMaterial> {
  const geometry = new ConeGeometry(NEEDLE_RADIUS, NEEDLE_LENGTH, 5, 1, true).translate(0, NEEDLE_LENGTH / 2, 0);
  geometry.setAttribute('colour', new InstancedBufferAttribute(new Float32Array(3 * capacity), 3));
  const material = new ShaderMaterial({
    vertexShader: /* glsl */ `
      attribute vec3 colour;
      varying vec3 seenColour;
      void main() {
        seenColour = colour;
        gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      varying vec3 seenColour;
      void main() {
        gl_FragColor = vec4(0.88 * seenColour, 1.0);
      }`,
    depthTest: false,
    transparent: true,
  });
  const needles = new InstancedMesh(geometry, material, capacity);
  needles.frustumCulled = false;
  needles.renderOrder = 10;
  return needles;
}

const up = new Vector3(0, 1, 0);
const place = new Vector3();
const direction = new Vector3();
const rotation = new Quaternion();
const unitScale = new Vector3(1, 1, 1);
const matrix = new Matrix4();

function placeNeedle(needles: InstancedMesh, index: number, frame: ContactFrame): void {
  place.fromArray(frame.position, 3 * index);
  direction.fromArray(frame.normal, 3 * index);
  matrix.compose(place, rotation.setFromUnitVectors(up, direction), unitScale);
  needles.setMatrixAt(index, matrix);
  const colour = needles.geometry.getAttribute('colour') as BufferAttribute;
  writeRampColour(colour.array as Float32Array, 3 * index, DEPTH_RAMP, 1000 * frame.depth[index]!);
  colour.needsUpdate = true;
}
