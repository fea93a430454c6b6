/**
 * Draws the bodies that bend as the contact thread has them, with the stress in them, and keeps the newest Delassus
 * operator for its image. Checks no more often than somebody could see, and draws only what has changed.
 */
import type { TriangleMesh } from '@palpable/engine';
import type { BodyShape } from '@palpable/engine/advanced';
import { effect } from '@preact/signals';
import { Matrix4 } from 'three';
import { refreshCount } from '../plots/refresh.js';
import { framesToFirst, mergeMeshes, type PlacedMesh } from '../scene/place-meshes.js';
import type { StudioScene } from '../scene/scene.js';
import { type BendingPart, createBendingBodies } from '../stage/bending-bodies.js';
import type { BodyView } from '../stage/body-view.js';
import { createFollowingScale } from '../stage/stress-scale.js';
import { readStageColours } from '../stage/theme-colours.js';
import type { LoadedBody } from '../threads/body-client.js';
import type { ServoClient } from '../threads/servo-client.js';
import { isDeformable } from './chosen-method.js';
import { delassus, isDelassusOpen, overlays, stress } from './state.js';
import type { ShapeSnapshot } from './test-hook.js';
import { theme } from './theme.js';

const SHAPES_MS = 33;
const OPERATOR_MS = 100;

/** What of the stage it draws on. */
export interface BendingStage {
  readonly toolSurface: BodyView;
  readonly environmentSurface: BodyView;
  /** Something has to be drawn again. */
  redraw(): void;
}

export interface BendingWatch {
  /** Whenever a frame could be drawn; `isShown` unless something else than the loop has the stage. */
  follow(loop: ServoClient, isShown: boolean): void;
  /** All bodies undeformed: no loop reports them. */
  relax(): void;
  snapshot(): ShapeSnapshot;
  close(): void;
}

/** Undefined where all bodies are rigid. */
export function watchBending(
  scene: StudioScene,
  bodies: ReadonlyMap<string, LoadedBody>,
  stage: BendingStage,
): BendingWatch | undefined {
  const surfaces = openSurfaces(scene, bodies, stage);
  if (surfaces.parts.length === 0) return undefined;
  const drawn = createBendingBodies(surfaces.parts);
  const scale = createFollowingScale();
  let nextShapesMs = 0;
  let figuresShown = 0;
  let nextOperatorMs = 0;

  const followers = [
    effect(() => {
      const isPainted = overlays.stress.value && isDeformable.value;
      for (const { view } of surfaces.views) view.setPainted(isPainted);
      stage.redraw();
    }),
    effect(() => {
      theme.value;
      const colours = readStageColours();
      for (const { surface, colour } of surfaces.views) drawn.setGround(surface, colours[colour]);
      stage.redraw();
    }),
    effect(() => {
      drawn.setTop(stress.top.value);
      stage.redraw();
    }),
    effect(() => {
      if (!isDeformable.value) relax();
    }),
  ];

  function relax(): void {
    drawn.relax();
    stress.now.value = 0;
    delassus.value = undefined;
    stage.redraw();
  }

  function showShapes(loop: ServoClient, shapes: readonly BodyShape[], nowMs: number): void {
    const isNew = drawn.show(loop.bending, shapes);
    scale.follow(drawn.largest.stress, nowMs);
    if (stress.isFollowing.value) stress.top.value = scale.top;
    if (refreshCount(nowMs) !== figuresShown) {
      figuresShown = refreshCount(nowMs);
      stress.now.value = drawn.largest.stress;
    }
    if (isNew) stage.redraw();
  }

  function keepOperator(loop: ServoClient): void {
    const picture = loop.takeDelassus();
    if (picture) delassus.value = { counts: picture.counts.slice(), couplings: picture.couplings.slice() };
    loop.wantDelassus();
  }

  return {
    follow(loop, isShown) {
      const nowMs = performance.now();
      if (isShown && nowMs >= nextShapesMs) {
        nextShapesMs = nowMs + SHAPES_MS;
        const shapes = loop.takeShapes();
        if (shapes) showShapes(loop, shapes, nowMs);
      }
      if (isDelassusOpen.value && nowMs >= nextOperatorMs) {
        nextOperatorMs = nowMs + OPERATOR_MS;
        keepOperator(loop);
      }
    },
    relax,
    snapshot: () => ({
      ...drawn.largest,
      stressTop: stress.top.value,
      couplings: delassus.value?.counts[0] ?? 0,
    }),
    close() {
      for (const end of followers) end();
      delassus.value = undefined;
      stress.now.value = 0;
    },
  };
}

/** Puts the elastic surfaces in place of the meshes that were drawn while they were worked out. */
function openSurfaces(
  { tool, environments }: StudioScene,
  bodies: ReadonlyMap<string, LoadedBody>,
  { toolSurface, environmentSurface }: BendingStage,
) {
  const elasticOf = (label: string) => bodies.get(label)!.prepared.elastic?.surface;
  const views = [];
  const parts: BendingPart[] = [];
  const rest = elasticOf(tool.label);
  if (rest) {
    const surface = toolSurface.setBendingMesh(rest);
    views.push({ view: toolSurface, surface, colour: 'tool' as const });
    parts.push({ name: tool.label, surface, start: 0, rest, toSurface: new Matrix4() });
  }
  if (environments.some(({ label }) => elasticOf(label))) {
    const placed = environments.map((body): PlacedMesh => {
      const mesh: TriangleMesh = elasticOf(body.label) ?? bodies.get(body.label)!.prepared.mesh;
      return { body, mesh };
    });
    const surface = environmentSurface.setBendingMesh(mergeMeshes(placed));
    views.push({ view: environmentSurface, surface, colour: 'environment' as const });
    const frames = framesToFirst(placed);
    let start = 0;
    placed.forEach(({ mesh }, k) => {
      const { label } = environments[k]!;
      if (elasticOf(label)) parts.push({ name: label, surface, start, rest: mesh, toSurface: frames[k]! });
      start += mesh.positions.length / 3;
    });
  }
  return { views, parts };
}
