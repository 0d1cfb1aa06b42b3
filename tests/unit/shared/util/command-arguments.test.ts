import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentsOfText, textOfArguments } from '../../../../src/shared/util/command-arguments.js';

const through = (args: readonly unknown[]) => argumentsOfText(textOfArguments('args', args));

describe('the arguments of a command', () => {
  test('plain data and typed arrays arrive as they were, bit for bit', () => {
    const typed = fc.oneof(
      fc.float32Array(),
      fc.float64Array(),
      fc.uint8Array(),
      fc.uint8ClampedArray(),
      fc.int8Array(),
      fc.int16Array(),
      fc.uint16Array(),
      fc.int32Array(),
      fc.uint32Array(),
    );
    const plain = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
    const nested = fc.record({ data: typed, note: fc.string(), list: fc.array(typed) });
    fc.assert(
      fc.property(fc.array(fc.oneof(typed, plain, nested)), (args) => {
        expect(through(args)).toEqual(args);
      }),
    );
  });

  test('NaN, -0 and parts of a larger buffer are kept in typed arrays', () => {
    const part = new Float32Array([1, Number.NaN, -0, Infinity, 5]).subarray(1, 4);
    const [copy] = through([part]) as [Float32Array];
    expect(copy).toBeInstanceOf(Float32Array);
    expect([...copy].map((value) => Object.is(value, -0))).toEqual([false, true, false]);
    expect(copy).toEqual(new Float32Array([Number.NaN, -0, Infinity]));
    expect(copy.buffer.byteLength).toBe(12);
  });

  test.each([
    [
      [new Date(0)],
      /args, at \[0\], must be a value that JSON can hold, but is an object of the class Date/,
    ],
    [[{ data: [new DataView(new ArrayBuffer(1))] }], /at \[0\]\.data\[0\], .* class DataView/],
    [[new BigInt64Array(1)], /class BigInt64Array/],
    [[{ a: { $array: 'Float32Array' } }], /must not contain an object with the key "\$array"/],
  ])('refuses %o', (args, message) => {
    expect(() => textOfArguments('args', args)).toThrow(message);
  });

  test.each([
    '[{"$array":"Function","data":""}]',
    '[{"$array":"constructor","data":""}]',
    '[{"$array":"Float32Array"}]',
    '[{"$array":1,"data":""}]',
    '[{"$array":"Float32Array","data":"00ff00"}]',
    '[{"$array":"Float32Array","data":"0x"}]',
  ])('text from a file that was not written so is refused: %s', (text) => {
    expect(() => argumentsOfText(text)).toThrow(/JSON\.parse|typed array|multiple of/);
  });
});
