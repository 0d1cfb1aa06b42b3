/** Names of assets, see asset.ts. A separate module: pages and workers that use no assets need only this. */
import { ByteReader } from '../util/byte-reader.js';
import type { ByteWriter } from '../util/byte-writer.js';
import { wordsOf } from './digest-words.js';
import type { RecordingEntry } from './recording.js';
import { digestOf } from './state-hash.js';

/** The name of an asset, which its contents determine: `asset:` and 16 hexadecimal digits. */
export type AssetName = `asset:${string}`;
const PREFIX = 'asset:';

/** Writes the hash in a name as two words. */
export function writeAssetName(out: ByteWriter, name: AssetName): void {
  for (const word of wordsOf(name.slice(PREFIX.length))) out.word(word);
}

export const readAssetName = (reader: ByteReader): AssetName =>
  `${PREFIX}${digestOf(reader.word(), reader.word())}`;

/** Of each asset that a batch of a world names, at the end of its bytes, before their number as a word. */
export const BATCH_ASSET_BYTES = 8;

/** Ends a batch. */
export function writeBatchAssets(out: ByteWriter, names: readonly AssetName[]): void {
  for (const name of names) writeAssetName(out, name);
  out.word(names.length);
}

/** The assets that a batch names. @throws ByteReadError if it cannot be one. */
export function assetsOfBatch(bytes: Uint8Array): AssetName[] {
  const count = new ByteReader(bytes.subarray(-4)).word();
  const from = Math.max(0, bytes.length - 4 - count * BATCH_ASSET_BYTES);
  const reader = new ByteReader(bytes.subarray(from));
  const names: AssetName[] = [];
  while (names.length < count) names.push(readAssetName(reader));
  return names;
}

/** The assets that JSON names: strings that are nothing but such a name. */
export const assetNamesIn = (json: string): AssetName[] =>
  (json.match(/"asset:[0-9a-f]{16}"/g) ?? []).map((text) => text.slice(1, -1) as AssetName);

/** The assets that an entry of a recording names. */
export function assetsOfEntry(entry: RecordingEntry): AssetName[] {
  if (entry.kind === 'batch') return assetsOfBatch(entry.bytes);
  return entry.kind === 'command' ? assetNamesIn(entry.args) : [];
}

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
