/**
 * A bunny against a teapot: the pair of Sagardia and Hulin's experiments, here at their resolution of 360 voxels of 2 mm
 * along the teapot. Both mesh files are y up; the scene stands them upright in a world that is z up.
 */

import file from '../../../../scenes/bunny-teapot.json';
import bunnyMeshUrl from '../../../../scenes/meshes/bunny.obj?url';
import teapotMeshUrl from '../../../../scenes/meshes/teapot.obj?url';
import type { StudioBody, StudioScene } from './scene.js';

/** More could be found than seen: they would cover each other. */
const MAX_CONTACTS = 1000;

const { bunny, teapot } = file.bodies;

export const bunnyTeapot: StudioScene = {
  file,
  name: file.name,
  explanation: 'The bunny carries a shell of points, the teapot a distance field: every point below zero is a contact.',
  tool: { ...placeBody('bunny', bunny), meshUrl: bunnyMeshUrl, shell: bunny.shell },
  environment: { ...placeBody('teapot', teapot), meshUrl: teapotMeshUrl, field: teapot.field },
  maxContacts: MAX_CONTACTS,
};

function placeBody(
  label: string,
  { mesh, scale, position, rotation }: (typeof file.bodies)['bunny' | 'teapot'],
): Omit<StudioBody, 'meshUrl'> {
  return {
    label,
    meshFileName: mesh.slice(mesh.lastIndexOf('/') + 1),
    assetName: `${label}.palpable`,
    scale,
    position: [position[0]!, position[1]!, position[2]!],
    rotation: [rotation[0]!, rotation[1]!, rotation[2]!, rotation[3]!],
  };
}
