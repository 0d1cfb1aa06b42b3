/**
 * Brings what the page has in line with the worker after a jump of the run: a seek, a restored state, a replay. Things that
 * the state does not have are gone, and those that it has are there, with the settings that they have in it. What the page
 * has changed since is not undone, because it is applied after the jump:
 *
 *     jump ──▶ query ──▶ what the worker has ─┐
 *       └ changes of the page, not applied ───┴▶ what the page has
 */
import {
  decodeBatch,
  type Change,
  type DescribedWorld,
  type WorldBatch,
} from '../../shared/world/world-batch.js';
import type { Masses } from '../../shared/world/masses.js';
import type { GeometryNames } from '../../shared/world/geometry-names.js';
import { KIND_NAMES, type Kind, type KindFields } from '../../shared/world/world-fields.js';
import { reportUnlessOver, type BatchSender } from './batch-sender.js';
import type { Followed } from './handle-makers.js';
import type { PageContents, Thing } from './page-contents.js';
import type { WorldHandle } from './world.js';

/** What the world does for its follower. */
export interface Following {
  /** Makes the handle of something that the page has not made. */
  make(kind: Kind, handle: number, parts: readonly Thing[], fields: KindFields<Kind>): Thing;
  /** Has the assets of shapes. */
  geometry(): GeometryNames | undefined;
  /** Given the settings of the world itself. */
  onWorld(world: WorldBatch['world']): void;
  onMasses(masses: Masses): void;
}

export class WorldFollower {
  readonly #contents: PageContents;
  readonly #sender: BatchSender;
  readonly #following: Following;
  /** Number of the last query; answers of those before it are out of date. */
  #query = 0;

  constructor(contents: PageContents, sender: BatchSender, following: Following) {
    this.#contents = contents;
    this.#sender = sender;
    this.#following = following;
  }

  follow(handle: WorldHandle): void {
    this.#query += 1;
    const query = this.#query;
    this.#sender.beginFollowing();
    const known = Uint32Array.from(this.#contents.known('collider'));
    handle.queries
      .describe(known)
      .then((described) => {
        if (query === this.#query) this.#adopt(described);
      })
      .catch((error: unknown) => reportUnlessOver(handle, error))
      .finally(() => {
        if (query === this.#query) this.#sender.endFollowing();
      });
  }

  /**
   * A body has come that the page does not have: it was removed before a jump back, or made by a recording. The rest is
   * asked for.
   *
   * @returns Whether it is one.
   */
  noteSpawned(handle: number): boolean {
    if (!this.#contents.noteShown(handle)) return false;
    this.#revive('body', handle, [], {});
    return true;
  }

  #adopt({ tick, words, masses }: DescribedWorld): void {
    const { world, changed } = decodeBatch(words, this.#following.geometry());
    const pending = this.#sender.pendingAfter(tick);
    const removed = new Set(pending.flatMap((batch) => Object.values(batch.removed).flat()));
    const living = new Set<number>();
    for (const kind of KIND_NAMES) {
      for (const change of changed[kind]) {
        if (removed.has(change.handle)) continue;
        if (this.#adoptOne(kind, change, pending)) living.add(change.handle);
      }
      for (const batch of pending) {
        for (const { handle, parts } of batch.changed[kind]) {
          if (parts !== undefined) living.add(handle);
        }
      }
    }
    for (const kind of KIND_NAMES) {
      for (const thing of this.#contents.all(kind).values()) {
        if (!living.has(thing.handle)) this.#contents.remove(thing, () => {});
      }
    }
    const settings = Object.assign(world, ...pending.map((batch) => batch.world));
    this.#following.onWorld(settings as WorldBatch['world']);
    this.#following.onMasses(masses);
  }

  /** @returns False if what it is made of is gone. */
  #adoptOne<K extends Kind>(kind: K, change: Change<K>, pending: readonly WorldBatch[]): boolean {
    const { handle, fields } = change;
    const parts = (change.parts ?? []).map((part) => this.#contents.get(part));
    if (parts.includes(undefined)) return false;
    const thing =
      this.#contents.get(handle) ?? this.#revive(kind, handle, parts as Thing[], fields);
    const since = pending.map((batch) =>
      (batch.changed[kind] as readonly Change<K>[]).find((other) => other.handle === handle),
    );
    const latest = Object.assign({ ...fields }, ...since.map((other) => other?.fields));
    (thing as Followed<K>).adopt(latest as KindFields<K>);
    return true;
  }

  /** The same object, if the page has had it not long ago. */
  #revive<K extends Kind>(
    kind: K,
    handle: number,
    parts: readonly Thing[],
    fields: KindFields<K>,
  ): Thing {
    const thing =
      this.#contents.takeRemoved(kind, handle) ?? this.#following.make(kind, handle, parts, fields);
    this.#contents.add(
      kind,
      thing,
      parts.map((part) => part.handle),
    );
    this.#contents.noteShown(handle);
    return thing;
  }
}
