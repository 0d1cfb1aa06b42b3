/** What a world has of one kind, by the page's handles. */
import type { Json } from '../../shared/util/json.js';
import type { Change } from '../shared/world-batch.js';
import type { Kind } from '../shared/world-fields.js';

export interface KindContents<K extends Kind> {
  /** Removes what has this handle; nothing if it was removed before. */
  remove(handle: number): void;
  /** Forgets what the engine has removed together with something else. */
  forgetGone(): void;
  /**
   * Makes or changes something. What it names that is gone is passed over: it was removed since, or with its body.
   *
   * @throws RangeError if the engine cannot make it.
   */
  apply(change: Change<K>): void;
  /**
   * What the engine has, as changes that would make it again, as far as the engine can tell.
   *
   * @param known Handles that need no shape: the page has it.
   */
  describe(known: ReadonlySet<number>): Change<K>[];
  /** Changes with what the engine cannot tell, for a saved state. Default: what `describe` returns. */
  untold?(): Change<K>[];
  /** What a saved state has besides these changes and the engine's world, such as the engine's number of each handle. */
  save(): Json;
  /**
   * The engine has the saved world already.
   *
   * @param changes What `untold` returned.
   * @throws RangeError if it is not what `save` returned.
   */
  restore(changes: readonly Change<K>[], saved: Json): void;
}
