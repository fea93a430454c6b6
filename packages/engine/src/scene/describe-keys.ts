import { describeRange } from '../settings/describe-range.js';
import { isOptional, type Parameter } from '../settings/parameter.js';
import { type ListedParameter, listParameters } from './list-parameters.js';

/** All keys of a scene file as Markdown: one table for the file itself, one for each group. */
export function describeKeysAsMarkdown(): string {
  const sections = new Map<string, ListedParameter[]>();
  for (const listed of listParameters()) {
    const group = groupOf(listed.path);
    sections.set(group, [...(sections.get(group) ?? []), listed]);
  }
  return [...sections].map(([group, listed]) => section(group, listed)).join('\n\n');
}

/** Everything before the last key: the empty text for keys of the file itself. */
function groupOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

function lastKey(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function section(group: string, listed: readonly ListedParameter[]): string {
  const rows = listed.map(({ path, parameter }) => [
    `\`${lastKey(path)}\``,
    valueText(parameter),
    defaultText(parameter),
    [parameter.meaning, parameter.extremes].filter(Boolean).join(' '),
  ]);
  const heading = group === '' ? '### The file' : `### \`${group}\``;
  const choices = listed.flatMap(({ path, parameter }) => choiceLines(lastKey(path), parameter));
  return [heading, '', ...table([['key', 'value', 'default', 'meaning'], ...rows]), ...choices].join('\n');
}

function valueText(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'number': {
      const range = describeRange(parameter);
      const number = range === '1' ? '' : parameter.whole ? 'whole number' : 'number';
      return [number, range, parameter.unit && `(${parameter.unit})`].filter(Boolean).join(' ');
    }
    case 'vector':
      return [
        parameter.rotation ? 'x, y, z, w' : `${parameter.length} numbers`,
        parameter.unit && `(${parameter.unit})`,
      ]
        .filter(Boolean)
        .join(' ');
    case 'choice':
      return 'one of those below';
    case 'list':
      return parameter.length ? `list of ${parameter.length}` : 'list';
    default:
      return KIND_WORDS[parameter.kind];
  }
}

const KIND_WORDS = {
  flag: 'true or false',
  text: 'text',
  names: 'name, or list of names',
  group: 'object, see below',
  map: 'object, see below',
  variants: 'path, or object, see below',
} as const;

function defaultText(parameter: Parameter): string {
  if (!isOptional(parameter)) return 'required';
  if (!('default' in parameter)) return '';
  const { default: value } = parameter;
  return value === null ? 'none' : `\`${JSON.stringify(value).replaceAll(',', ', ')}\``;
}

function choiceLines(key: string, parameter: Parameter): string[] {
  if (parameter.kind !== 'choice') return [];
  const items = Object.entries(parameter.choices).map(
    ([name, meaning]) => `- \`${name}\`: ${meaning.replace(/\.$/, '')}`,
  );
  return ['', `Choices of \`${key}\`:`, '', ...items];
}

/** Columns of equal width, as formatters write them. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column], fill)).join(' | ')} |`;
  return [line(rows[0]), line(['', '', '', ''], '-'), ...rows.slice(1).map((row) => line(row))];
}
