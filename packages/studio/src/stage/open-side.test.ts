import { Box3, BoxGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { findOpenSide } from './open-side.js';

const usual = new Vector3(-0.3, -1, 0.4).normalize();
const tool = new Box3(new Vector3(-0.05, -0.05, 0), new Vector3(0.05, 0.05, 0.1));

function createWall(x: number, y: number, sizeX: number, sizeY: number): Mesh {
  const wall = new Mesh(new BoxGeometry(sizeX, sizeY, 2), new MeshBasicMaterial({ side: DoubleSide }));
  wall.position.set(x, y, 0);
  wall.updateMatrixWorld();
  return wall;
}

describe('findOpenSide', () => {
  it('keeps the usual side when nothing stands there', () => {
    expect(findOpenSide(usual, tool, new Group()).distanceTo(usual)).toBeLessThan(1e-12);
    expect(findOpenSide(usual, tool, new Group().add(createWall(0, 1, 2, 0.1))).distanceTo(usual)).toBeLessThan(1e-12);
  });

  it('goes around a wall, at the usual height', () => {
    const found = findOpenSide(usual, tool, new Group().add(createWall(0, -0.3, 4, 0.1)));
    expect(found.y).toBeGreaterThan(0);
    expect(found.z).toBeCloseTo(usual.z, 12);
  });

  it('looks from above into a box', () => {
    const walls = new Group().add(
      createWall(0, -0.9, 2, 0.02),
      createWall(0, 0.9, 2, 0.02),
      createWall(-0.9, 0, 0.02, 2),
      createWall(0.9, 0, 0.02, 2),
    );
    expect(findOpenSide(usual, tool, walls).z).toBeCloseTo(Math.sin(0.9), 12);
  });

  it('has nothing to choose before there is a tool', () => {
    expect(findOpenSide(usual, new Box3(), new Group())).toEqual(usual);
  });
});
