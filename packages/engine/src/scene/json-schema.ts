import { isOptional, type NumberRange, type Parameter } from '../settings/parameter.js';
import { sceneDescription } from './scene-description.js';

/** A JSON Schema (draft 7, which editors know best) as plain data. */
export type JsonSchema = { readonly [key: string]: unknown };

/** Lets editors complete and check scene files while they are written. `checkScene` checks more than this can say. */
export function sceneJsonSchema(): JsonSchema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Palpable scene', ...schemaOf(sceneDescription) };
}

function schemaOf(parameter: Parameter): JsonSchema {
  const { meaning, extremes } = parameter;
  const schema = {
    description: [meaning, extremes].filter(Boolean).join(' '),
    ...('unit' in parameter && parameter.unit !== '' ? { $comment: `unit: ${parameter.unit}` } : {}),
    ...shapeOf(parameter),
  };
  const byDefault = 'default' in parameter ? parameter.default : undefined;
  if (byDefault === undefined) return schema;
  return byDefault === null ? { anyOf: [schema, { type: 'null' }], default: null } : { ...schema, default: byDefault };
}

function shapeOf(parameter: Parameter): JsonSchema {
  switch (parameter.kind) {
    case 'number':
      return { type: parameter.whole ? 'integer' : 'number', ...rangeOf(parameter) };
    case 'flag':
      return { type: 'boolean' };
    case 'text':
      return { type: 'string' };
    case 'choice':
      return { enum: Object.keys(parameter.choices) };
    case 'vector': {
      const items = { type: 'number', ...rangeOf(parameter) };
      return { type: 'array', items, minItems: parameter.length, maxItems: parameter.length };
    }
    case 'names':
      return { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }] };
    case 'list': {
      const { of, length } = parameter;
      return { type: 'array', items: schemaOf(of), ...(length && { minItems: length, maxItems: length }) };
    }
    case 'group':
      return objectOf(parameter.keys, parameter.open === true);
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(parameter.of), minProperties: 1 };
    case 'variants': {
      const forms = Object.entries(parameter.keys).map(([key, each]) => objectOf({ [key]: each }, false));
      return { anyOf: [{ type: 'string', minLength: 1, description: parameter.text }, ...forms] };
    }
  }
}

function objectOf(keys: Readonly<Record<string, Parameter>>, open: boolean): JsonSchema {
  const required = Object.keys(keys).filter((key) => !isOptional(keys[key]));
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(keys).map(([key, each]) => [key, schemaOf(each)])),
    ...(required.length > 0 && { required }),
    additionalProperties: open,
  };
}

function rangeOf({ min, above, max }: NumberRange): JsonSchema {
  return {
    ...(min !== undefined && { minimum: min }),
    ...(above !== undefined && { exclusiveMinimum: above }),
    ...(max !== undefined && { maximum: max }),
  };
}
