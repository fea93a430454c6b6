import type { PreparedBody } from '../asset/prepared-body.js';
import type { FrictionSettings } from '../friction/friction-parameters.js';
import type { Pose } from '../math/pose.js';
import type { SceneBody } from '../settings/body-parameters.js';
import type { ContactSettings, CouplingSettings, LimitSettings } from '../settings/group-parameters.js';
import type { Parameter, ValueOf } from '../settings/parameter.js';
import type { ContactLink } from './contact-link.js';
import type { Clock, Method } from './method.js';
import type { MethodCaches } from './method-caches.js';
import type { ScenePairs } from './scene-pairs.js';
import type { ToolBody } from './tool-contacts.js';

/**
 * All that the rest of the engine knows about a method. Scene types, defaults, checks, schema, documents, panel, warm-up
 * and threads follow from it: nothing outside the method's folder asks for its kind.
 */
export interface MethodDefinition<
  Kind extends string = string,
  Keys extends ParameterTable = ParameterTable,
  Own = object,
> {
  /** As `method.kind` of a scene file names it. */
  readonly kind: Kind;
  /** As people call it, for menus. */
  readonly title: string;
  /** What it does, in a phrase. */
  readonly meaning: string;
  /** Its keys of `method`. */
  readonly parameters: Keys;
  /** Keys of other groups that it reads, such as `contact.stiffness`; `coupling` stands for the whole group. */
  readonly reads: readonly string[];
  /**
   * `model`: by the friction model of the scene. `own`: it has a law of its own, which takes the coefficients and knows of
   * the models only `none`. `none`: it renders no friction.
   */
  readonly friction: 'model' | 'own' | 'none';
  /** Keys among those above that make no difference under these settings; none unless given. */
  idle?(settings: Own): readonly string[];
  /** Which of its forms these settings choose, in a word or two; none unless given. */
  form?(settings: Own): string;
  /** Whether its coupling is critically damped unless the scene says otherwise; undamped unless given. */
  readonly dampsCritically?: boolean;
  /** Whether it draws clusters of contacts rather than contacts. */
  readonly drawsClusters?: boolean;
  /** Which parts of the bodies it finds contacts on. */
  contactsOn(settings: Own): ContactParts;
  /** Whether both bodies of a pair have points where they can; false unless given. */
  isSymmetric?(scene: Pick<MethodScene<Own>, 'method' | 'contact'>): boolean;
  /** Why bodies that have these parts still will not do, as a sentence; null if they will. */
  missing?(scene: MethodScene<Own>, bodies: PreparedBodies): string | null;
  /** Says what is allowed, but probably not meant. */
  warn?(scene: MethodScene<Own>, say: (path: string, message: string) => void): void;
  /** Makes the method of a scene. Called while a scene is loaded or changed, so it may allocate and throw. */
  create(scene: MethodScene<Own>, sources: MethodSources): CreatedMethod;
  /**
   * Most energy that its springs hold when they pull with all that the device can give (N, N m), J. Twice that of the
   * coupling unless given, since contacts hold some as well.
   */
  storedEnergy?(scene: MethodScene<Own>, force: number, torque: number): number;
  /**
   * Whether it leads a tool that starts inside of a body out by itself; false if its tool is always where the device is.
   * Unless given, `createSceneMethod` does it.
   */
  readonly leadsOut?: boolean;
  /** Whether the hand carries the weight of the tool; true unless given. */
  readonly carriesWeight?: boolean;
  /** Why a running loop cannot change to it, as a sentence; null if it can. Any method can unless given. */
  changeProblem?(caches: MethodCaches): string | null;
  /** Whether it is worth a warm-up when the scene starts with another method; true unless given. */
  isExpected?(bodies: PreparedBodies): boolean;
  /** The side that finds contacts, where it can run in a thread of its own. */
  readonly contactSide?: ContactSideDefinition<Own>;
}

export type ParameterTable = Readonly<Record<string, Parameter>>;

/** The values of a table of parameters, defaults filled in. */
export type ValuesOf<Keys extends ParameterTable> = { readonly [Key in keyof Keys]: ValueOf<Keys[Key]> };

/** What contacts are found on: points of a shell in a field, convex pieces of both bodies, or their surfaces. */
export type ContactParts = 'points' | 'pieces' | 'surfaces';

export type PreparedBodies = ReadonlyMap<string, PreparedBody>;

/** What a method reads of a scene. */
export interface MethodScene<Own = object> {
  readonly bodies: Readonly<Record<string, SceneBody>>;
  readonly tool: readonly string[];
  readonly method: Own & { readonly kind: string };
  readonly contact: ContactSettings;
  readonly friction: FrictionSettings;
  readonly coupling: CouplingSettings;
  readonly limits: LimitSettings;
  /** m/s² */
  readonly gravity: readonly [number, number, number];
  /** s */
  readonly timeStep: number;
}

/** What a method is made from, besides the scene. */
export interface MethodSources {
  readonly bodies: PreparedBodies;
  /** The tool that moves. */
  readonly tool: string;
  readonly toolBody: ToolBody;
  /** All tools that hands hold, in their order. */
  readonly tools: readonly string[];
  readonly caches: MethodCaches;
  /** Where other bodies are, by name, to be changed while the method runs; as the scene says for those not in it. */
  readonly places?: ReadonlyMap<string, Pose>;
  /** Milliseconds; without it the stages are not timed. */
  readonly clock?: Clock;
  /** To the contact side of this method in another thread. */
  readonly contactLink?: ContactLink;
}

export interface CreatedMethod extends Partial<ScenePairs> {
  readonly method: Method;
}

/** The contact side of a method, for a thread of its own: newest state in, contact model out. */
export interface ContactSideDefinition<Own = object> {
  /** Numbers of the largest model, with all that commands may change. */
  readonly modelSize: number;
  /** Numbers that a model uses. */
  sizeOf(model: Float64Array): number;
  /** Numbers of the largest state. */
  stateSize(scene: MethodScene<Own>, bodies: PreparedBodies, tools: readonly string[]): number;
  /** Whether one side serves all hands, in the exchange of the first. */
  readonly isShared: boolean;
  serve(scene: MethodScene<Own>, sources: MethodSources): ServedSide;
  /** Surfaces that bend, for whoever draws them; none unless given. */
  bentBodies?(scene: MethodScene<Own>, bodies: PreparedBodies): readonly BentBody[];
}

export interface ServedSide {
  update(model: Float64Array, state: Float64Array): void;
  /** The tool was put somewhere else. */
  reset(): void;
  /** Where the tool is. */
  place(out: Pose, state: Float64Array): void;
  /** Writes a surface as the last update has it: places in the body's frame (m) and von Mises stress (Pa). */
  drawBent?(body: string, positions: Float32Array, stress: Float32Array): void;
}

export interface BentBody {
  readonly name: string;
  readonly vertices: number;
}

/**
 * A definition with its types worked out by the compiler: the settings that `create` reads follow from `parameters`.
 *
 * @example
 * ```ts
 * import { defineMethod } from '@palpable/engine';
 *
 * const floor = defineMethod({
 *   kind: 'floor',
 *   title: 'Floor',
 *   meaning: 'a floor at z = 0 that pushes like a spring',
 *   parameters: {
 *     stiffness: { kind: 'number', unit: 'N/m', above: 0, default: 800, meaning: 'Stiffness of the floor.' },
 *   },
 *   reads: [],
 *   friction: 'none',
 *   contactsOn: () => 'points',
 *   create: ({ method: { stiffness } }) => ({
 *     method: {
 *       reset() {},
 *       step(output, devicePose) {
 *         output.toolPose.set(devicePose);
 *         output.wrench.fill(0);
 *         output.wrench[2] = stiffness * Math.max(0, -devicePose[2]!);
 *       },
 *     },
 *   }),
 * });
 * console.log(floor.kind);
 * ```
 */
export function defineMethod<const Kind extends string, const Keys extends ParameterTable>(
  definition: MethodDefinition<Kind, Keys, ValuesOf<Keys>>,
): MethodDefinition<Kind, Keys, ValuesOf<Keys>> {
  return definition;
}
