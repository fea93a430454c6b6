import { PalpableError } from '../base/errors.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { createCarDoor } from './car-door.js';
import { createClip } from './clip.js';
import { createEngineBlock } from './engine-block.js';
import { createCorner, createPeg, createPegHole, createRoundHole, createRoundPeg } from './fitting-parts.js';
import { createPipe } from './pipe.js';
import { createSpoon } from './spoon.js';
import { createStarterMotor } from './starter-motor.js';
import { createBracedTable, createTable } from './table.js';
import { createWindowMotor } from './window-motor.js';

/** A part that a scene names instead of a file: `"mesh": { "model": "peg" }`. Metres, z up, closed, facing outward. */
export interface BuiltInModel {
  readonly name: string;
  /** One sentence for lists. */
  readonly description: string;
  /** Builds the mesh again, bit-identical every time. */
  build(): TriangleMesh;
}

/** All built-in models; scene files name them as `{ "model": name }`. */
export const builtInModels: readonly BuiltInModel[] = [
  {
    name: 'corner',
    description: 'Three plates at right angles, inner faces on x = 0, y = 0 and z = 0.',
    build: createCorner,
  },
  { name: 'peg', description: 'A square peg, 50 × 50 × 150 mm, about the origin.', build: createPeg },
  {
    name: 'peg-hole',
    description: 'A block with a square hole 1 % narrower than the peg, its upper rim at z = 0.',
    build: createPegHole,
  },
  {
    name: 'round-peg',
    description: 'A round peg, 50 mm across, 150 mm long, about the origin.',
    build: createRoundPeg,
  },
  {
    name: 'round-hole',
    description: 'A block with a round hole 1 % narrower than the round peg, its upper rim at z = 0.',
    build: createRoundHole,
  },
  {
    name: 'starter-motor',
    description: "A car's starter motor, a stand-in modelled here, not a real part; its nose points along x.",
    build: createStarterMotor,
  },
  {
    name: 'engine-block',
    description: 'A four-cylinder engine with a seat for the starter motor, a stand-in modelled here, not a real part.',
    build: createEngineBlock,
  },
  {
    name: 'window-motor',
    description: 'A window lifter with gearbox and cable drum, a stand-in modelled here, not a real part.',
    build: createWindowMotor,
  },
  {
    name: 'car-door',
    description: 'The pressed inner panel of a car door with its openings, a stand-in modelled here, not a real part.',
    build: createCarDoor,
  },
  {
    name: 'spoon',
    description:
      'A spoon of 200 mm and 1,344 triangles, a stand-in modelled here; its bowl points along x and opens up.',
    build: createSpoon,
  },
  {
    name: 'clip',
    description:
      'A clip that snaps on a pipe of 20 mm, a stand-in modelled here; its mouth opens towards −z, its handle is on top.',
    build: createClip,
  },
  { name: 'pipe', description: 'A pipe along y, 20 mm across, 60 mm long, about the origin.', build: createPipe },
  {
    name: 'table',
    description: 'A table of 200 × 140 mm on four legs, which end at z = 0; its top is at z = 135 mm.',
    build: createTable,
  },
  {
    name: 'table-braced',
    description: 'The table with stretchers along x between its legs, at half their height.',
    build: createBracedTable,
  },
];

/** Builds the model of that name; throws `option-invalid` with the names that there are. */
export function buildModel(name: string): TriangleMesh {
  const model = builtInModels.find((candidate) => candidate.name === name);
  if (model) return model.build();
  const names = builtInModels.map((candidate) => candidate.name).join(', ');
  throw new PalpableError('option-invalid', `There is no built-in model "${name}"; choose one of ${names}.`, 'model');
}
