/**
 * Brings what the page has in line with the worker after a jump of the run: a seek, a restored state, a replay. Things that
 * the state does not have are gone, and those that it has are there, with the settings that they have in it. What the page
 * has changed since is not undone, because it is applied after the jump:
 *
 *     jump ──▶ query ──▶ what the worker has ─┐
 *       └ changes of the page, not applied ───┴▶ what the page has
 */
import type { Kind, KindFields } from '../shared/world-fields.js';
import { WorkerFailedError } from '../../shared/util/errors.js';
import { reportUnlessOver, type BatchSender } from './batch-sender.js';
import { adoptDescription, type Adopting, type Following } from './adopt-description.js';
import { makeBody } from './body-handle.js';
import type { ColliderHandle } from './collider-handle.js';
import type { Maker } from './make-handle.js';
import type { PageContents, Thing } from './page-contents.js';
import type { WorldHandle } from './world-handle.js';

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
    const known = [...(this.#contents.known('collider') as Iterable<ColliderHandle>)]
      .filter((collider) => collider.hasFirstShape)
      .map(({ handle: number }) => number);
    handle.queries
      .describe(Uint32Array.from(known))
      .then((described) => {
        if (query !== this.#query) return;
        const revive: Adopting['revive'] = (...given) => this.#revive(...given);
        const [contents, sender, following] = [this.#contents, this.#sender, this.#following];
        adoptDescription({ contents, sender, following, revive }, described);
      })
      .catch((error: unknown) => {
        // Another worker is followed when it has taken over.
        const isReplaced = error instanceof WorkerFailedError || query !== this.#query;
        if (!isReplaced) reportUnlessOver(handle, error);
      })
      .finally(() => {
        if (query !== this.#query) return;
        this.#following.onEnd();
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
    this.#revive('body', handle, [], {}, makeBody);
    return true;
  }

  /** The same object, if the page has had it not long ago. */
  #revive<K extends Kind>(
    kind: K,
    handle: number,
    parts: readonly Thing[],
    fields: KindFields<K>,
    make: Maker<K>,
  ): Thing {
    const thing =
      this.#contents.takeRemoved(kind, handle) ?? this.#following.make(make, handle, parts, fields);
    this.#contents.add(
      kind,
      thing,
      parts.map((part) => part.handle),
    );
    this.#contents.noteShown(handle);
    return thing;
  }
}
