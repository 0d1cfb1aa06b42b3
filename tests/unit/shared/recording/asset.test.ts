import { expect, test } from 'vitest';
import {
  MAX_ASSET_BYTES,
  assetName,
  assetNamesIn,
} from '../../../../src/shared/recording/asset.js';
import { StateHash } from '../../../../src/shared/recording/state-hash.js';

test('the name of an asset depends on its bytes alone, wherever they are', () => {
  const floats = Float32Array.of(1, 2, 3.5);
  const bytes = new Uint8Array(floats.buffer);
  const moved = new Uint8Array(20);
  moved.set(bytes, 3);
  const name = assetName(floats);
  expect(name).toMatch(/^asset:[0-9a-f]{16}$/);
  for (const same of [bytes, new DataView(floats.buffer), moved.subarray(3, 15)]) {
    expect(assetName(same)).toBe(name);
  }
  expect(assetName(moved.subarray(4, 16))).not.toBe(name);
  expect(assetName(bytes.subarray(0, 11))).not.toBe(name);
  expect(assetName(bytes.subarray(0, 0))).not.toBe(assetName(new Uint8Array(4)));
});

test('the name of an asset has the hash of its words, the lowest byte first', () => {
  const hash = new StateHash();
  for (const word of [0x04030201, 0x0605, 6]) hash.addWord(word);
  expect(assetName(Uint8Array.of(1, 2, 3, 4, 5, 6))).toBe(`asset:${hash.digest()}`);
});

test('what can be no asset is refused', () => {
  for (const wrong of [undefined, null, [1, 2], new ArrayBuffer(8), 'text']) {
    expect(() => assetName(wrong as never)).toThrow(
      /^contents must be a typed array or a DataView, but is/,
    );
  }
  // Not touched, so that it takes no memory.
  expect(() => assetName(new Uint8Array(MAX_ASSET_BYTES + 1))).toThrow(
    'contents has 268435457 bytes, and an asset has at most 268435456: divide it into several',
  );
});

test('JSON names the assets that are a whole string in it', () => {
  const name = 'asset:0123456789abcdef';
  const json = JSON.stringify([name, { [name]: `see ${name}` }, `${name}0`, 'asset:0123', 1]);
  expect(assetNamesIn(json)).toEqual([name, name]);
  expect(assetNamesIn('[]')).toEqual([]);
});
