/** The assets of a simulation, as the page adds them. */
import type { AssetName } from '../../shared/recording/asset.js';

/** Gives bytes to the worker, for commands that name them. */
export interface AssetStore {
  /**
   * Copies bytes and sends the copy to the worker, unless it has equal ones already. A command that is called after this
   * finds them there as `context.assets.get(name)`, on whatever tick it is applied and whichever worker applies it.
   *
   * They are kept until the simulation is disposed: once by the worker, and once by the page for recordings and later
   * workers, unless the run is not recorded.
   *
   * @param contents Any typed array or DataView, of at most 256 MiB. Its bytes count, and not its type.
   * @returns Its name, which the contents determine: an argument of a command, or part of one.
   * @throws TypeError if it is none; RangeError if it is larger.
   */
  add(contents: ArrayBufferView): AssetName;
  /**
   * The contents of an asset that was added, or that a shown recording has brought, as a copy.
   *
   * @throws RangeError if there is none, or if it is not kept because the run is not recorded.
   */
  get(name: AssetName): ArrayBuffer;
}
