import { PalpableError } from '../base/errors.js';
import { solveLinear } from '../math/linear-algebra.js';
import { dot, lengthAt } from '../math/vectors.js';
import {
  CONTACT_DYNAMIC,
  CONTACT_SEPARATING,
  CONTACT_STATIC,
  createFrictionProblem,
  type FrictionProblem,
} from './friction-problem.js';
import { writeTangents } from './tangent-frame.js';

/**
 * The friction problem of a cycle as a JSON file, so that any model can solve it again. Numbers are shortest
 * round-trip doubles: reading what was written gives the same bits. docs/friction-problem.md describes every key.
 */

const KIND = 'friction-problem';
const VERSION = 1;
const ROLE_NAMES: readonly string[] = ['static', 'separating', 'dynamic'];
const ROLES = [CONTACT_STATIC, CONTACT_SEPARATING, CONTACT_DYNAMIC] as const;
/** How far vectors that should have length 1, or stand at right angles, may be off: files are also written by hand. */
const UNIT_TOLERANCE = 1e-6;
const MOST_FINDINGS = 100;

const PROBLEM_KEYS: readonly string[] = [
  'palpable',
  'kind',
  'mass',
  'inertia',
  'length',
  'wrench',
  'stiffness',
  'couplingWrench',
  'couplingStiffness',
  'contactStiffness',
  'contacts',
];
const CONTACT_KEYS: readonly string[] = [
  'arm',
  'normal',
  'tangents',
  'normalForce',
  'normalStiffness',
  'coefficient',
  'role',
  'stretch',
];

type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a text is meant to be such a file: JSON that states its kind. Says nothing about mistakes in it. */
export function isProblemFile(text: string): boolean {
  return /^\s*\{/.test(text) && new RegExp(`"kind"\\s*:\\s*"${KIND}"`).test(text);
}

/** Writes a friction problem as JSON; numbers round-trip exactly. */
export function encodeProblem(problem: FrictionProblem): string {
  const head = [
    ['palpable', String(VERSION)],
    ['kind', JSON.stringify(KIND)],
    ['mass', number('mass', problem.mass)],
    ['inertia', matrix('inertia', problem.inertia, 3)],
    ['length', number('length', problem.length)],
    ['wrench', list('wrench', problem.wrench, 0, 6)],
    ['stiffness', matrix('stiffness', problem.stiffness, 6)],
    ['couplingWrench', list('couplingWrench', problem.couplingWrench, 0, 6)],
    ['couplingStiffness', matrix('couplingStiffness', problem.couplingStiffness, 6)],
    ['contactStiffness', number('contactStiffness', problem.contactStiffness)],
  ].map(([key, value]) => `  "${key}": ${value},\n`);
  const contacts = Array.from({ length: problem.count }, (_, i) => `\n    ${encodeContact(problem, i)}`);
  return `{\n${head.join('')}  "contacts": [${contacts.join(',')}${contacts.length > 0 ? '\n  ' : ''}]\n}\n`;
}

function encodeContact(problem: FrictionProblem, i: number): string {
  const at = `contacts[${i}]`;
  const u = list(`${at}.tangents[0]`, problem.tangent, 6 * i, 3);
  const v = list(`${at}.tangents[1]`, problem.tangent, 6 * i + 3, 3);
  const fields = [
    `"arm": ${list(`${at}.arm`, problem.arm, 3 * i, 3)}`,
    `"normal": ${list(`${at}.normal`, problem.normal, 3 * i, 3)}`,
    `"tangents": [${u}, ${v}]`,
    `"normalForce": ${number(`${at}.normalForce`, problem.normalForce[i])}`,
    `"normalStiffness": ${number(`${at}.normalStiffness`, problem.normalStiffness[i])}`,
    `"coefficient": ${number(`${at}.coefficient`, problem.coefficient[i])}`,
    `"role": "${ROLE_NAMES[ROLES.indexOf(problem.role[i] as (typeof ROLES)[number])]}"`,
    `"stretch": ${list(`${at}.stretch`, problem.stretch, 2 * i, 2)}`,
  ];
  return `{ ${fields.join(', ')} }`;
}

function number(path: string, value: number): string {
  if (!Number.isFinite(value)) {
    const message = `The friction problem cannot be written: ${path} is ${value}, expected a finite number.`;
    throw new PalpableError('format-invalid', message, path);
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

function list(path: string, values: Float64Array, from: number, count: number): string {
  const texts = Array.from({ length: count }, (_, i) => number(`${path}[${i}]`, values[from + i]));
  return `[${texts.join(', ')}]`;
}

function matrix(path: string, values: Float64Array, size: number): string {
  const rows = Array.from({ length: size }, (_, i) => list(`${path}[${i}]`, values, size * i, size));
  return `[${rows.join(', ')}]`;
}

/** Reads a problem; throws one `PalpableError` that names everything that is wrong with the text. */
export function decodeProblem(text: string): FrictionProblem {
  const file = parseJson(text);
  const findings = new Findings();
  if (!isObject(file)) {
    findings.add('', file, `an object with "kind": "${KIND}"`);
    throw findings.toError();
  }
  findings.checkKeys('', file, PROBLEM_KEYS);
  if (file.palpable !== VERSION) findings.add('palpable', file.palpable, `${VERSION}, the version of the format`);
  if (file.kind !== KIND) findings.add('kind', file.kind, `"${KIND}"`);
  const contacts = Array.isArray(file.contacts) ? file.contacts : [];
  if (!Array.isArray(file.contacts)) findings.add('contacts', file.contacts, 'a list of contacts, [] for none');
  const problem = createFrictionProblem(contacts.length);
  problem.count = contacts.length;
  readBody(findings, problem, file);
  contacts.forEach((contact, i) => {
    readContact(findings, problem, contact, i);
  });
  if (findings.count > 0) throw findings.toError();
  deriveCoupling(problem, file);
  return problem;
}

function readBody(findings: Findings, problem: FrictionProblem, file: JsonObject): void {
  problem.mass = findings.positive('mass', file.mass, 'kg');
  problem.length = findings.positive('length', file.length, 'm, the size of the tool');
  const inertia = findings.numbers(problem.inertia, 0, 'inertia', file.inertia, [3, 3]);
  if (inertia && !isPositiveDefinite(problem.inertia)) {
    findings.add('inertia', file.inertia, 'a symmetric, positive definite matrix, kg m²');
  }
  findings.numbers(problem.wrench, 0, 'wrench', file.wrench, [6]);
  const stiffness = findings.numbers(problem.stiffness, 0, 'stiffness', file.stiffness, [6, 6]);
  if (stiffness && !solveLinear(new Float64Array(6), problem.stiffness.slice(), 6)) {
    findings.add('stiffness', file.stiffness, 'a matrix that can be inverted, else no displacement follows from it');
  }
  if (file.couplingWrench !== undefined) {
    findings.numbers(problem.couplingWrench, 0, 'couplingWrench', file.couplingWrench, [6]);
  }
  if (file.couplingStiffness !== undefined) {
    findings.numbers(problem.couplingStiffness, 0, 'couplingStiffness', file.couplingStiffness, [6, 6]);
  }
  if (file.contactStiffness !== undefined) {
    problem.contactStiffness = findings.notNegative('contactStiffness', file.contactStiffness, 'N/m');
  }
}

function readContact(findings: Findings, problem: FrictionProblem, contact: unknown, i: number): void {
  const at = `contacts[${i}]`;
  if (!isObject(contact)) {
    findings.add(at, contact, 'an object with arm, normal, normalForce, normalStiffness and coefficient');
    return;
  }
  findings.checkKeys(`${at}.`, contact, CONTACT_KEYS);
  findings.numbers(problem.arm, 3 * i, `${at}.arm`, contact.arm, [3]);
  readFrame(findings, problem, contact, i);
  problem.normalForce[i] = findings.notNegative(`${at}.normalForce`, contact.normalForce, 'N');
  problem.normalStiffness[i] = findings.notNegative(`${at}.normalStiffness`, contact.normalStiffness, 'N/m');
  if (problem.normalForce[i] > 0 && problem.normalStiffness[i] === 0) {
    findings.add(`${at}.normalStiffness`, contact.normalStiffness, 'a number above 0, since there is a normal force');
  }
  problem.coefficient[i] = findings.notNegative(
    `${at}.coefficient`,
    contact.coefficient,
    'the coefficient of friction',
  );
  const role = contact.role === undefined ? 0 : ROLE_NAMES.indexOf(contact.role as string);
  if (role < 0) findings.add(`${at}.role`, contact.role, '"static", "separating" or "dynamic"');
  problem.role[i] = ROLES[role] ?? CONTACT_STATIC;
  if (contact.stretch !== undefined) {
    findings.numbers(problem.stretch, 2 * i, `${at}.stretch`, contact.stretch, [2]);
  }
}

function readFrame(findings: Findings, problem: FrictionProblem, contact: JsonObject, i: number): void {
  const at = `contacts[${i}]`;
  const { normal, tangent } = problem;
  if (!findings.numbers(normal, 3 * i, `${at}.normal`, contact.normal, [3])) return;
  const n = normal.subarray(3 * i, 3 * i + 3);
  if (Math.abs(dot(n, 0, n, 0) - 1) > UNIT_TOLERANCE) {
    findings.add(`${at}.normal`, contact.normal, `a vector of length 1, not ${shown(lengthAt(n, 0))}`);
    return;
  }
  if (contact.tangents === undefined) {
    writeTangents(tangent, normal, i);
    return;
  }
  if (!findings.numbers(tangent, 6 * i, `${at}.tangents`, contact.tangents, [2, 3])) return;
  const u = tangent.subarray(6 * i, 6 * i + 3);
  const v = tangent.subarray(6 * i + 3, 6 * i + 6);
  const errors = [dot(u, 0, u, 0) - 1, dot(v, 0, v, 0) - 1, dot(u, 0, v, 0), dot(u, 0, n, 0), dot(v, 0, n, 0)];
  if (errors.some((error) => Math.abs(error) > UNIT_TOLERANCE)) {
    const expected = 'two vectors of length 1, at right angles to the normal and to each other';
    findings.add(`${at}.tangents`, contact.tangents, expected);
  }
}

/**
 * What a file leaves out of the coupling is what remains of w and K without the normal forces: w − Σ N_i F_n,i and
 * K + Σ k_i N_i N_iᵀ, with N_i = (n_i; r_i × n_i).
 */
function deriveCoupling(problem: FrictionProblem, file: JsonObject): void {
  const derivesWrench = file.couplingWrench === undefined;
  const derivesStiffness = file.couplingStiffness === undefined;
  if (derivesWrench) problem.couplingWrench.set(problem.wrench);
  if (derivesStiffness) problem.couplingStiffness.set(problem.stiffness);
  for (let i = 0; i < problem.count; i += 1) {
    const [x, y, z] = problem.arm.subarray(3 * i, 3 * i + 3);
    const [nx, ny, nz] = problem.normal.subarray(3 * i, 3 * i + 3);
    const column = [nx, ny, nz, y * nz - z * ny, z * nx - x * nz, x * ny - y * nx];
    const [force, stiffness] = [problem.normalForce[i], problem.normalStiffness[i]];
    column.forEach((a, row) => {
      if (derivesWrench) problem.couplingWrench[row] -= a * force;
      if (!derivesStiffness) return;
      column.forEach((b, other) => {
        problem.couplingStiffness[6 * row + other] += a * b * stiffness;
      });
    });
  }
}

function isPositiveDefinite(m: Float64Array): boolean {
  const size = Math.max(...m.map(Math.abs));
  const [a, b, c, , d, e, , , f] = m as unknown as number[];
  const skew = Math.max(Math.abs(b - m[3]), Math.abs(c - m[6]), Math.abs(e - m[7]));
  if (skew > UNIT_TOLERANCE * size) return false;
  const determinant = a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c);
  return a > 0 && a * d - b * b > 0 && determinant > 0;
}

/** Everything that is wrong with one file. */
class Findings {
  count = 0;
  private firstPath: string | undefined;
  private readonly lines: string[] = [];

  add(path: string, found: unknown, expected: string): void {
    this.count += 1;
    this.firstPath ??= path === '' ? undefined : path;
    const place = path === '' ? '' : `${path}: `;
    if (this.count <= MOST_FINDINGS) this.lines.push(`${place}found ${shown(found)}, expected ${expected}.`);
  }

  checkKeys(prefix: string, value: JsonObject, known: readonly string[]): void {
    for (const key of Object.keys(value)) {
      if (!known.includes(key)) this.add(`${prefix}${key}`, value[key], `no such key, but one of ${known.join(', ')}`);
    }
  }

  positive(path: string, value: unknown, meaning: string): number {
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
    this.add(path, value, `a number above 0 (${meaning})`);
    return Number.NaN;
  }

  notNegative(path: string, value: unknown, meaning: string): number {
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
    this.add(path, value, `a number, 0 or above (${meaning})`);
    return Number.NaN;
  }

  /** Numbers of the given shape, [rows, columns] or [count]; a matrix may also be one flat list, row by row. */
  numbers(target: Float64Array, at: number, path: string, value: unknown, shape: readonly number[]): boolean {
    const [rows, columns] = shape;
    const nested =
      columns !== undefined &&
      Array.isArray(value) &&
      value.length === rows &&
      value.every((row) => Array.isArray(row) && row.length === columns);
    const flat: unknown[] = nested ? (value as unknown[][]).flat() : Array.isArray(value) ? value : [];
    const total = shape.reduce((product, count) => product * count, 1);
    if (flat.length === total && flat.every((each) => typeof each === 'number' && Number.isFinite(each))) {
      target.set(flat as number[], at);
      return true;
    }
    const form = columns === undefined ? `${total} finite numbers` : `${rows} rows of ${columns} finite numbers`;
    this.add(path, value, form);
    return false;
  }

  toError(): PalpableError {
    const [first] = this.lines;
    const rest = this.count > MOST_FINDINGS ? `\n  … and ${this.count - MOST_FINDINGS} more` : '';
    const message =
      this.count === 1
        ? `The friction problem is not valid: ${first}`
        : `The friction problem is not valid in ${this.count} places:\n  ${this.lines.join('\n  ')}${rest}`;
    return new PalpableError('format-invalid', message, this.firstPath);
  }
}

const MOST_SHOWN = 60;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'number' ? String(Number(value.toPrecision(6))) : JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message;
    const position = /position (\d+)/.exec(reason)?.[1];
    const place = position === undefined ? '' : ` at ${lineAndColumn(text, Number(position))}`;
    const message = `The friction problem is not valid JSON${place} (${reason}); correct the text or save it again.`;
    throw new PalpableError('format-invalid', message, place === '' ? undefined : place.slice(4));
  }
}

function lineAndColumn(text: string, position: number): string {
  const before = text.slice(0, position).split('\n');
  return `line ${before.length}, column ${before[before.length - 1].length + 1}`;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
