/** A model under construction: shapes by name, copies of shapes, and nodes. */
import * as THREE from 'three';
import type { NodePhysics } from './glb.js';
import { Shape, randomNumbers } from './shape.js';

/** The page looks at their names. */
const material = (name: string): THREE.MeshStandardMaterial =>
  new THREE.MeshStandardMaterial({ name, vertexColors: true, roughness: 1 });
export const MATERIALS = {
  matte: material('Matte'),
  paving: material('Paving'),
  plaster: material('Plaster'),
  stone: material('Stone'),
  glow: material('Glow'),
} as const;
export type MaterialName = keyof typeof MATERIALS;

export class Model {
  readonly scene = new THREE.Scene();
  readonly animations: THREE.AnimationClip[] = [];
  /** The physics of nodes that have the extensions for that. */
  readonly physics = new Map<THREE.Object3D, NodePhysics>();
  readonly random = randomNumbers(11);
  readonly #shapes = new Map<string, readonly [Shape, MaterialName]>();
  readonly #copies = new Map<string, readonly [Shape, MaterialName, THREE.Matrix4[]]>();

  /** A shape that all who name it add to, each in another frame. It becomes one node. */
  shape(name: string, of: MaterialName, frame = new THREE.Matrix4()): Shape {
    const [shape, known] = this.#shapes.get(name) ?? [new Shape(), of];
    this.#shapes.set(name, [shape, known]);
    shape.frame = frame;
    return shape;
  }

  /** One more copy of a shape that is drawn many times, and does not collide. */
  copy(name: string, of: MaterialName, at: THREE.Matrix4, make: (shape: Shape) => void): void {
    let copies = this.#copies.get(name);
    if (copies === undefined) {
      copies = [new Shape(), of, []];
      make(copies[0]);
      this.#copies.set(name, copies);
    }
    copies[2].push(at);
  }

  /** One node with a mesh. */
  node(name: string, shape: Shape | THREE.Mesh, at: THREE.Matrix4, physics?: NodePhysics) {
    const mesh = shape instanceof Shape ? meshOf(shape, 'matte') : shape.clone();
    return this.place(name, mesh, at, physics);
  }

  /** Puts an object into the scene, or below another one. */
  place<T extends THREE.Object3D>(
    name: string,
    object: T,
    at: THREE.Matrix4,
    physics?: NodePhysics,
    parent: THREE.Object3D = this.scene,
  ): T {
    object.name = name;
    at.decompose(object.position, object.quaternion, object.scale);
    parent.add(object);
    if (physics !== undefined) this.physics.set(object, physics);
    return object;
  }

  /** Makes the nodes of what has a name, when all is there. */
  finish(): void {
    for (const [name, [shape, of]] of this.#shapes) {
      this.place(name, meshOf(shape, of), new THREE.Matrix4());
    }
    for (const [name, [shape, of, matrices]] of this.#copies) {
      const mesh = new THREE.InstancedMesh(shape.geometry(), MATERIALS[of], matrices.length);
      for (const [index, matrix] of matrices.entries()) mesh.setMatrixAt(index, matrix);
      this.place(name, mesh, new THREE.Matrix4());
    }
  }
}

export const meshOf = (shape: Shape, of: MaterialName): THREE.Mesh =>
  new THREE.Mesh(shape.geometry(), MATERIALS[of]);
