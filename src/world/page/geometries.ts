/** Which geometry of shapes is an asset. */
import type { AssetName } from '../../shared/recording/asset.js';
import { GeometryNames } from '../shared/shape-data.js';
import type { AssetStore } from '../../render-main/api/assets.js';

/** Fewer numbers are sent with each shape. */
const MIN_LENGTH = 32;

export class Geometries extends GeometryNames {
  readonly #assets: AssetStore;

  constructor(assets: AssetStore) {
    super((name) => assets.get(name));
    this.#assets = assets;
  }

  /**
   * Makes an asset of an array that never changes: a description has copies of what an application gives it, and is the
   * same for all of its colliders. So each is hashed once.
   *
   * @returns Undefined if the numbers are few.
   */
  add(numbers: Float32Array | Uint32Array): AssetName | undefined {
    if (numbers.length < MIN_LENGTH) return undefined;
    const name = this.nameOf(numbers) ?? this.#assets.add(numbers);
    this.setName(numbers, name);
    return name;
  }
}
