/**
 * Assets: bytes that the page gives to the worker once, and that commands name by a hash of their contents, such as the
 * vertices of a mesh. Equal contents have equal names, so nothing is sent, kept or recorded twice.
 */
import { describe } from '../util/validate.js';
import { StateHash, wordsOfDigest, digestOf } from './state-hash.js';
import { ByteReader, type ByteWriter } from '../util/bytes.js';

/** The name of an asset, which its contents determine: `asset:` and 16 hexadecimal digits. */
export type AssetName = `asset:${string}`;
const PREFIX = 'asset:';

/** Bytes with the name that their contents have. */
export interface Asset {
  /** Name of the contents; see `assetName`. */
  readonly name: AssetName;
  /** The contents. Part of a recording: do not change them. */
  readonly bytes: Uint8Array;
}

/** Most bytes of one asset: 256 MiB. A recording has room for 4 GiB in all. */
export const MAX_ASSET_BYTES = 2 ** 28;

/**
 * The name of an asset with these contents: for tests and tools. On a page, `add` of the handle's `openAssets` returns
 * it.
 *
 * @param contents Any typed array or DataView, of at most 256 MiB. Its bytes count, and not its type.
 * @throws TypeError for anything else; RangeError if it is larger.
 */
export function assetName(contents: ArrayBufferView): AssetName {
  const hash = new StateHash();
  hash.addBytes(assetBytes('contents', contents));
  return `${PREFIX}${hash.digest()}`;
}

/**
 * The bytes of an array, in its own memory.
 *
 * @throws TypeError, RangeError beginning with its name, if it cannot be an asset.
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

/** Writes the hash in a name as two words. */
export function writeAssetName(out: ByteWriter, name: AssetName): void {
  for (const word of wordsOfDigest(name.slice(PREFIX.length))) out.word(word);
}

export const readAssetName = (reader: ByteReader): AssetName =>
  `${PREFIX}${digestOf(reader.word(), reader.word())}`;

/** Bytes of each name at the end of a world's batch. The number of names follows them as a word. */
export const BATCH_ASSET_BYTES = 8;

/** Ends a batch with the names of its assets. */
export function writeBatchAssets(out: ByteWriter, names: readonly AssetName[]): void {
  for (const name of names) writeAssetName(out, name);
  out.word(names.length);
}

/** The assets that a batch names. @throws ByteReadError if the bytes are no batch. */
export function assetsOfBatch(bytes: Uint8Array): AssetName[] {
  const count = new ByteReader(bytes.subarray(-4)).word();
  const from = Math.max(0, bytes.length - 4 - count * BATCH_ASSET_BYTES);
  const reader = new ByteReader(bytes.subarray(from));
  const names: AssetName[] = [];
  while (names.length < count) names.push(readAssetName(reader));
  return names;
}

/** The assets that JSON names: strings that are the name of one and nothing else. */
export const assetNamesIn = (json: string): AssetName[] =>
  (json.match(/"asset:[0-9a-f]{16}"/g) ?? []).map((text) => text.slice(1, -1) as AssetName);

/** @throws RangeError beginning with what names them, if one of the assets is not there. */
export function requireNamedAssets(
  what: string,
  names: readonly AssetName[],
  assets: { has(name: AssetName): boolean },
): void {
  const missing = names.find((name) => !assets.has(name));
  if (missing === undefined) return;
  throw new RangeError(`${what} names "${missing}", and there is no such asset`);
}
