/**
 * Brings what the page has in line with the worker after a jump of the run: a seek, a restored state, a replay. Items that
 * the state does not have are gone, and those that it has are there, with the settings that they have in it. Later
 * changes by the page are not undone, because they are applied after the jump:
 *
 *     jump ──▶ query ──▶ what the worker has ─┐
 *       └ changes of the page, not applied ───┴▶ what the page has
 */
import { WorkerFailedError } from '../../shared/util/errors.js';
import { readBatch } from '../shared/batch-codec.js';
import type { Change, DescribedWorld, WorldBatch } from '../shared/world-batch.js';
import {
  KIND_NAMES,
  changeFields,
  type Kind,
  type KindFields,
  type WorldFields,
} from '../shared/setting-tables.js';
import { reportUnlessOver } from './batch-sender.js';
import type { ColliderHandle } from './collider-handle.js';
import type { ItemHandle } from './item-handle.js';
import type { JointHandle } from './joints.js';
import { makeHandle } from './make-handle.js';
import type { WorldItem } from './page-contents.js';
import type { WorldHandle } from './world-handle.js';
import type { WorldLink } from './world-link.js';

export class WorldResync {
  readonly #link: WorldLink;
  readonly #onAgreed: () => void;
  /** Handles that the page has not made. */
  readonly #foreign = new WeakSet<object>();
  /** Number of the last query; answers of those before it are out of date. */
  #query = 0;
  #isJumping = false;
  /** The worker is asked after the events of the frame. */
  #isAskDue = false;
  /** Called when the page has what a jump of the run has led to. */
  onFollowed: (() => void) | undefined;

  /** @param onAgreed Called when the page has what the worker has. */
  constructor(link: WorldLink, onAgreed: () => void) {
    this.#link = link;
    this.#onAgreed = onAgreed;
  }

  /** Whether the run has jumped and the page does not know yet where to. */
  get isJumping(): boolean {
    return this.#isJumping;
  }

  /** Whether another page has made an item, whose state or recording this one has. */
  isForeign(item: object): boolean {
    return this.#foreign.has(item);
  }

  /** The run has jumped. */
  follow(simulation: WorldHandle): void {
    this.#isJumping = true;
    this.ask(simulation);
  }

  /** A body has come or gone without the page: in a replay, or by a system. */
  changeElsewhere(simulation: WorldHandle): void {
    this.#isJumping ||= simulation.replay !== undefined;
    // An answer that is under way is out of date.
    this.#query += 1;
    if (this.#isAskDue) return;
    this.#isAskDue = true;
    // Once for all bodies that come or go in a frame: an answer describes the whole world.
    queueMicrotask(() => {
      this.#isAskDue = false;
      this.#resync(simulation);
    });
  }

  /** The page may have something else than the worker. */
  ask(simulation: WorldHandle): void {
    this.#link.forgetState(simulation);
    this.#resync(simulation);
  }

  /** Asks the worker what it has, and brings the page in line with that. */
  #resync(simulation: WorldHandle): void {
    this.#query += 1;
    const query = this.#query;
    const { batches, contents } = this.#link;
    batches.confirmApplied();
    const known = [...(contents.known('collider') as Iterable<ColliderHandle>)]
      .filter((collider) => collider.hasFirstShape)
      .map(({ handle }) => handle);
    simulation.queries
      .describe(Uint32Array.from(known))
      .then((described) => {
        if (query === this.#query) this.#apply(described);
      })
      .catch((error: unknown) => {
        // With another worker, it is asked when that has taken over.
        const isReplaced = error instanceof WorkerFailedError || query !== this.#query;
        if (!isReplaced) reportUnlessOver(simulation, error);
      })
      .finally(() => {
        if (query !== this.#query || !this.#isJumping) return;
        this.#isJumping = false;
        this.onFollowed?.();
      });
  }

  /**
   * A body has come that the page does not have: it was removed before a jump back, or made by a recording. The rest is
   * asked for.
   *
   * @returns Whether it is one.
   */
  noteSpawned(handle: number): boolean {
    const { contents, batches } = this.#link;
    // Or the page has removed it before its coming is shown.
    if (!contents.markDrawn(handle) || batches.removes('body', handle)) return false;
    this.#revive('body', handle, {}, []);
    return true;
  }

  #apply(described: DescribedWorld): void {
    const { batches, contents, geometries, isReplaying } = this.#link;
    const read = (bytes: Uint8Array) => readBatch(bytes, geometries);
    const { world, changed } = read(described.bytes);
    const waiting = described.waiting.map(read);
    const pending = [...waiting, ...batches.pendingAfter(described.tick)];
    // Changes of the page are not for the run of a replay.
    const gone = isReplaying ? [] : pending;
    const removed = new Set(gone.flatMap((batch) => Object.values(batch.removed).flat()));
    const living = new Set<number>();
    for (const kind of KIND_NAMES) {
      const coming = waiting.flatMap(
        (batch) => batch.changed[kind] as readonly Change<typeof kind>[],
      );
      const there = [...changed[kind], ...coming.filter(({ parts }) => parts !== undefined)];
      for (const change of there) {
        if (removed.has(change.handle)) continue;
        if (this.#resyncItem(kind, change, pending)) living.add(change.handle);
      }
      for (const batch of pending) {
        for (const { handle, parts } of batch.changed[kind]) {
          if (parts !== undefined) living.add(handle);
        }
      }
    }
    for (const joint of contents.known('joint') as Iterable<JointHandle>) {
      if ((joint.brokenAt ?? 0) > described.tick) joint.brokenAt = undefined;
    }
    for (const kind of KIND_NAMES) {
      for (const item of contents.all(kind).values()) {
        if (!living.has(item.handle)) contents.remove(item, () => {});
      }
    }
    const settings: WorldFields = Object.assign(world, ...pending.map((batch) => batch.world));
    this.#link.gravity = settings.gravity ?? this.#link.gravity;
    this.#link.parameters.resync(settings);
    this.#onAgreed();
  }

  /** @returns False if what it is made of is gone. */
  #resyncItem<K extends Kind>(
    kind: K,
    { handle, parts: numbers = [], fields }: Change<K>,
    pending: readonly WorldBatch[],
  ): boolean {
    const { contents } = this.#link;
    const parts = numbers.map((part) => contents.get(part));
    if (parts.includes(undefined)) return false;
    let item = contents.get(handle);
    // In a state of another page, it may be the number of anything.
    if (item !== undefined && !contents.has(kind, item)) {
      contents.remove(item, () => {});
      item = undefined;
    }
    item ??= this.#revive(kind, handle, fields, parts as WorldItem[]);
    const latest = { ...fields };
    for (const batch of pending) {
      for (const later of batch.changed[kind] as readonly Change<K>[]) {
        if (later.handle === handle) changeFields(latest, later.fields);
      }
    }
    (item as ItemHandle<K>).resync(latest);
    return true;
  }

  /** Adds an item that the page does not have: the same object, if the page has had it not long ago. */
  #revive<K extends Kind>(
    kind: K,
    handle: number,
    fields: KindFields<K>,
    parts: readonly WorldItem[],
  ): WorldItem {
    const { contents } = this.#link;
    const item = contents.takeRemoved(kind, handle) ?? this.#make(kind, handle, fields, parts);
    contents.add(
      kind,
      item,
      parts.map((part) => part.handle),
    );
    contents.markDrawn(handle);
    return item;
  }

  #make<K extends Kind>(
    kind: K,
    handle: number,
    fields: KindFields<K>,
    parts: readonly WorldItem[],
  ): WorldItem {
    const link = this.#link;
    link.lastHandle = Math.max(link.lastHandle, handle);
    const item = makeHandle(kind, link, { handle, fields, parts });
    this.#foreign.add(item);
    return item;
  }
}
