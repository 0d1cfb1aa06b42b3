/** A saved Rapier world as bytes: the engine's snapshot, and which rigid body belongs to which body. */
import type { World } from '@dimforge/rapier3d-simd-compat';
import { slotOf, type BodyId } from '../../shared/memory/body-meta.js';
import { textOf, utf8Of } from '../../shared/util/text.js';
import { packParts, unpackParts } from '../bodies/saved-parts.js';
import { engineNameOf } from './rapier-builds.js';

const KIND = 'btwR';
const WHAT = 'a saved Rapier world';
/** Words per entry: the id, both halves of the handle, and whether it was active after the last step. */
const ENTRY_WORDS = 4;

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
}

const scratch = new DataView(new ArrayBuffer(8));

export function packWorld({ engine, snapshot, bodies, active }: SavedRapierWorld): Uint8Array {
  const table = new Uint32Array(bodies.length * ENTRY_WORDS);
  bodies.forEach(({ id, handle, wasActive }, index) => {
    scratch.setFloat64(0, handle, true);
    const halves = [scratch.getUint32(0, true), scratch.getUint32(4, true)];
    table.set([id, ...halves, wasActive ? 1 : 0], index * ENTRY_WORDS);
  });
  const activeIds = Uint32Array.from(active);
  return packParts(KIND, [
    utf8Of(engine),
    snapshot,
    new Uint8Array(table.buffer),
    new Uint8Array(activeIds.buffer),
  ]);
}

/** @throws RangeError if the bytes are not from {@link packWorld}. */
export function unpackWorld(bytes: Uint8Array): SavedRapierWorld {
  const [engine, snapshot, table, active] = unpackParts(KIND, 4, bytes, WHAT);
  if (!engine || !snapshot || !table || !active)
    throw new RangeError(`these bytes are not ${WHAT}`);
  const words = wordsOf(table);
  const bodies = Array.from({ length: words.length / ENTRY_WORDS }, (_, index): SavedBody => {
    const [id = 0, low = 0, high = 0, wasActive] = words.subarray(index * ENTRY_WORDS);
    scratch.setUint32(0, low, true);
    scratch.setUint32(4, high, true);
    return {
      id: id as BodyId,
      handle: scratch.getFloat64(0, true),
      wasActive: wasActive === 1,
    };
  });
  return {
    engine: textOf(engine) ?? '',
    snapshot,
    bodies,
    active: Array.from(wordsOf(active), (id) => id as BodyId),
  };
}

/**
 * Creates a world from a saved one.
 *
 * @param current A world of the engine to use.
 * @param capacity Most bodies.
 * @throws RangeError if another engine saved it, or if it has more bodies.
 */
export function reviveWorld(saved: SavedRapierWorld, current: World, capacity: number): World {
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
  const world = current.serializationPipeline.deserializeAll(saved.snapshot) as World | null;
  if (world === null) throw new RangeError(`"${engine}" cannot read the saved world`);
  correctParents(world);
  return world;
}

/**
 * In a world restored by Rapier (0.20, 0.21), `parent()` returns the first rigid body for a collider that has none: the
 * missing index reads as 0. This sets the collider's field, which is private in the types.
 */
function correctParents(world: World): void {
  const { raw } = world.colliders;
  world.forEachCollider((collider) => {
    if (raw.coParent(collider.handle) === undefined) Object.assign(collider, { _parent: null });
  });
}

/** Packed parts are aligned to whole words. */
const wordsOf = (bytes: Uint8Array): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
