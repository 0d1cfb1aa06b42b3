/**
 * Meshes for contestants that write matrices by hand: all boxes and a probe as instances, another
 * as an object.
 */
import {
  BoxGeometry,
  DynamicDrawUsage,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from 'three';

export class DrawnBodies {
  readonly mesh: InstancedMesh;
  readonly single: Mesh;
  readonly #matrix = new Matrix4();
  readonly #position = new Vector3();
  readonly #rotation = new Quaternion();
  readonly #scale = new Vector3(1, 1, 1);

  constructor(boxes: number) {
    const [geometry, material] = [new BoxGeometry(), new MeshBasicMaterial()];
    this.mesh = new InstancedMesh(geometry, material, boxes + 1);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.single = new Mesh(geometry, material);
  }

  /** @param at Index of x y z in `positions`. @param turn Index of x y z w in `rotations`. */
  setInstance(
    instance: number,
    positions: ArrayLike<number>,
    at: number,
    rotations: ArrayLike<number>,
    turn: number,
  ): void {
    this.#position.fromArray(positions, at);
    this.#rotation.fromArray(rotations, turn);
    this.#write(instance);
  }

  setInstanceFrom(
    instance: number,
    position: Coordinates,
    rotation: Coordinates & { w: number },
  ): void {
    this.#position.copy(position);
    this.#rotation.set(rotation.x, rotation.y, rotation.z, rotation.w);
    this.#write(instance);
  }

  singleX(): number {
    return this.single.position.x;
  }

  instancedX(): number {
    return instancedXOf(this.mesh);
  }

  singleZ(): number {
    return this.single.position.z;
  }

  instancedZ(): number {
    return instancedZOf(this.mesh);
  }

  #write(instance: number): void {
    this.#matrix.compose(this.#position, this.#rotation, this.#scale);
    this.mesh.setMatrixAt(instance, this.#matrix);
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

interface Coordinates {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export function instancedZOf(mesh: InstancedMesh): number {
  const { array, count } = mesh.instanceMatrix;
  return array[(count - 1) * 16 + 14] ?? Number.NaN;
}

/** The probe is the last instance. */
export function instancedXOf(mesh: InstancedMesh): number {
  const { array, count } = mesh.instanceMatrix;
  return array[(count - 1) * 16 + 12] ?? Number.NaN;
}
