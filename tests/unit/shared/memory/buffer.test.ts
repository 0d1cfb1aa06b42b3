import { expect, test } from 'vitest';
import {
  eventQueueOf,
  inputQueueOf,
  openBuffer,
  wrongControl,
} from '../../../../src/shared/memory/buffer.js';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import { SnapshotFormatError } from '../../../../src/shared/util/errors.js';
import { CONTROL } from '../../../../src/shared/memory/layout.js';

const QUEUES = { inputWords: 64, eventWords: 128 };

test('the other side of a snapshot buffer sees the same as its creator', () => {
  const { buffer, layout: _, ...created } = createBuffer(100, 3, undefined, QUEUES, true, 3);
  const { layout, ...opened } = openBuffer(buffer);
  expect(buffer).toBeInstanceOf(SharedArrayBuffer);
  const sizes = { capacity: 100, stateCapacity: 3, hasVelocities: true, valueCount: 3 };
  expect(layout).toMatchObject({ ...sizes, ...QUEUES });
  // No two words are the same.
  const words = new Int32Array(buffer);
  for (const at of words.keys()) words[at] = at;
  expect(opened).toEqual(created);
});

test('a snapshot buffer has queues of 262,144 and 65,536 words by default, and no velocities or values', () => {
  const { layout } = openBuffer(createBuffer(1, 2).buffer);
  expect(layout).toMatchObject({ inputWords: 2 ** 18, eventWords: 2 ** 16 });
  expect(layout).toMatchObject({ hasVelocities: false, valueCount: 0 });
});

test('a snapshot buffer may be in memory that is not shared', () => {
  const { buffer } = createBuffer(1, 2, (byteLength) => new ArrayBuffer(byteLength));
  expect(buffer).toBeInstanceOf(ArrayBuffer);
  expect(openBuffer(buffer).layout.capacity).toBe(1);
});

test('the queues of a buffer have their own words and rings', () => {
  const views = createBuffer(1, 2, undefined, QUEUES);
  const { control, inputs, events } = views;
  const ofInputs = { headIndex: 80, tailIndex: 64, refusedIndex: 65 };
  expect(inputQueueOf(views)).toEqual({ control, data: inputs, ...ofInputs });
  const ofEvents = { headIndex: 112, tailIndex: 96, refusedIndex: 97 };
  expect(eventQueueOf(views)).toEqual({ control, data: events, ...ofEvents });
});

/** A valid buffer with one word of its label changed. */
function mislabelled(word: keyof typeof CONTROL, value: number): ArrayBufferLike {
  const { buffer, control } = createBuffer(100, 4);
  control[CONTROL[word]] = value;
  return buffer;
}

/** A valid buffer without its end. */
const cut = (): ArrayBufferLike =>
  createBuffer(100, 4, (byteLength) => new ArrayBuffer(byteLength)).buffer.slice(0, -64);

const NONE = /layout version none, and this code reads version 13/;

test.each([
  ['a scrap', new ArrayBuffer(511), NONE],
  ['any other memory', new SharedArrayBuffer(100_000), NONE],
  ['another magic number', mislabelled('magic', 1), NONE],
  ['an older layout', mislabelled('version', 1), /version 1, .* version 13: load .* same release/],
  ['no bodies', mislabelled('capacity', 0), /sizes that it names are impossible/],
  ['another capacity than it has', mislabelled('capacity', 101), /has \d+ bytes, but the sizes/],
  ['another length than it has', mislabelled('byteLength', 1), /bytes, but the sizes/],
  ['a lost end', cut(), /bytes, but the sizes/],
  ['a queue whose ends are too far apart', mislabelled('inputTail', 2 ** 20), /corrupt: the ends/],
])('a snapshot buffer with %s is refused', (_, buffer, message) => {
  expect(() => openBuffer(buffer)).toThrow(SnapshotFormatError);
  expect(() => openBuffer(buffer)).toThrow(message);
});

test.each([
  ...(['input', 'event'] as const).flatMap((queue) => {
    const words = QUEUES[`${queue}Words`];
    const [tail, head] = [`${queue}Tail`, `${queue}Head`] as const;
    return [
      [{ [tail]: words }, undefined],
      [{ [tail]: words + 1 }, 'the ends of a queue'],
      [{ [head]: 1 }, 'the ends of a queue'],
      [{ [tail]: -(2 ** 31), [head]: 2 ** 31 - 1 }, undefined],
    ] as const;
  }),
  ...[0, 2, 6].map((word) => [{ mailbox: word, statusMailbox: word }, undefined] as const),
  ...['mailbox', 'statusMailbox'].flatMap((mailbox) =>
    [3, 7, 8, -2].map((word) => [{ [mailbox]: word }, 'a mailbox'] as const),
  ),
])('of the control words %o, this is wrong: %s', (words, wrong) => {
  const views = createBuffer(1, 2, undefined, QUEUES);
  expect(wrongControl(views)).toBeUndefined();
  for (const [name, value] of Object.entries(words)) {
    views.control[CONTROL[name as keyof typeof CONTROL]] = value as number;
  }
  expect(wrongControl(views)).toBe(wrong);
});
