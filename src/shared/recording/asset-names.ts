/** Names of assets, see asset.ts. A separate module: pages and workers that use no assets need only this. */

/** The name of an asset, which its contents determine: `asset:` and 16 hexadecimal digits. */
export type AssetName = `asset:${string}`;

/** The assets that JSON names: strings that are nothing but such a name. */
export const assetNamesIn = (json: string): AssetName[] =>
  (json.match(/"asset:[0-9a-f]{16}"/g) ?? []).map((text) => text.slice(1, -1) as AssetName);

/** @throws RangeError beginning with what names it, if an asset that the JSON names is not there. */
export function requireNamedAssets(
  what: string,
  json: string,
  assets: { has(name: AssetName): boolean },
): void {
  const missing = assetNamesIn(json).find((name) => !assets.has(name));
  if (missing === undefined) return;
  throw new RangeError(`${what} names "${missing}", and there is no such asset`);
}
