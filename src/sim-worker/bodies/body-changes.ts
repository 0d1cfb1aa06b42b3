/**
 * Which bodies have come and gone since the last state, for the page. Nothing is noted before the first list has been
 * taken, so a run without a page keeps nothing.
 */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { BodiesMessage } from '../../shared/protocol/control-protocol.js';
import type { BodyRegistry } from './body-registry.js';

export type BodyList = Pick<BodiesMessage, 'isComplete' | 'spawned' | 'tags' | 'despawned'>;

export class BodyChanges {
  #spawned: BodyId[] = [];
  #despawned: BodyId[] = [];
  #isComplete = true;

  noteSpawn(id: BodyId): void {
    if (!this.#isComplete) this.#spawned.push(id);
  }

  noteDespawn(id: BodyId): void {
    if (!this.#isComplete) this.#despawned.push(id);
  }

  /** Any bodies may be others: the next list is complete. */
  forget(): void {
    this.#spawned = [];
    this.#despawned = [];
    this.#isComplete = true;
  }

  /** The changes since the last call; undefined if there are none. A body that came and went is not one of them. */
  take(bodies: BodyRegistry): BodyList | undefined {
    const isComplete = this.#isComplete;
    // Ticks without changes allocate nothing.
    if (!isComplete && this.#spawned.length + this.#despawned.length === 0) return undefined;
    const come = new Set(isComplete ? bodies.ids() : this.#spawned);
    const despawned = this.#despawned.filter((id) => !come.has(id));
    const spawned = [...come].filter((id) => bodies.isAlive(id));
    this.forget();
    this.#isComplete = false;
    if (!isComplete && spawned.length + despawned.length === 0) return undefined;
    const tags = spawned.map((id) => bodies.tagOf(id)?.json ?? 'null');
    return { isComplete, spawned, tags, despawned };
  }
}
