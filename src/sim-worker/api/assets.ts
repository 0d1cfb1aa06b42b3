/** The assets of a simulation, as it gets them. */
import type { AssetName } from '../../shared/recording/asset.js';

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
