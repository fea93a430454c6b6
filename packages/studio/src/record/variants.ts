/** What a motion is run through: the scene of the take with some keys changed. */
import { methodOf } from '@palpable/engine';
import { sceneDescription } from '@palpable/engine/advanced';
import { bends, inWords } from '../parameters/parameter-model.js';

export interface Variant {
  /** For legends and tables. */
  readonly label: string;
  /** New values by the path of their key, as in `friction.model`. */
  readonly changes: Readonly<Record<string, unknown>>;
}

export interface VariantChoice {
  readonly value: string;
  readonly label: string;
  /** What it is, in a sentence. */
  readonly meaning: string;
}

const { method, friction } = sceneDescription.keys;

export const METHOD_CHOICES: readonly VariantChoice[] = choicesOf(method.keys.kind.choices);

/** Those that a scene's bodies are likely prepared for: bodies that bend have nothing that the others could use. */
export function suitedMethods(scene: unknown): ReadonlySet<string> {
  const { method: chosen } = (scene ?? {}) as { readonly method?: { readonly kind?: unknown } };
  const isBent = bends(chosen?.kind);
  return new Set(METHOD_CHOICES.map(({ value }) => value).filter((value) => bends(value) === isBent));
}

export const FRICTION_CHOICES: readonly VariantChoice[] = choicesOf(friction.keys.model.choices);

function choicesOf(choices: Readonly<Record<string, string>>): VariantChoice[] {
  return Object.entries(choices).map(([value, meaning]) => ({ value, label: inWords(value), meaning }));
}

/**
 * The runs that methods and models of friction make together, each once. A method with a friction law of its own
 * only knows with and without.
 */
export function variantsOf(methods: ReadonlySet<string>, models: ReadonlySet<string>): Variant[] {
  return METHOD_CHOICES.filter(({ value }) => methods.has(value)).flatMap(({ value, label }) => {
    const { friction: law } = methodOf(value);
    if (law === 'none') return [{ label, changes: { 'method.kind': value } }];
    if (law === 'own') return ownFrictionVariants(value, label, models);
    return FRICTION_CHOICES.filter((model) => models.has(model.value)).map((model) => ({
      label: `${label}, ${model.value === 'none' ? 'no friction' : keepName(model.label)}`,
      changes: { 'method.kind': value, 'friction.model': model.value },
    }));
  });
}

function keepName(label: string): string {
  return label.includes('–') ? label : label.toLowerCase();
}

function ownFrictionVariants(method: string, label: string, models: ReadonlySet<string>): Variant[] {
  const changes = (model: string) => ({ 'method.kind': method, 'friction.model': model });
  const variants: Variant[] = [];
  if (models.has('none')) variants.push({ label: `${label}, no friction`, changes: changes('none') });
  if (models.size > (models.has('none') ? 1 : 0)) variants.push({ label, changes: changes('cone') });
  return variants;
}

/** The scene with the changes of a variant; the given one stays as it is. */
export function changedScene(scene: unknown, { changes }: Variant): unknown {
  return Object.entries(changes).reduce<unknown>(
    (changed, [path, value]) => withKey(changed, path.split('.'), value),
    scene,
  );
}

function withKey(value: unknown, [key, ...rest]: readonly string[], newValue: unknown): unknown {
  const object = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  return { ...object, [key!]: rest.length === 0 ? newValue : withKey(object[key!], rest, newValue) };
}
