/** Which arrays of shapes are which assets. */
import type { AssetName } from '../../shared/recording/asset.js';

type Numbers = Float32Array | Uint32Array;

/** Each array that it returns belongs to all shapes with that asset, and must not change. */
export class GeometryNames {
  readonly #bytesOf: (name: AssetName) => ArrayBuffer;
  readonly #names = new WeakMap<Numbers, AssetName>();
  /** As long as a shape has them. */
  readonly #floats = new Map<AssetName, WeakRef<Float32Array>>();
  readonly #integers = new Map<AssetName, WeakRef<Uint32Array>>();

  /** @param bytesOf Returns the contents of an asset, in separate memory. */
  constructor(bytesOf: (name: AssetName) => ArrayBuffer) {
    this.#bytesOf = bytesOf;
  }

  /** Undefined: it is none that was named here. */
  nameOf(numbers: Numbers): AssetName | undefined {
    return this.#names.get(numbers);
  }

  setName(numbers: Numbers, name: AssetName): void {
    this.#names.set(numbers, name);
  }

  floats(name: AssetName): Float32Array {
    return this.#find(this.#floats, name, (words) => new Float32Array(words));
  }

  integers(name: AssetName): Uint32Array {
    return this.#find(this.#integers, name, (words) => new Uint32Array(words));
  }

  #find<T extends Numbers>(
    found: Map<AssetName, WeakRef<T>>,
    name: AssetName,
    make: (words: ArrayBuffer) => T,
  ): T {
    const known = found.get(name)?.deref();
    if (known !== undefined) return known;
    const bytes = this.#bytesOf(name);
    // Whole words, whatever was added.
    const numbers = make(bytes.slice(0, bytes.byteLength & ~3));
    found.set(name, new WeakRef(numbers));
    this.#names.set(numbers, name);
    return numbers;
  }
}
