/**
 * What the page changes in a world in one turn, as one command. It is sorted: removals first, then the world itself,
 * bodies, colliders and joints, each by its handle. So the same changes in another order are the same batch.
 *
 *     removed joints, colliders and bodies   each a list of handles
 *     world                                  fields
 *     bodies                                 count, then each: handle, whether it is new, fields
 *     colliders                              count, then each: handle, its body's if it is new, else 0xffffffff, fields
 *     joints                                 count, then each: handle, handles of its bodies, 0 if it exists, fields
 */
import { readFields, writeFields } from './fields.js';
import {
  BODY_FIELDS,
  COLLIDER_FIELDS,
  JOINT_FIELDS,
  WORLD_FIELDS,
  type BodyFields,
  type ColliderFields,
  type JointFields,
  type WorldFields,
} from './world-fields.js';
import { WordReader, WordWriter } from './words.js';

/** A change of something that exists. */
export const EXISTING = 0xffff_ffff;
/** Handles count from 1, so that 0 is none. */
export const NO_BODY = 0;

export interface BodyChange {
  readonly handle: number;
  readonly isNew: boolean;
  readonly fields: BodyFields;
}

export interface ColliderChange {
  readonly handle: number;
  /** The handle of its body, or {@link NO_BODY}, if it is new; else {@link EXISTING}. */
  readonly parent: number;
  readonly fields: ColliderFields;
}

export interface JointChange {
  readonly handle: number;
  /** The handles of both bodies, if it is new; else {@link NO_BODY}. */
  readonly body1: number;
  readonly body2: number;
  readonly fields: JointFields;
}

export interface WorldBatch {
  readonly removedJoints: readonly number[];
  readonly removedColliders: readonly number[];
  readonly removedBodies: readonly number[];
  readonly world: WorldFields;
  readonly bodies: readonly BodyChange[];
  readonly colliders: readonly ColliderChange[];
  readonly joints: readonly JointChange[];
}

/** The answer to a batch. */
export interface AppliedBatch {
  /** Number of the tick that is the first to have it. */
  readonly tick: number;
  /** The number of each body that is drawn from then on, in commands and then among the bodies: its handle, and its id. */
  readonly ids: readonly number[];
}

const byHandle = (a: { readonly handle: number }, b: { readonly handle: number }): number =>
  a.handle - b.handle;

export function encodeBatch(batch: WorldBatch): Uint32Array<ArrayBuffer> {
  const words = new WordWriter();
  words.integers(batch.removedJoints.toSorted((a, b) => a - b));
  words.integers(batch.removedColliders.toSorted((a, b) => a - b));
  words.integers(batch.removedBodies.toSorted((a, b) => a - b));
  writeFields(words, WORLD_FIELDS, batch.world);
  words.integer(batch.bodies.length);
  for (const { handle, isNew, fields } of batch.bodies.toSorted(byHandle)) {
    words.integer(handle);
    words.integer(Number(isNew));
    writeFields(words, BODY_FIELDS, fields);
  }
  words.integer(batch.colliders.length);
  for (const { handle, parent, fields } of batch.colliders.toSorted(byHandle)) {
    words.integer(handle);
    words.integer(parent);
    writeFields(words, COLLIDER_FIELDS, fields);
  }
  words.integer(batch.joints.length);
  for (const { handle, body1, body2, fields } of batch.joints.toSorted(byHandle)) {
    words.integer(handle);
    words.integer(body1);
    words.integer(body2);
    writeFields(words, JOINT_FIELDS, fields);
  }
  return words.take();
}

/** @throws RangeError if they are no batch: they may come from a file. */
export function decodeBatch(words: Uint32Array): WorldBatch {
  const reader = new WordReader(words);
  const batch = {
    removedJoints: [...reader.integers()],
    removedColliders: [...reader.integers()],
    removedBodies: [...reader.integers()],
    world: readFields(reader, WORLD_FIELDS),
    bodies: list(reader, () => ({
      handle: reader.integer(),
      isNew: reader.integer() !== 0,
      fields: readFields(reader, BODY_FIELDS),
    })),
    colliders: list(reader, () => ({
      handle: reader.integer(),
      parent: reader.integer(),
      fields: readFields(reader, COLLIDER_FIELDS),
    })),
    joints: list(reader, () => ({
      handle: reader.integer(),
      body1: reader.integer(),
      body2: reader.integer(),
      fields: readFields(reader, JOINT_FIELDS),
    })),
  };
  if (!reader.isAtEnd)
    throw new RangeError('a batch of changes to a world has words after its end');
  return batch;
}

/** Each takes at least one word, so a wrong count ends with the words. */
function list<T>(reader: WordReader, read: () => T): T[] {
  const count = reader.integer();
  const items: T[] = [];
  while (items.length < count) items.push(read());
  return items;
}
