import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INPUT_KINDS, type InputValues } from '../../../../src/shared/input/tick-inputs.js';
import {
  InputRecordWriter,
  decodeBatch,
  decodeCommand,
  decodeInput,
  stampOf,
} from '../../../../src/shared/input/input-record.js';
import { INPUT_RECORD } from '../../../../src/shared/memory/layout.js';
import type { ByteWriter } from '../../../../src/shared/util/bytes.js';
import { createEventQueue } from '../../../fixtures/event-queue.js';
import { inputValues } from '../../../fixtures/input-values.js';
import { scanned, type Item } from '../../../fixtures/test-queue.js';
import { typedArrays } from '../../../fixtures/typed-arrays.js';

const NAMES = ['jump', 'build', 'fire'];

/** A queue, and its output: type and payload of the next record. */
function openQueue(words = 1 << 10) {
  const { writer, reader } = createEventQueue(words);
  const take = (): { readonly type: number; readonly payload: Int32Array } => {
    const [[type, ...payload]] = scanned(reader) as [Item];
    return { type, payload: Int32Array.from(payload) };
  };
  return { writer, records: new InputRecordWriter(writer), take };
}

const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const inputs: fc.Arbitrary<InputValues> = fc.record(
  {
    kind: fc.constantFrom(...INPUT_KINDS),
    code: word,
    device: word,
    x: number,
    y: number,
    z: number,
    w: number,
  },
  { noNullPrototype: true },
);

/**
 * Text of code points of one to four bytes. `fc.string` with all of them needs half a second to start.
 */
const texts = fc
  .array(
    fc.oneof(
      fc.nat({ max: 0x7f }),
      fc.nat({ max: 0xd7ff }),
      fc.integer({ min: 0xe000, max: 0x10ffff }),
    ),
    { maxLength: 60 },
  )
  .map((codePoints) => String.fromCodePoint(...codePoints));

test('an input is decoded as it was encoded, with its timestamp', () => {
  const { records, take } = openQueue();
  fc.assert(
    fc.property(inputs, number, (input, stampMs) => {
      expect(records.pushInput(input, stampMs)).toBe(true);
      const { type, payload } = take();
      expect(type).toBe(INPUT_RECORD.input);
      expect(decodeInput(payload)).toStrictEqual(input);
      expect(stampOf(payload)).toBe(stampMs);
    }),
  );
});

test('an input uses 14 words, at these indices, and is read from the middle of a longer array too', () => {
  const { records, take } = openQueue();
  records.pushInput({ kind: 'wheel', code: 7, device: -2, x: 1, y: 2, z: 3, w: 4 }, 5.5);
  const { payload } = take();
  expect(payload).toHaveLength(14);
  expect([...new Float64Array(payload.buffer, 0, 5)]).toEqual([5.5, 1, 2, 3, 4]);
  expect([...payload.subarray(10)]).toEqual([5, 7, -2, 0]);
  const long = new Int32Array(40).fill(-1);
  long.set(payload, 2);
  expect(decodeInput(long.subarray(2))).toEqual(decodeInput(payload));
  expect(stampOf(long.subarray(2))).toBe(5.5);
});

test('an input of a kind that only a newer page has is a custom one', () => {
  const { records, take } = openQueue();
  records.pushInput(inputValues('wheel'), 0);
  const { payload } = take();
  payload[10] = 99;
  expect(decodeInput(payload).kind).toBe('custom');
});

test('a command is decoded as it was encoded, with its timestamp, whatever its text, its typed array and their lengths, in separate memory', () => {
  const { records, take } = openQueue();
  const indices = fc.nat({ max: NAMES.length - 1 });
  const parts = fc.tuple(typedArrays, fc.nat(1)).map(([array, from]) => array.subarray(from));
  const arrays = fc.option(parts, { nil: undefined });
  fc.assert(
    fc.property(indices, word, texts, arrays, number, (index, call, args, data, stampMs) => {
      expect(records.pushCommand(index, call, { args, data }, stampMs)).toBe(true);
      const { type, payload } = take();
      expect(type).toBe(INPUT_RECORD.command);
      expect(stampOf(payload)).toBe(stampMs);
      const decoded = decodeCommand(payload, NAMES);
      payload.fill(0x41414141);
      const name = NAMES[index];
      expect(decoded).toEqual({ kind: 'command', name, call, args: args || '[]', data });
      expect(decoded.data?.buffer.byteLength).toBe(data?.byteLength);
    }),
  );
});

test('a batch is decoded as it was written, in separate memory, with its timestamp', () => {
  const { records, take } = openQueue();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), word, number, (bytes, call, stampMs) => {
      const write = (out: ByteWriter): boolean => {
        out.bytes(bytes);
        return true;
      };
      expect(records.pushBatch(call, write, stampMs)).toBe(true);
      const { type, payload } = take();
      expect(type).toBe(INPUT_RECORD.batch);
      expect(payload).toHaveLength(4 + Math.ceil(bytes.length / 4));
      const decoded = decodeBatch(payload);
      payload.fill(0, 4);
      expect(decoded).toStrictEqual({ kind: 'batch', call, bytes });
      expect(stampOf(payload)).toBe(stampMs);
    }),
  );
});

test('a batch that cannot be sent yet is not queued', () => {
  const { writer, records } = openQueue(64);
  expect(records.pushBatch(1, () => false, 5)).toBe(false);
  expect([writer.freeWords, writer.refused]).toEqual([64, 0]);
});

test('a command with the longest array that fits arrives, and one with an element more never does', () => {
  const { records, take } = openQueue(64);
  // Besides four words: a byte for no text, one for the kind, one for the count.
  const longest = Uint16Array.from({ length: 2 * (63 - 5) }, (_, index) => index);
  // At every position in the ring.
  for (let count = 0; count < 70; count++) {
    expect(records.pushCommand(1, count, { args: '[]', data: longest }, 3)).toBe(true);
    expect(decodeCommand(take().payload, NAMES)).toMatchObject({ call: count, data: longest });
    expect(records.pushCommand(1, 0, { args: '[]' }, 3)).toBe(true);
    take();
  }
  const tooLong = { args: '[]', data: new Uint16Array(longest.length + 1) };
  expect(() => records.pushCommand(1, 1, tooLong, 3)).toThrow(/can never be queued/);
  const text = { args: 'x'.repeat(300) };
  expect(() => records.pushCommand(0, 0, text, 5)).toThrow(/can never be queued/);
});

test('a command with an array of no kind, or beyond its record, is an error', () => {
  const { records, take } = openQueue();
  // No text, kind of the array, count.
  for (const array of [
    [0, 15, 4],
    [0, 8, 3],
    [0, 1, 127],
  ]) {
    records.pushCommand(1, 2, { args: '[]', data: Uint8Array.of(1, 2, 3, 4) }, 3);
    const { payload } = take();
    new Uint8Array(payload.buffer).set(array, 16);
    expect(() => decodeCommand(payload, NAMES)).toThrow(/constructor|multiple of|announces/);
  }
});

test('a command that does not exist has no name', () => {
  const { records, take } = openQueue();
  for (const index of [-1, 3]) {
    records.pushCommand(index, 1, { args: '[]' }, 0);
    expect(decodeCommand(take().payload, NAMES).name).toBe('');
  }
});
