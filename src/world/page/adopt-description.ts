/** Brings what the page has in line with what the worker says that it has. */
import { readBatch } from '../shared/batch-codec.js';
import type { GeometryNames } from '../shared/shape-data.js';
import type { Change, DescribedWorld, WorldBatch } from '../shared/world-batch.js';
import { KIND_NAMES, type Kind, type KindFields } from '../shared/world-fields.js';
import type { BatchSender } from './batch-sender.js';
import { MAKERS } from './handle-makers.js';
import type { Followed, Maker } from './make-handle.js';
import type { PageContents, Thing } from './page-contents.js';

/** What the world does for its follower. */
export interface Following {
  /** Makes the handle of something that the page has not made. */
  make<K extends Kind>(
    make: Maker<K>,
    handle: number,
    parts: readonly Thing[],
    fields: KindFields<K>,
  ): Thing;
  /** Whether a replay is shown: what the page has changed in the meantime is not for it. */
  isReplaying(): boolean;
  /** Has the assets of shapes. */
  geometry(): GeometryNames | undefined;
  /** Given the settings of the world itself. */
  onWorld(world: WorldBatch['world']): void;
  /** The page has what the worker has. */
  onFollowed(): void;
  /** Nothing is asked for any more. */
  onEnd(): void;
}

/** What is adopted into. */
export interface Adopting {
  readonly contents: PageContents;
  readonly sender: BatchSender;
  readonly following: Following;
  /** Adds something that the page does not have. */
  revive<K extends Kind>(
    kind: K,
    handle: number,
    parts: readonly Thing[],
    fields: KindFields<K>,
    make: Maker<K>,
  ): Thing;
}

export function adoptDescription(into: Adopting, described: DescribedWorld): void {
  const { contents, sender, following } = into;
  const read = (bytes: Uint8Array) => readBatch(bytes, following.geometry());
  const { world, changed } = read(described.bytes);
  const waiting = described.waiting.map(read);
  const pending = [...waiting, ...sender.pendingAfter(described.tick)];
  const gone = following.isReplaying() ? [] : pending;
  const removed = new Set(gone.flatMap((batch) => Object.values(batch.removed).flat()));
  const living = new Set<number>();
  for (const kind of KIND_NAMES) {
    const coming = waiting.flatMap(
      (batch) => batch.changed[kind] as readonly Change<typeof kind>[],
    );
    const there = [...changed[kind], ...coming.filter(({ parts }) => parts !== undefined)];
    for (const change of there) {
      if (removed.has(change.handle)) continue;
      if (adoptOne(into, kind, change, pending)) living.add(change.handle);
    }
    for (const batch of pending) {
      for (const { handle, parts } of batch.changed[kind]) {
        if (parts !== undefined) living.add(handle);
      }
    }
  }
  for (const kind of KIND_NAMES) {
    for (const thing of contents.all(kind).values()) {
      if (!living.has(thing.handle)) contents.remove(thing, () => {});
    }
  }
  const settings = Object.assign(world, ...pending.map((batch) => batch.world));
  following.onWorld(settings as WorldBatch['world']);
  following.onFollowed();
}

/** @returns False if what it is made of is gone. */
function adoptOne<K extends Kind>(
  { contents, revive }: Adopting,
  kind: K,
  change: Change<K>,
  pending: readonly WorldBatch[],
): boolean {
  const { handle, fields } = change;
  const parts = (change.parts ?? []).map((part) => contents.get(part));
  if (parts.includes(undefined)) return false;
  const there = contents.get(handle);
  // In a state of another page, it may be the number of anything.
  const isOther = there !== undefined && !contents.has(kind, there);
  if (isOther) contents.remove(there, () => {});
  const thing =
    isOther || there === undefined
      ? revive(kind, handle, parts as Thing[], fields, MAKERS[kind])
      : there;
  const since = pending.map((batch) =>
    (batch.changed[kind] as readonly Change<K>[]).find((other) => other.handle === handle),
  );
  const latest = Object.assign({ ...fields }, ...since.map((other) => other?.fields));
  (thing as Followed<K>).adopt(latest as KindFields<K>);
  return true;
}
