/** The changes of a world since the last batch was sent: what is created and removed in between is not sent at all. */
import { byKind, type Change, type WorldBatch } from '../shared/world-batch.js';
import {
  KIND_NAMES,
  type Kind,
  type KindFields,
  type WorldFields,
} from '../shared/setting-tables.js';

type Changes = { readonly [K in Kind]: Map<number, Change<K>> };

export class OpenBatch {
  readonly world: WorldFields = {};
  readonly #changed = byKind(KIND_NAMES, () => new Map()) as Changes;
  /** The removed items, with the handles of their parts. */
  readonly #removed = byKind(KIND_NAMES, () => new Map<number, readonly number[]>());

  /** Looked at in each frame, so it allocates nothing: no callback, and no list of names. */
  get isEmpty(): boolean {
    for (const kind of KIND_NAMES) {
      if (this.#changed[kind].size + this.#removed[kind].size > 0) return false;
    }
    for (const name in this.world) if (Object.hasOwn(this.world, name)) return false;
    return true;
  }

  /** @param parts Handles of what it is made of. */
  create<K extends Kind>(
    kind: K,
    handle: number,
    parts: readonly number[],
    fields: KindFields<K>,
  ): void {
    this.#of(kind).set(handle, { handle, parts, fields });
  }

  /** To be changed; of a new thing or one that exists. */
  fieldsOf<K extends Kind>(kind: K, handle: number): KindFields<K> {
    const changes = this.#of(kind);
    const open = changes.get(handle);
    if (open !== undefined) return open.fields;
    const fields: KindFields<K> = {};
    changes.set(handle, { handle, parts: undefined, fields });
    return fields;
  }

  /** @param parts Handles of what it was made of. */
  remove(kind: Kind, handle: number, parts: readonly number[]): void {
    const isNew = this.#of(kind).get(handle)?.parts !== undefined;
    this.drop(kind, handle);
    if (!isNew) this.#removed[kind].set(handle, parts);
  }

  /** Forgets an item that the engine removes with another one. */
  drop(kind: Kind, handle: number): void {
    this.#of(kind).delete(handle);
  }

  contents(): WorldBatch {
    return {
      removed: byKind(KIND_NAMES, (kind) => this.#removedOf(kind)),
      world: this.world,
      changed: byKind(KIND_NAMES, (kind) => [...this.#of(kind).values()]) as WorldBatch['changed'],
    };
  }

  /** The removed items, without those that go with a part, whichever of the two was removed first. */
  #removedOf(kind: Kind): number[] {
    const isRemoved = (part: number): boolean =>
      KIND_NAMES.some((of) => this.#removed[of].has(part));
    const removed = [...this.#removed[kind]].filter(([, parts]) => !parts.some(isRemoved));
    return removed.map(([handle]) => handle);
  }

  #of<K extends Kind>(kind: K): Map<number, Change<K>> {
    return this.#changed[kind];
  }
}
