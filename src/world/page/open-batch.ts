/** The changes of a world since the last batch was sent: what is created and removed in between is not sent at all. */
import { byKind, type Change, type WorldBatch } from '../shared/world-batch.js';
import {
  KIND_NAMES,
  type BodyFields,
  type Kind,
  type KindFields,
  type WorldFields,
} from '../shared/setting-tables.js';
import { joinedChange } from './body-fields.js';

/** Most earlier changes of a body. */
const MOST_EARLIER = 1024;

type Changes = { [K in Kind]?: Map<number, Change<K>> };
type Removals = { [K in Kind]?: Map<number, readonly number[]> };

const NOTHING = byKind(KIND_NAMES, (): readonly never[] => []);

/** Most batches change one kind: the others have no maps. */
export class OpenBatch {
  readonly world: WorldFields = {};
  readonly #changed: Changes = {};
  /** New items that are not sent before {@link release}. */
  #held: Changes = {};
  /** By handles: what comes before the last change of a body, in order, as far as the order matters. */
  readonly #earlier = new Map<number, Change<'body'>[]>();
  /** The removed items, with the handles of their parts. */
  readonly #removed: Removals = {};

  /** @param before The batch before it, whose held items it takes over. */
  constructor(before?: OpenBatch) {
    if (before === undefined) return;
    this.#held = before.#held;
    for (const handle of this.#held.body?.keys() ?? []) {
      const earlier = before.#earlier.get(handle);
      if (earlier !== undefined) this.#earlier.set(handle, earlier);
    }
  }

  /** Looked at in each frame, so it allocates nothing: no callback, and no list of names. */
  get isEmpty(): boolean {
    for (const kind in this.#changed) if (this.#changed[kind as Kind]?.size !== 0) return false;
    for (const kind in this.#removed) if (this.#removed[kind as Kind]?.size !== 0) return false;
    for (const name in this.world) if (Object.hasOwn(this.world, name)) return false;
    return true;
  }

  changes(kind: Kind, handle: number): boolean {
    return this.#changed[kind]?.has(handle) === true;
  }

  isHeld(kind: Kind, handle: number): boolean {
    return this.#held[kind]?.has(handle) === true;
  }

  /** Holds back a new item. @returns False if there is no such. */
  hold(kind: Kind, handle: number): boolean {
    const change = this.#changed[kind]?.get(handle);
    const first = this.#earlier.get(handle)?.[0] ?? change;
    if (change === undefined || first?.parts === undefined) return false;
    this.#changed[kind]?.delete(handle);
    const held: Changes = { [kind]: this.#held[kind] ?? new Map() };
    held[kind]?.set(handle, change as never);
    Object.assign(this.#held, held);
    return true;
  }

  /** Holds nothing back any more. */
  release(): void {
    for (const kind of KIND_NAMES) {
      for (const [handle, change] of this.#held[kind] ?? []) {
        this.#of(kind).set(handle, change);
      }
    }
    this.#held = {};
  }

  /** Whether it changes other bodies and nothing else, so that it makes no difference to one. */
  leavesBody(handle: number): boolean {
    for (const kind in this.#changed) {
      if (kind !== 'body' && this.#changed[kind as Kind]?.size !== 0) return false;
    }
    for (const kind in this.#removed) if (this.#removed[kind as Kind]?.size !== 0) return false;
    for (const name in this.world) if (Object.hasOwn(this.world, name)) return false;
    return this.#changed.body?.has(handle) !== true;
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
    const changes = this.#of(kind, handle);
    const open = changes.get(handle);
    if (open !== undefined) return open.fields;
    const fields: KindFields<K> = {};
    changes.set(handle, { handle, parts: undefined, fields });
    return fields;
  }

  /**
   * Like {@link fieldsOf} of a body, for changes that come after all others of it in this batch.
   *
   * @param isDynamic Whether the body is.
   * @throws RangeError if too many are in it, each of which depends on those before it.
   */
  laterFieldsOf(handle: number, isDynamic: boolean): BodyFields {
    const changes = this.#of('body', handle);
    const change = changes.get(handle);
    if (change !== undefined) this.#keepEarlier(change, isDynamic);
    const fields: BodyFields = {};
    changes.delete(handle);
    changes.set(handle, { handle, parts: undefined, fields });
    return fields;
  }

  #keepEarlier(change: Change<'body'>, isDynamic: boolean): void {
    const { handle } = change;
    const earlier = this.#earlier.get(handle) ?? [];
    this.#earlier.set(handle, earlier);
    const last = earlier.at(-1);
    const fields = last && joinedChange(last.fields, change.fields, isDynamic);
    if (last !== undefined && fields !== undefined) {
      earlier[earlier.length - 1] = { ...last, fields };
    } else if (earlier.length < MOST_EARLIER) earlier.push(change);
    else {
      throw new RangeError(
        `the body ${handle} has ${MOST_EARLIER} changes that wait, each of which depends on those before it: while the run is ` +
          'paused or does not answer, change it less often',
      );
    }
  }

  /** @param parts Handles of what it was made of. */
  remove(kind: Kind, handle: number, parts: readonly number[]): void {
    const first = this.#earlier.get(handle)?.[0] ?? this.#of(kind, handle).get(handle);
    const isNew = first?.parts !== undefined;
    this.drop(kind, handle);
    if (isNew) return;
    this.#removed[kind] ??= new Map();
    this.#removed[kind].set(handle, parts);
  }

  /** Forgets an item that the engine removes with another one. */
  drop(kind: Kind, handle: number): void {
    this.#changed[kind]?.delete(handle);
    this.#held[kind]?.delete(handle);
    this.#earlier.delete(handle);
  }

  /** The contents, as they are sent. */
  contents(): WorldBatch {
    const removed: Record<Kind, readonly number[]> = { ...NOTHING };
    const changed: Record<Kind, readonly Change<Kind>[]> = { ...NOTHING };
    for (const kind in this.#removed) removed[kind as Kind] = this.#removedOf(kind as Kind);
    for (const kind in this.#changed) changed[kind as Kind] = this.#changesOf(kind as Kind);
    return { removed, world: this.world, changed: changed as WorldBatch['changed'] };
  }

  /** The held items, as they will be sent. */
  heldContents(): WorldBatch {
    const held = new OpenBatch();
    Object.assign(held.#changed, this.#held);
    for (const [handle, earlier] of this.#earlier) held.#earlier.set(handle, earlier);
    return held.contents();
  }

  #changesOf(kind: Kind): readonly Change<Kind>[] {
    const changes = [...this.#of(kind).values()];
    if (this.#earlier.size === 0) return changes;
    const earlier = changes.map(({ handle }) => this.#earlier.get(handle) ?? []);
    return [...earlier.flat(), ...changes];
  }

  /** The removed items, without those that go with a part, whichever of the two was removed first. */
  #removedOf(kind: Kind): number[] {
    const isRemoved = (part: number): boolean =>
      KIND_NAMES.some((of) => this.#removed[of]?.has(part) === true);
    const removed = [...(this.#removed[kind] ?? [])].filter(([, parts]) => !parts.some(isRemoved));
    return removed.map(([handle]) => handle);
  }

  /** @param handle The item to look for. */
  #of<K extends Kind>(kind: K, handle?: number): Map<number, Change<K>> {
    const held = this.#held[kind] as Map<number, Change<K>> | undefined;
    if (handle !== undefined && held?.has(handle) === true) return held;
    this.#changed[kind] ??= new Map() as never;
    return this.#changed[kind] as Map<number, Change<K>>;
  }
}
