/** Detects double clicks and double taps, which not every browser reports for touch. */

interface Spot {
  readonly atMs: number;
  readonly x: number;
  readonly y: number;
}

/** In ms and CSS pixels. */
const TAP = { maxMs: 300, maxDistance: 8 } as const;
const DOUBLE = { maxMs: 350, maxDistance: 28 } as const;

export class DoubleTap {
  #down: Spot | undefined;
  #lastTap: Spot | undefined;

  press(event: PointerEvent): void {
    this.#down = spotOf(event);
  }

  /** @returns True if this was the second tap of two. */
  release(event: PointerEvent): boolean {
    const up = spotOf(event);
    const isTap = this.#down !== undefined && isNear(this.#down, up, TAP);
    this.#down = undefined;
    if (!isTap) {
      this.#lastTap = undefined;
      return false;
    }
    const isDouble = this.#lastTap !== undefined && isNear(this.#lastTap, up, DOUBLE);
    this.#lastTap = isDouble ? undefined : up;
    return isDouble;
  }

  /** A press that has just begun is not a tap yet. */
  cancel(): void {
    this.#down = undefined;
    this.#lastTap = undefined;
  }
}

function spotOf({ timeStamp, clientX, clientY }: PointerEvent): Spot {
  return { atMs: timeStamp, x: clientX, y: clientY };
}

function isNear(from: Spot, to: Spot, { maxMs, maxDistance }: typeof TAP | typeof DOUBLE): boolean {
  return to.atMs - from.atMs <= maxMs && Math.hypot(to.x - from.x, to.y - from.y) <= maxDistance;
}
