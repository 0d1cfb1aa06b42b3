/** Positions and buttons of pointers, tick by tick. Part of `InputState`. */
import type { TickInput } from './input-event.js';

/** A pointer at the end of a tick's input window. The object is reused: read it before the next tick. */
export interface PointerState {
  /** Which pointer: `PointerEvent.pointerId`, a whole number. */
  readonly device: number;
  /** As its source defines it: by default from −1 to 1 across the target, to the right. */
  readonly x: number;
  /** As its source defines it: by default from −1 to 1 across the target, upwards. */
  readonly y: number;
  /** 0 to 1; 0 if nothing is down. */
  readonly pressure: number;
  /** A bit for each button that is down, a whole number as in `MouseEvent.buttons`. */
  readonly buttons: number;
  /** Whether any button is down, or the finger is on the screen. */
  readonly isDown: boolean;
  /** Whether a button went down within the tick, even if it is up again. */
  readonly wasPressed: boolean;
  /** Whether a button went up within the tick, even if it is down again. */
  readonly wasReleased: boolean;
}

type MutablePointer = { -readonly [Key in keyof PointerState]: PointerState[Key] };

/** Every touch is a new pointer with its own id. Beyond this number, pointers that are up are forgotten. */
const MAX_POINTERS = 16;

/** Numbers in a pointer's row of a saved state. */
export const POINTER_COLUMNS = 5;

export class PointerStates {
  /** By device, the one used last at the end. */
  readonly #byDevice = new Map<number, MutablePointer>();

  /** Discards what happened in the previous tick. */
  beginTick(): void {
    for (const pointer of this.#byDevice.values()) {
      pointer.wasPressed = false;
      pointer.wasReleased = false;
    }
  }

  apply({ kind, device, x, y, z, w }: TickInput): void {
    const pointer = this.#byDevice.get(device) ?? pointerAtRest(device);
    // −0 would come back from a saved state as 0.
    pointer.x = x + 0;
    pointer.y = y + 0;
    pointer.pressure = z + 0;
    pointer.buttons = w + 0;
    pointer.isDown = w !== 0;
    if (kind === 'pointerdown') pointer.wasPressed = true;
    if (kind === 'pointerup') pointer.wasReleased = true;
    this.#byDevice.delete(device);
    this.#byDevice.set(device, pointer);
    if (this.#byDevice.size > MAX_POINTERS) this.#forgetOldest();
  }

  /** @param device Default: the one used last. */
  get(device?: number): PointerState | undefined {
    if (device !== undefined) return this.#byDevice.get(device);
    return [...this.#byDevice.values()].at(-1);
  }

  all(): PointerState[] {
    return [...this.#byDevice.values()];
  }

  clear(): void {
    this.#byDevice.clear();
  }

  /** In the order of use, which decides which pointer is forgotten. */
  save(): number[][] {
    return this.all().map(({ device, x, y, pressure, buttons }) => [
      device,
      x,
      y,
      pressure,
      buttons,
    ]);
  }

  restore(rows: readonly (readonly number[])[]): void {
    this.clear();
    for (const [device = 0, x = 0, y = 0, pressure = 0, buttons = 0] of rows) {
      const values = { x, y, pressure, buttons, isDown: buttons !== 0 };
      this.#byDevice.set(device, { ...pointerAtRest(device), ...values });
    }
  }

  #forgetOldest(): void {
    for (const [device, { isDown }] of this.#byDevice) {
      if (isDown) continue;
      this.#byDevice.delete(device);
      return;
    }
  }
}

function pointerAtRest(device: number): MutablePointer {
  return {
    device,
    x: 0,
    y: 0,
    pressure: 0,
    buttons: 0,
    isDown: false,
    wasPressed: false,
    wasReleased: false,
  };
}
