/**
 * How a key of a scene file is described. One description per key gives the check of a file, its defaults, the JSON
 * Schema for editors, the tables of the documents and the controls of a panel.
 *
 * A key without `default` has to be given, except for groups: these are filled from their own keys. A default of null
 * means that the key may be left out (or be null) and that its absence says something of its own.
 */
export type Parameter =
  | NumberParameter
  | FlagParameter
  | TextParameter
  | ChoiceParameter
  | VectorParameter
  | NamesParameter
  | ListParameter
  | GroupParameter
  | MapParameter
  | VariantsParameter;

interface Described {
  /** One sentence. */
  readonly meaning: string;
  /** What goes wrong when the value is too small or too large. */
  readonly extremes?: string;
}

/** Bounds of a number: `min` and `max` are allowed themselves, `above` is not. */
export interface NumberRange {
  readonly min?: number;
  readonly above?: number;
  readonly max?: number;
}

/** A number with a unit, within a range. */
export interface NumberParameter extends Described, NumberRange {
  readonly kind: 'number';
  /** As it is written after a number; empty for pure numbers. */
  readonly unit: string;
  readonly whole?: true;
  readonly default?: number | null;
}

/** True or false. */
export interface FlagParameter extends Described {
  readonly kind: 'flag';
  readonly default: boolean;
}

export interface TextParameter extends Described {
  readonly kind: 'text';
  readonly default?: string | null;
}

/** One of several words. */
export interface ChoiceParameter extends Described {
  readonly kind: 'choice';
  /** What may be chosen, and what it is. */
  readonly choices: Readonly<Record<string, string>>;
  readonly default?: string | null;
}

/** So many numbers in brackets, each within the range. */
export interface VectorParameter extends Described, NumberRange {
  readonly kind: 'vector';
  readonly length: 2 | 3 | 4;
  readonly unit: string;
  /** A quaternion x, y, z, w: of any length but 0, scaled to 1. */
  readonly rotation?: true;
  readonly default?: readonly number[] | null;
}

/** One name, or a list of names; always a list once it is read. */
export interface NamesParameter extends Described {
  readonly kind: 'names';
}

export interface ListParameter extends Described {
  readonly kind: 'list';
  readonly of: Parameter;
  /** Exactly so many; any number unless given. */
  readonly length?: 2;
  readonly default?: readonly [];
}

export interface GroupParameter extends Described {
  readonly kind: 'group';
  readonly keys: Readonly<Record<string, Parameter>>;
  /** Keys beyond these are kept as they are. */
  readonly open?: true;
  readonly default?: null;
}

/** Keys are names that the user gives. */
export interface MapParameter extends Described {
  readonly kind: 'map';
  readonly of: Parameter;
  readonly default?: null;
}

/** Either a text, or an object with exactly one of the keys. */
export interface VariantsParameter extends Described {
  readonly kind: 'variants';
  readonly text: string;
  readonly keys: Readonly<Record<string, Parameter>>;
}

/** What is there once a file has been read and its defaults have been filled. */
export type ValueOf<P> = P extends { readonly default: null } ? GivenValueOf<P> | null : GivenValueOf<P>;

type GivenValueOf<P> = P extends { kind: 'number' }
  ? number
  : P extends { kind: 'flag' }
    ? boolean
    : P extends { kind: 'text' }
      ? string
      : P extends { kind: 'choice'; choices: infer C }
        ? keyof C & string
        : P extends { kind: 'vector'; length: infer L }
          ? VectorOf<L>
          : P extends { kind: 'names' }
            ? readonly string[]
            : P extends { kind: 'list'; of: infer Q }
              ? ListOf<P, ValueOf<Q>>
              : ObjectValueOf<P>;

type ObjectValueOf<P> = P extends { kind: 'group'; keys: infer K }
  ? { readonly [Key in keyof K]: ValueOf<K[Key]> } & (P extends { open: true }
      ? Readonly<Record<string, unknown>>
      : unknown)
  : P extends { kind: 'map'; of: infer Q }
    ? Readonly<Record<string, ValueOf<Q>>>
    : P extends { kind: 'variants'; keys: infer K }
      ? string | { readonly [Key in keyof K]: { readonly [Only in Key]: ValueOf<K[Key]> } }[keyof K]
      : never;

type VectorOf<L> = L extends 2
  ? readonly [number, number]
  : L extends 3
    ? readonly [number, number, number]
    : readonly [number, number, number, number];

type ListOf<P, Item> = P extends { length: 2 } ? readonly [Item, Item] : readonly Item[];

/** Whether a key may be left out. */
export function isOptional(parameter: Parameter): boolean {
  return 'default' in parameter || (parameter.kind === 'group' && Object.values(parameter.keys).every(isOptional));
}
