/**
 * Instanced bodies of one shape that come one by one; when the room is used up, the oldest goes.
 */
import type { InstancedMesh } from 'three';
import type { BodyId } from '../../../src/shared/index.js';
import type { BodyBinding, InstancedBodies } from '../../../src/three/index.js';
import { addInstance } from './instances.js';

export class InstancePool {
  readonly #bodies: InstancedBodies;
  /** Bodies in the order they came; a ring once it is full. */
  readonly #ids: BodyId[] = [];
  #oldest = 0;

  constructor(binding: BodyBinding, mesh: InstancedMesh) {
    this.#bodies = binding.instances(mesh);
  }

  get bodies(): InstancedBodies {
    return this.#bodies;
  }

  add(id: BodyId, scale: readonly [number, number, number], color: number): void {
    const capacity = this.#bodies.mesh.instanceMatrix.count;
    if (this.#ids.length < capacity) {
      this.#ids.push(id);
    } else {
      this.#bodies.remove(this.#ids[this.#oldest] as BodyId);
      this.#ids[this.#oldest] = id;
      this.#oldest = (this.#oldest + 1) % capacity;
    }
    addInstance(this.#bodies, id, scale, color);
  }
}
