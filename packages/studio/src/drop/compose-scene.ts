/** Puts parts that the user brought into a scene: what the scene file holds afterwards. */
import { methods, type Scene } from '@palpable/engine';
import { type Bounds, metresPerUnit } from '@palpable/engine/advanced';
import { Box3, Vector3 } from 'three';
import { bends } from '../parameters/parameter-model.js';
import type { MeshSource, StudioBody } from '../scene/scene.js';
import { type Part, scaleAudit } from './part.js';

export interface SceneBefore {
  /** What the file held, and the same checked. */
  readonly value: unknown;
  readonly scene: Scene;
  readonly bodies: readonly StudioBody[];
  /** World bounds of the tool and of all that stands still. */
  readonly toolBounds: Bounds;
  readonly environmentBounds: Bounds;
}

type Bodies = Record<string, Record<string, unknown>>;

/** Voxels along the longest side, and points of the shell. */
const RESOLUTION = 192;
const SHELL_POINTS = 5000;
/** Room between the tool and what it is to touch, as a part of the tool's height. */
const GAP = 0.25;
/** The lower end by which a soft part is held, as a part of its height. */
const HELD_SHARE = 0.1;
/** From how far surfaces are watched, as a part of the longest part. */
const ALARM_SHARE = 0.02;

/**
 * Parts stand on the floor side by side, in the orientation of their files; the tool, whether it is new or not, hovers above their
 * middle. Throws nothing: the result is checked as any other scene.
 */
export function composeScene(before: SceneBefore, parts: readonly Part[]): unknown {
  const tools = parts.filter(({ role }) => role === 'tool');
  const still = parts.filter(({ role }) => role !== 'tool');
  const replaces = parts.some(({ role }) => role === 'environment');
  const [oldTool] = before.scene.tool;
  const kept = keptBodies(before, oldTool!, replaces, tools.length > 0);
  const names = new Set(Object.keys(kept));

  const bodies: Bodies = { ...kept };
  const ground = replaces ? new Box3() : boxOf(before.environmentBounds);
  for (const part of still) {
    const box = boxInMetres(part);
    const place = standBeside(box, ground);
    const position = place.toArray();
    bodies[uniqueName(part.fileName, names)] = { ...meshOf(part), position, ...describeStill(part, box) };
    ground.union(box.translate(place));
  }
  const [newTool] = tools;
  const tool = newTool ? uniqueName(newTool.fileName, names) : oldTool!;
  if (newTool) bodies[tool] = describeTool(newTool, ground);
  else bodies[tool] = { ...bodies[tool], position: liftTool(before, bodies[tool]!, ground) };
  const longest = Math.max(...parts.map((part) => longestSide(boxInMetres(part))));
  const suited = withSuitedMethod(withoutLostPairs(before.value, bodies), bodies, longest);
  const value = newTool ? withoutGrasp(suited) : suited;
  return { ...value, name: nameOf(parts), bodies, tool };
}

/** What stands still has a field, or it gives way and is held where it stands. */
function describeStill({ isSoft }: Part, box: Box3): Record<string, unknown> {
  if (!isSoft) return { field: { resolution: RESOLUTION } };
  const { min, max } = box.clone().expandByScalar(HELD_SHARE * longestSide(box));
  max.z = box.min.z + HELD_SHARE * (box.max.z - box.min.z);
  return { deformable: { fixed: [{ min: min.toArray(), max: max.toArray() }] } };
}

/** Bodies that give way need a method that bends them, and only they do. */
function withSuitedMethod(value: Record<string, unknown>, bodies: Bodies, longest: number): Record<string, unknown> {
  const method = (value.method ?? {}) as Record<string, unknown>;
  const isSoft = Object.values(bodies).some(({ deformable }) => deformable);
  if (isSoft === bends(method.kind)) return value;
  if (!isSoft) return { ...value, method: {} };
  const { kind, parameters } = methods.find((one) => bends(one.kind))!;
  return { ...value, method: { kind, ...('alarmDistance' in parameters && { alarmDistance: ALARM_SHARE * longest }) } };
}

/** Where the old tool was held means nothing to a new one. */
function withoutGrasp(value: Record<string, unknown>): Record<string, unknown> {
  const { graspPoint: _, ...coupling } = (value.coupling ?? {}) as Record<string, unknown>;
  return value.coupling ? { ...value, coupling } : value;
}

function boxOf({ min, max }: Bounds): Box3 {
  return new Box3(new Vector3(...min), new Vector3(...max));
}

function longestSide(box: Box3): number {
  return Math.max(...box.getSize(new Vector3()));
}

function keptBodies({ value, scene }: SceneBefore, tool: string, replaces: boolean, hasTool: boolean): Bodies {
  const { bodies } = value as { bodies: Bodies };
  const isKept = (name: string) => (scene.tool.includes(name) ? name === tool && !hasTool : !replaces);
  return Object.fromEntries(Object.entries(bodies).filter(([name]) => isKept(name)));
}

function meshOf({ fileName, unit, format }: Part): Record<string, unknown> {
  return { mesh: fileName, ...(unit !== 'm' && format !== 'step' && { unit }) };
}

function describeTool(part: Part, ground: Box3): Record<string, unknown> {
  return {
    ...meshOf(part),
    position: hover(boxInMetres(part), ground).toArray(),
    ...(part.isSoft ? { deformable: {} } : { shell: { count: SHELL_POINTS } }),
    // The mass of a mesh with holes is that of its field.
    ...(!part.audit.closed && { field: { resolution: RESOLUTION / 2 } }),
  };
}

/** Where the tool that stays has to go, so that it hovers above what is new. */
function liftTool({ toolBounds }: SceneBefore, body: Record<string, unknown>, ground: Box3): number[] {
  const position = (body.position ?? [0, 0, 0]) as [number, number, number];
  return new Vector3(...position).add(hover(boxOf(toolBounds), ground)).toArray();
}

function boxInMetres({ audit, unit, format }: Part): Box3 {
  return boxOf(scaleAudit(audit, format === 'step' ? 1 : metresPerUnit(unit)).bounds);
}

/** Shift that brings the middle of a body over that of the ground, with a gap below it. */
function hover(box: Box3, ground: Box3): Vector3 {
  const shift = ground.getCenter(new Vector3()).sub(box.getCenter(new Vector3()));
  return shift.setZ(ground.max.z + GAP * (box.max.z - box.min.z) - box.min.z);
}

/** Shift that puts a body onto the floor, to the right of what stands there. */
function standBeside(box: Box3, ground: Box3): Vector3 {
  const middle = box.getCenter(new Vector3());
  if (ground.isEmpty()) return middle.negate().setZ(-box.min.z);
  const x = ground.max.x + GAP * (box.max.x - box.min.x) - box.min.x;
  return new Vector3(x, ground.getCenter(new Vector3()).y - middle.y, ground.min.z - box.min.z);
}

/** The file's name without its ending and without dots, which paths of keys are made with; with a number where taken. */
function uniqueName(fileName: string, taken: Set<string>): string {
  const stem = fileName.replace(/\.[^.]*$/, '').replaceAll('.', '-') || 'part';
  let name = stem;
  for (let number = 2; taken.has(name); number += 1) name = `${stem} ${number}`;
  taken.add(name);
  return name;
}

/** Friction that was given for bodies which are gone is gone with them. */
function withoutLostPairs(value: unknown, bodies: Bodies): Record<string, unknown> {
  const scene = value as Record<string, unknown> & { friction?: { pairs?: { bodies: string[] }[] } };
  const pairs = scene.friction?.pairs?.filter((pair) => pair.bodies.every((name) => name in bodies));
  return pairs ? { ...scene, friction: { ...scene.friction, pairs } } : scene;
}

function nameOf(parts: readonly Part[]): string {
  const names = parts.map(({ fileName }) => fileName.replace(/\.[^.]*$/, ''));
  return names.join(' and ');
}

type BytesSource = Extract<MeshSource, { kind: 'bytes' }>;

/** Those that the scene on the stage was made from stay with it; the new ones come on top. */
export function broughtSources(
  { bodies }: Pick<SceneBefore, 'bodies'>,
  parts: readonly Part[],
): ReadonlyMap<string, BytesSource> {
  const files = new Map<string, BytesSource>();
  for (const { source } of bodies) if (source.kind === 'bytes') files.set(source.fileName, source);
  for (const { fileName, bytes, second } of parts) files.set(fileName, { kind: 'bytes', bytes, fileName, second });
  return files;
}
