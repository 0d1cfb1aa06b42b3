/** The ground, with a grid: an infinite plane instead of the scene's floor, or its terrain. */
import { BufferAttribute, type BufferGeometry, Mesh, PlaneGeometry, type Vector3 } from 'three';
import type { StaticLook } from '../../contract/scene-contract.js';
import { paint, matrixOf } from './compound.js';
import { createUnitGeometry } from './geometries.js';
import type { Materials } from './materials.js';
import { GRID_TILE_M } from './textures.js';

/** A static at least this wide is the ground, in metres. */
const MIN_SIDE = 40;
/** Far enough for the edge of the plane to disappear in the fog, in metres. */
const PLANE_SIDE = 640;

/** The static that is drawn as the ground, if there is one. */
export function groundOf(statics: readonly StaticLook[]): StaticLook | undefined {
  return statics.find(isWide);
}

export class Ground {
  readonly mesh: Mesh;
  readonly #materials: Materials;
  readonly #isEndless: boolean;

  constructor(look: StaticLook, materials: Materials) {
    this.#isEndless = look.shape.kind === 'box';
    const geometry = look.shape.kind === 'box' ? planeOn(look) : terrainOf(look);
    paint(geometry, look.color);
    addGrid(geometry);
    this.mesh = new Mesh(geometry);
    this.mesh.receiveShadow = true;
    this.mesh.castShadow = !this.#isEndless;
    this.#materials = materials;
    materials.apply(this.mesh, 'ground');
  }

  /** Follows the camera's target by whole tiles: it seems infinite, and its grid does not move. */
  moveUnder({ x, z }: Vector3): void {
    if (!this.#isEndless) return;
    this.mesh.position.x = Math.round(x / GRID_TILE_M) * GRID_TILE_M;
    this.mesh.position.z = Math.round(z / GRID_TILE_M) * GRID_TILE_M;
  }

  dispose(): void {
    this.#materials.release(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.removeFromParent();
  }
}

function isWide({ shape, orientation = [0, 0, 0, 1], offset, rotation }: StaticLook): boolean {
  if (shape.kind === 'mesh') return Math.min(...sidesOf(shape.vertices)) >= MIN_SIDE;
  const isLevel =
    Math.abs(orientation[3]) > 0.9999 && offset === undefined && rotation === undefined;
  return shape.kind === 'box' && isLevel && Math.min(shape.size[0], shape.size[2]) >= MIN_SIDE;
}

/** Extent of vertices along x and z. */
function sidesOf(vertices: Float32Array): [x: number, z: number] {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  vertices.forEach((value, index) => {
    min[index % 3] = Math.min(min[index % 3] ?? value, value);
    max[index % 3] = Math.max(max[index % 3] ?? value, value);
  });
  return [(max[0] ?? 0) - (min[0] ?? 0), (max[2] ?? 0) - (min[2] ?? 0)];
}

function planeOn({ shape, position }: StaticLook): BufferGeometry {
  const top = position[1] + (shape.kind === 'box' ? shape.size[1] / 2 : 0);
  return new PlaneGeometry(PLANE_SIDE, PLANE_SIDE).rotateX(-Math.PI / 2).translate(0, top, 0);
}

function terrainOf({ shape, position, orientation, offset, rotation }: StaticLook): BufferGeometry {
  const matrix = matrixOf(position, orientation).multiply(matrixOf(offset, rotation));
  return createUnitGeometry(shape, 0).applyMatrix4(matrix);
}

/** Projects the grid onto it from above. */
function addGrid(geometry: BufferGeometry): void {
  const positions = geometry.getAttribute('position');
  const uv = new BufferAttribute(new Float32Array(positions.count * 2), 2);
  for (let vertex = 0; vertex < positions.count; vertex++) {
    uv.setXY(vertex, positions.getX(vertex) / GRID_TILE_M, positions.getZ(vertex) / GRID_TILE_M);
  }
  geometry.setAttribute('uv', uv);
}
