/**
 * Assets: bytes that the page gives to the worker once, and that commands name by a hash of their contents, such as the
 * vertices of a mesh. Equal contents have equal names, so nothing is sent, kept or recorded twice.
 */
import { describe } from '../util/validate.js';
import type { AssetName } from './asset-names.js';
import { StateHash } from './state-hash.js';

/** Bytes with the name that their contents have. */
export interface Asset {
  /** Of the contents; see `assetName`. */
  readonly name: AssetName;
  /** The contents. Part of a recording: do not change them. */
  readonly bytes: Uint8Array;
}

/** Most bytes of one asset: 256 MiB. A recording has room for 4 GiB in all. */
export const MAX_ASSET_BYTES = 2 ** 28;

/** Reused: a hash is complete when the function returns. */
const hash = new StateHash();

/**
 * The name of an asset with these contents: for tests and tools. On a page, `add` of the handle's `openAssets` returns
 * it.
 *
 * @param contents Any typed array or DataView, of at most 256 MiB. Its bytes count, and not its type.
 * @throws TypeError if it is none; RangeError if it is larger.
 */
export function assetName(contents: ArrayBufferView): AssetName {
  hash.reset();
  hash.addBytes(assetBytes('contents', contents));
  return `asset:${hash.digest()}`;
}

/**
 * The bytes of an array, in its own memory.
 *
 * @throws TypeError, RangeError beginning with its name, if it can be no asset.
 */
export function assetBytes(name: string, contents: ArrayBufferView): Uint8Array {
  if (!ArrayBuffer.isView(contents)) {
    throw new TypeError(
      `${name} must be a typed array or a DataView, but is ${describe(contents)}`,
    );
  }
  const { buffer, byteOffset, byteLength } = contents;
  if (byteLength <= MAX_ASSET_BYTES) return new Uint8Array(buffer, byteOffset, byteLength);
  throw new RangeError(
    `${name} has ${byteLength} bytes, and an asset has at most ${MAX_ASSET_BYTES}: divide it into several`,
  );
}

/**
 * Checks what came from a file or an application.
 *
 * @throws TypeError, RangeError naming the field that does not match its type, or a name that is not that of its
 *   contents.
 */
export function requireAsset(path: string, value: unknown): Asset {
  const { name, bytes } = (value ?? {}) as Partial<Asset>;
  const actual = assetName(assetBytes(`${path}.bytes`, bytes as Uint8Array));
  if (name === actual) return { name, bytes: bytes as Uint8Array };
  throw new RangeError(`${path}.name is "${name}", and its contents have the name "${actual}"`);
}
