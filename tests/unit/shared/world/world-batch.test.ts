import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  EXISTING,
  NO_BODY,
  decodeBatch,
  encodeBatch,
  type WorldBatch,
} from '../../../../src/shared/world/world-batch.js';
import {
  BODY_FIELDS,
  COLLIDER_FIELDS,
  JOINT_FIELDS,
  WORLD_FIELDS,
} from '../../../../src/shared/world/world-fields.js';

const word = fc.nat(0xffff_fffe).map((value) => value + 1);
const float = fc.float({ noNaN: true, noDefaultInfinity: true });
const vector = fc.record({ x: float, y: float, z: float });
const rotation = fc.record({ x: float, y: float, z: float, w: float });
const floats = fc.float32Array({ noNaN: true, noDefaultInfinity: true, maxLength: 12 });
const VALUES = {
  float,
  unsigned: word,
  signed: fc.integer(),
  flag: fc.boolean(),
  flags: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  vector,
  rotation,
  floats,
  mass: fc.record({
    mass: float,
    centerOfMass: vector,
    principalAngularInertia: vector,
    angularInertiaLocalFrame: rotation,
  }),
  shape: fc.record({
    type: word,
    sizes: fc.array(float, { maxLength: 5 }),
    vertices: floats,
    indices: fc.uint32Array({ maxLength: 9 }),
  }),
} as const;

const fieldsOf = (table: Readonly<Record<string, keyof typeof VALUES>>) =>
  fc.record(Object.fromEntries(Object.entries(table).map(([name, kind]) => [name, VALUES[kind]])), {
    requiredKeys: [],
  });
const handles = fc.uniqueArray(word, { maxLength: 6 });
const batches = fc.record({
  removedJoints: handles,
  removedColliders: handles,
  removedBodies: handles,
  world: fieldsOf(WORLD_FIELDS),
  bodies: fc.uniqueArray(
    fc.record({ handle: word, isNew: fc.boolean(), fields: fieldsOf(BODY_FIELDS) }),
    { selector: ({ handle }) => handle, maxLength: 5 },
  ),
  colliders: fc.uniqueArray(
    fc.record({
      handle: word,
      parent: fc.oneof(fc.constantFrom(NO_BODY, EXISTING), word),
      fields: fieldsOf(COLLIDER_FIELDS),
    }),
    { selector: ({ handle }) => handle, maxLength: 5 },
  ),
  joints: fc.uniqueArray(
    fc.record({ handle: word, body1: word, body2: word, fields: fieldsOf(JOINT_FIELDS) }),
    { selector: ({ handle }) => handle, maxLength: 5 },
  ),
}) as fc.Arbitrary<WorldBatch>;

const byHandle = <T extends { readonly handle: number }>(list: readonly T[]): T[] =>
  list.toSorted((a, b) => a.handle - b.handle);
const sorted = (batch: WorldBatch): WorldBatch => ({
  ...batch,
  removedJoints: batch.removedJoints.toSorted((a, b) => a - b),
  removedColliders: batch.removedColliders.toSorted((a, b) => a - b),
  removedBodies: batch.removedBodies.toSorted((a, b) => a - b),
  bodies: byHandle(batch.bodies),
  colliders: byHandle(batch.colliders),
  joints: byHandle(batch.joints),
});

/** 0 if the words are refused as they should be. */
function itemsIn(words: Uint32Array): number {
  try {
    const { bodies, colliders, removedBodies, removedColliders } = decodeBatch(words);
    return bodies.length + colliders.length + removedBodies.length + removedColliders.length;
  } catch (error) {
    if (error instanceof RangeError) return 0;
    throw error;
  }
}

describe('a batch of changes to a world', () => {
  test('is read as it was written, sorted', () => {
    fc.assert(
      fc.property(batches, (batch) => {
        expect(decodeBatch(encodeBatch(batch))).toEqual(sorted(batch));
      }),
    );
  });

  test('is the same in whatever order its changes were made', () => {
    fc.assert(
      fc.property(batches, (batch) => {
        const reversed = {
          ...batch,
          removedBodies: batch.removedBodies.toReversed(),
          removedColliders: batch.removedColliders.toReversed(),
          bodies: batch.bodies.toReversed(),
          colliders: batch.colliders.toReversed(),
          joints: batch.joints.toReversed(),
        };
        expect(encodeBatch(reversed)).toEqual(encodeBatch(batch));
      }),
    );
  });

  test('that is cut off, or has more, is refused', () => {
    fc.assert(
      fc.property(batches, fc.nat(), (batch, at) => {
        const words = encodeBatch(batch);
        const cut = words.subarray(0, at % words.length);
        expect(() => decodeBatch(cut)).toThrow(RangeError);
        expect(() => decodeBatch(Uint32Array.from([...words, 0]))).toThrow(/after its end/);
      }),
    );
  });

  test('of any words is read or refused, and takes no more memory than it has words', () => {
    fc.assert(
      fc.property(fc.uint32Array({ maxLength: 60 }), (words) => {
        expect(itemsIn(words)).toBeLessThanOrEqual(words.length);
      }),
    );
    expect(() => decodeBatch(Uint32Array.of(EXISTING))).toThrow(/cut off/);
  });
});
