/** The assets of a simulation, as it gets them. */
import type { AssetName, Asset } from '../../shared/recording/asset.js';

/** Bytes that the page has added with `openAssets`, named by a hash of their contents. */
export interface Assets {
  /**
   * The contents of an asset, as a copy that the caller may change: `new Float32Array(context.assets.get(name))`.
   *
   * Use only names that a command, the setup or a restored state brings. Then a run gets the same in every replay:
   * commands wait for the assets that were added before them, and a recording contains them.
   *
   * @throws RangeError if there is no asset of that name.
   */
  get(name: AssetName): ArrayBuffer;
}

/** The assets that have arrived in this thread. */
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
