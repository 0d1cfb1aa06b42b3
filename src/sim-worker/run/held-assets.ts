/** The assets that a simulation may get. */
import type { Asset, AssetName } from '../../shared/recording/asset.js';
import type { Assets } from '../api/assets.js';

export class HeldAssets implements Assets {
  readonly #bytes = new Map<AssetName, Uint8Array>();
  /** Number of assets received. Commands wait until this reaches the number in the record before them. */
  received = 0;

  constructor(assets: readonly Asset[] = []) {
    this.add(assets, assets.length);
  }

  /** @param newest How many have been received with these. */
  add(assets: readonly Asset[], newest: number): void {
    for (const { name, bytes } of assets) this.#bytes.set(name, bytes);
    this.received = newest;
  }

  get(name: AssetName): ArrayBuffer {
    const bytes = this.#bytes.get(name);
    if (bytes !== undefined) return new Uint8Array(bytes).buffer;
    throw new RangeError(
      `there is no asset "${name}": add it on the page before the command that names it`,
    );
  }
}
