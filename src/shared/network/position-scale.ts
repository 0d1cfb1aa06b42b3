/** Positions as multiples of a step. */
const MAX_INTEGER = 2 ** 31 - 1;

export class PositionScale {
  readonly #step: number;
  readonly #perUnit: number;

  /** @param step Greater than 0. */
  constructor(step: number) {
    this.#step = step;
    this.#perUnit = 1 / step;
  }

  /** The nearest multiple, as a 32-bit integer. What is farther away than that ends there. */
  quantize(coordinate: number): number {
    const multiple = Math.round(coordinate * this.#perUnit);
    return multiple > MAX_INTEGER ? MAX_INTEGER : multiple < -MAX_INTEGER ? -MAX_INTEGER : multiple;
  }

  coordinate(multiple: number): number {
    return multiple * this.#step;
  }
}
