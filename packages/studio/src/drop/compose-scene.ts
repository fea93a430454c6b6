/** Puts parts that the user brought into a scene: what the scene file holds afterwards. */
import { type Bounds, methods, metresPerUnit, type Scene } from '@palpable/engine';
import { bends } from '../parameters/parameter-model.js';
import type { StudioBody } from '../scene/scene.js';
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

type Triple = readonly [number, number, number];
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
 * Parts stand on the floor side by side, as their files turn them; the tool, whether it is new or not, hovers above their
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
  let ground: Bounds | undefined = replaces ? undefined : before.environmentBounds;
  for (const part of still) {
    const bounds = boundsInMetres(part);
    const place = standBeside(bounds, ground);
    bodies[uniqueName(part.fileName, names)] = { ...meshOf(part), position: place, ...describeStill(part, bounds) };
    ground = union(ground, shift(bounds, place));
  }
  const [newTool] = tools;
  const tool = newTool ? uniqueName(newTool.fileName, names) : oldTool!;
  if (newTool) bodies[tool] = describeTool(newTool, ground!);
  else bodies[tool] = { ...bodies[tool], position: liftTool(before, bodies[tool]!, ground!) };
  const longest = Math.max(...parts.map((part) => longestSide(boundsInMetres(part))));
  const suited = withSuitedMethod(withoutLostPairs(before.value, bodies), bodies, longest);
  const value = newTool ? withoutGrasp(suited) : suited;
  return { ...value, name: nameOf(parts), bodies, tool };
}

/** What stands still has a field, or it gives way and is held where it stands. */
function describeStill({ isSoft }: Part, { min, max }: Bounds): Record<string, unknown> {
  if (!isSoft) return { field: { resolution: RESOLUTION } };
  const margin = HELD_SHARE * longestSide({ min, max });
  const held = min[2] + HELD_SHARE * (max[2] - min[2]);
  const corner = ([x, y, z]: Triple, by: number) => [x + by, y + by, z + by];
  return {
    deformable: { fixed: [{ min: corner(min, -margin), max: [max[0] + margin, max[1] + margin, held] }] },
  };
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

function longestSide({ min, max }: Bounds): number {
  return Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

function keptBodies({ value, scene }: SceneBefore, tool: string, replaces: boolean, hasTool: boolean): Bodies {
  const { bodies } = value as { bodies: Bodies };
  const isKept = (name: string) => (scene.tool.includes(name) ? name === tool && !hasTool : !replaces);
  return Object.fromEntries(Object.entries(bodies).filter(([name]) => isKept(name)));
}

function meshOf({ fileName, unit, format }: Part): Record<string, unknown> {
  return { mesh: fileName, ...(unit !== 'm' && format !== 'step' && { unit }) };
}

function describeTool(part: Part, ground: Bounds): Record<string, unknown> {
  const bounds = boundsInMetres(part);
  return {
    ...meshOf(part),
    position: hover(bounds, ground),
    ...(part.isSoft ? { deformable: {} } : { shell: { count: SHELL_POINTS } }),
    // The mass of a mesh with holes is that of its field.
    ...(!part.audit.closed && { field: { resolution: RESOLUTION / 2 } }),
  };
}

/** Where the tool that stays has to go, so that it hovers above what is new. */
function liftTool({ toolBounds }: SceneBefore, body: Record<string, unknown>, ground: Bounds): number[] {
  const position = (body.position ?? [0, 0, 0]) as readonly number[];
  const by = hover(toolBounds, ground);
  return position.map((value, axis) => value + by[axis]!);
}

function boundsInMetres({ audit, unit, format }: Part): Bounds {
  const { min, max } = scaleAudit(audit, format === 'step' ? 1 : metresPerUnit(unit)).bounds;
  return { min: [...min], max: [...max] };
}

/** Shift that brings the middle of a body over that of the ground, with a gap below it. */
function hover(bounds: Bounds, ground: Bounds): Triple {
  const gap = GAP * (bounds.max[2] - bounds.min[2]);
  return [
    middle(ground, 0) - middle(bounds, 0),
    middle(ground, 1) - middle(bounds, 1),
    ground.max[2] + gap - bounds.min[2],
  ];
}

/** Shift that puts a body onto the floor, to the right of what stands there. */
function standBeside(bounds: Bounds, ground: Bounds | undefined): Triple {
  const x = ground ? ground.max[0] + GAP * (bounds.max[0] - bounds.min[0]) - bounds.min[0] : -middle(bounds, 0);
  const y = ground ? middle(ground, 1) - middle(bounds, 1) : -middle(bounds, 1);
  return [x, y, (ground?.min[2] ?? 0) - bounds.min[2]];
}

function middle({ min, max }: Bounds, axis: 0 | 1 | 2): number {
  return (min[axis] + max[axis]) / 2;
}

function shift({ min, max }: Bounds, [x, y, z]: Triple): Bounds {
  return { min: [min[0] + x, min[1] + y, min[2] + z], max: [max[0] + x, max[1] + y, max[2] + z] };
}

function union(a: Bounds | undefined, b: Bounds): Bounds {
  if (!a) return b;
  return {
    min: [Math.min(a.min[0], b.min[0]), Math.min(a.min[1], b.min[1]), Math.min(a.min[2], b.min[2])],
    max: [Math.max(a.max[0], b.max[0]), Math.max(a.max[1], b.max[1]), Math.max(a.max[2], b.max[2])],
  };
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
