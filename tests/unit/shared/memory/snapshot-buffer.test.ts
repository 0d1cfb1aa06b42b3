import { describe, expect, test } from 'vitest';
import { openBuffer } from '../../../../src/shared/memory/buffer.js';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import { SnapshotFormatError } from '../../../../src/shared/util/errors.js';
import { CONTROL } from '../../../../src/shared/memory/layout.js';

/** A valid buffer with one word of its label changed. */
function mislabelled(word: keyof typeof CONTROL, value: number): ArrayBufferLike {
  const { buffer, control } = createBuffer(100, 4);
  control[CONTROL[word]] = value;
  return buffer;
}

describe('opening a snapshot buffer', () => {
  test('sees the same as its creator', () => {
    const created = createBuffer(100, 3);
    const opened = openBuffer(created.buffer);
    expect(created.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(opened.layout.capacity).toBe(100);
    expect(opened.layout.stateCapacity).toBe(3);
    expect([opened.inputs.length, opened.events.length]).toEqual([2 ** 16, 2 ** 16]);
    for (const [slot, views] of created.slots.entries()) {
      for (const [state, poses] of views.poses.entries()) poses[799] = slot * 10 + state + 1;
    }
    expect(opened.slots.map((slot) => slot.poses.map((poses) => poses[799]))).toEqual([
      [1, 2, 3],
      [11, 12, 13],
      [21, 22, 23],
    ]);
  });

  test('finds queues of the sizes that its creator chose', () => {
    const queues = { inputWords: 64, eventWords: 128 };
    const created = createBuffer(1, 2, undefined, queues);
    const opened = openBuffer(created.buffer);
    created.inputs[63] = 7;
    created.events[127] = 8;
    expect([opened.inputs.length, opened.events.length]).toEqual([64, 128]);
    expect([opened.inputs[63], opened.events[127]]).toEqual([7, 8]);
  });

  test('finds the values of each slot', () => {
    const created = createBuffer(1, 2, undefined, undefined, false, 3);
    const opened = openBuffer(created.buffer);
    for (const [slot, { values }] of created.slots.entries()) values[2] = slot + 1;
    expect(opened.slots.map(({ values }) => Array.from(values))).toEqual([
      [0, 0, 1],
      [0, 0, 2],
      [0, 0, 3],
    ]);
  });

  test('works on memory that is not shared', () => {
    const { buffer } = createBuffer(1, 2, (byteLength) => new ArrayBuffer(byteLength));
    expect(buffer).toBeInstanceOf(ArrayBuffer);
    expect(openBuffer(buffer).layout.capacity).toBe(1);
  });

  test.each([
    ['nothing', new ArrayBuffer(0), /layout version none, and this code reads version 8/],
    ['a scrap', new ArrayBuffer(100), /layout version none, and this code reads version 8/],
    [
      'any other memory',
      new SharedArrayBuffer(100_000),
      /layout version none, and this code reads version 8/,
    ],
    [
      'another magic number',
      mislabelled('magic', 1),
      /layout version none, and this code reads version 8/,
    ],
    [
      'an older layout',
      mislabelled('version', 1),
      /layout version 1, and this code reads version 8: load .* from the same release/,
    ],
    [
      'a newer layout',
      mislabelled('version', 9),
      /layout version 9, and this code reads version 8/,
    ],
    ['values that it has no room for', mislabelled('values', 1), /bytes, but the sizes/],
    ['too many values', mislabelled('values', 2 ** 17), /sizes that it names are impossible/],
    ['no bodies', mislabelled('capacity', 0), /sizes that it names are impossible/],
    ['too few states', mislabelled('stateCapacity', 1), /sizes that it names are impossible/],
    ['too many states', mislabelled('stateCapacity', 5), /sizes that it names are impossible/],
    ['another capacity than it has', mislabelled('capacity', 101), /has \d+ bytes, but the sizes/],
    ['a queue of no size', mislabelled('inputWords', 0), /sizes that it names are impossible/],
    [
      'a queue that is no ring',
      mislabelled('eventWords', 100),
      /sizes that it names are impossible/,
    ],
    ['a larger queue than it has', mislabelled('inputWords', 2 ** 15), /bytes, but the sizes/],
    ['another length than it has', mislabelled('byteLength', 1), /bytes, but the sizes/],
    [
      'a queue whose ends are too far apart',
      mislabelled('inputTail', 2 ** 20),
      /is corrupt: the ends/,
    ],
    ['a mailbox that is none', mislabelled('mailbox', 3), /is corrupt: a mailbox/],
  ])('refuses %s', (_, buffer, message) => {
    expect(() => openBuffer(buffer)).toThrow(SnapshotFormatError);
    expect(() => openBuffer(buffer)).toThrow(message);
  });

  test('refuses a copy that lacks its end', () => {
    const { buffer } = createBuffer(100, 4, (byteLength) => new ArrayBuffer(byteLength));
    expect(() => openBuffer(buffer.slice(0, -64))).toThrow(SnapshotFormatError);
  });
});
