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
import { RigidBodyType } from './constants.js';

/** Most earlier changes of a body. */
const MOST_EARLIER = 1024;

type Changes = { [K in Kind]?: Map<number, Change<K>> };
type Removals = { [K in Kind]?: Map<number, readonly number[]> };

const NOTHING = byKind(KIND_NAMES, (): readonly never[] => []);

/** Most batches change one kind: the others have no maps. */
export class OpenBatch {
  readonly world: WorldFields = {};
  readonly #changed: Changes = {};
  /** By handles: what comes before the last change of a body, in order, as far as the order matters. */
  readonly #earlier = new Map<number, Change<'body'>[]>();
  /** The removed items, with the handles of their parts. */
  readonly #removed: Removals = {};

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

  /** The fields with which the worker has yet to make an item. Undefined: it has it. */
  #newFields<K extends Kind>(kind: K, handle: number): KindFields<K> | undefined {
    const change = this.#earlier.get(handle)?.[0] ?? this.#changed[kind]?.get(handle);
    return change?.parts && (change.fields as KindFields<K>);
  }

  /**
   * Takes out what waits for pieces. What is new and goes with it waits, too, as if it were made later:
   *
   *     collider ──▶ its dynamic body ──▶ all that is made of it ──▶ dynamic bodies that are joined to it
   *
   * @returns Undefined: nothing waits.
   */
  takeWaiting(): OpenBatch | undefined {
    // Asked in each frame. A callback that captured a variable would cost garbage before this line, too.
    if ((this.#changed.collider?.size ?? 0) === 0) return undefined;
    const found = new Set<number>();
    for (const { handle, fields } of this.#changed.collider?.values() ?? []) {
      if (fields.shape?.pieces) found.add(handle);
    }
    for (let size = 0; size < found.size;) {
      size = found.size;
      for (const kind of KIND_NAMES) {
        for (const { handle, parts = [] } of this.#changed[kind]?.values() ?? []) {
          if (!found.has(handle) && !parts.some(found.has, found)) continue;
          found.add(handle);
          for (const part of parts) {
            // Bodies that do not move by themselves need not wait.
            if (this.#newFields('body', part)?.bodyType === RigidBodyType.Dynamic) found.add(part);
          }
        }
      }
    }
    if (found.size === 0) return undefined;
    const taken = new OpenBatch();
    this.moveTo(taken, found);
    return taken;
  }

  /** Moves changes to another batch. @param handles Of which items. Default: all. */
  moveTo(other: OpenBatch, handles?: ReadonlySet<number>): void {
    for (const kind of KIND_NAMES) {
      for (const [handle, change] of this.#changed[kind] ?? []) {
        if (handles?.has(handle) === false) continue;
        other.#of(kind).set(handle, change);
        const earlier = this.#earlier.get(handle);
        if (earlier !== undefined) other.#earlier.set(handle, earlier);
        this.drop(kind, handle);
      }
    }
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
    const changes = this.#of(kind);
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
    const changes = this.#of('body');
    const change = changes.get(handle);
    if (change !== undefined) this.#keepEarlier(change, isDynamic);
    changes.delete(handle);
    return this.fieldsOf('body', handle);
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
    const isNew = this.#newFields(kind, handle) !== undefined;
    this.drop(kind, handle);
    if (isNew) return;
    this.#removed[kind] ??= new Map();
    this.#removed[kind].set(handle, parts);
  }

  /** Forgets an item that the engine removes with another one. */
  drop(kind: Kind, handle: number): void {
    this.#changed[kind]?.delete(handle);
    this.#earlier.delete(handle);
  }

  contents(): WorldBatch {
    const removed: Record<Kind, readonly number[]> = { ...NOTHING };
    const changed: Record<Kind, readonly Change<Kind>[]> = { ...NOTHING };
    for (const kind in this.#removed) removed[kind as Kind] = this.#removedOf(kind as Kind);
    for (const kind in this.#changed) changed[kind as Kind] = this.#changesOf(kind as Kind);
    return { removed, world: this.world, changed: changed as WorldBatch['changed'] };
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

  #of<K extends Kind>(kind: K): Map<number, Change<K>> {
    this.#changed[kind] ??= new Map() as never;
    return this.#changed[kind] as Map<number, Change<K>>;
  }
}
