/** A saved Rapier world as bytes: the engine's snapshot, and which rigid body belongs to which body. */
import { slotOf, type BodyId } from '../shared/memory/body-meta.js';
import { ByteReader, ByteWriter, textOf, utf8Of } from '../shared/util/bytes.js';
import type { AnyWorld } from './any-rapier.js';
import { engineNameOf } from './rapier-builds.js';
import { packParts, unpackParts } from './saved-parts.js';

const KIND = 'btwR';
const WHAT = 'a saved Rapier world';

export interface SavedBody {
  readonly id: BodyId;
  /** Rapier's handle, all 64 bits of it. */
  readonly handle: number;
  readonly wasActive: boolean;
}

export interface SavedRapierWorld {
  /** Name, build and version: another engine cannot read the snapshot, or would continue differently. */
  readonly engine: string;
  readonly snapshot: Uint8Array;
  /** By slot. */
  readonly bodies: readonly SavedBody[];
  /** The bodies that were active after the last step, in the engine's order. */
  readonly active: readonly BodyId[];
  /** The watches of colliders: see rapier-watches.ts. */
  readonly watches: Uint8Array;
  /** The pairs of colliders that touch. */
  readonly pairs: Uint8Array;
  /** The forces between them. */
  readonly forces: Uint8Array;
}

export function packWorld(saved: SavedRapierWorld): Uint8Array {
  const { engine, snapshot, bodies, active, watches, pairs, forces } = saved;
  const table = new ByteWriter();
  for (const { id, handle, wasActive } of bodies) {
    table.word(id);
    table.float64(handle);
    table.word(wasActive ? 1 : 0);
  }
  const activeIds = new ByteWriter(4 * active.length);
  for (const id of active) activeIds.word(id);
  return packParts(KIND, [
    utf8Of(engine),
    snapshot,
    table.toBytes(),
    activeIds.toBytes(),
    watches,
    pairs,
    forces,
  ]);
}

/** @throws RangeError if the bytes are not from {@link packWorld}. */
export function unpackWorld(bytes: Uint8Array): SavedRapierWorld {
  const parts = unpackParts(KIND, 7, bytes, WHAT);
  const [engine, snapshot, entries, ids, watches, pairs, forces] = parts as [
    engine: Uint8Array,
    snapshot: Uint8Array,
    entries: Uint8Array,
    ids: Uint8Array,
    watches: Uint8Array,
    pairs: Uint8Array,
    forces: Uint8Array,
  ];
  const reader = new ByteReader(entries);
  const bodies: SavedBody[] = [];
  while (reader.left > 0) {
    const [id, handle] = [reader.word() as BodyId, reader.float64()];
    bodies.push({ id, handle, wasActive: reader.word() === 1 });
  }
  const active: BodyId[] = [];
  const idReader = new ByteReader(ids);
  while (idReader.left > 0) active.push(idReader.word() as BodyId);
  return { engine: textOf(engine) ?? '', snapshot, bodies, active, watches, pairs, forces };
}

/**
 * Creates a world from a saved one.
 *
 * @param current A world of the engine to use.
 * @param capacity Most bodies.
 * @throws RangeError if another engine saved it, or if it has more bodies.
 */
export function reviveWorld<W extends AnyWorld>(
  saved: SavedRapierWorld,
  current: W,
  capacity: number,
): W {
  const engine = engineNameOf(current);
  if (saved.engine !== engine) {
    throw new RangeError(
      `the world was saved by the engine "${saved.engine}", and this one is "${engine}"`,
    );
  }
  if (saved.bodies.some(({ id }) => slotOf(id) >= capacity)) {
    throw new RangeError(
      'the saved world has more bodies than there is room for: connect with a higher capacity',
    );
  }
  const world = current.serializationPipeline.deserializeAll(saved.snapshot) as W | null;
  if (world === null) throw new RangeError(`"${engine}" cannot read the saved world`);
  correctParents(world);
  return world;
}

/**
 * In a world restored by Rapier (0.20, 0.21), `parent()` returns the first rigid body for a collider that has none: the
 * missing index reads as 0. This sets the collider's field, which is private in the types.
 */
function correctParents(world: AnyWorld): void {
  const { raw } = world.colliders;
  world.forEachCollider((collider) => {
    if (raw.coParent(collider.handle) === undefined) Object.assign(collider, { _parent: null });
  });
}
