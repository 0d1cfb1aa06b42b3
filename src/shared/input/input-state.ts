/**
 * The held keys, buttons and pointers at each tick, for simulations to query. Inputs are changes: a simulation that needs to know whether a
 * key is down applies each tick's changes here. The result is part of its state and must be saved with it.
 */
import { rowsAt, type Json } from '../util/json.js';
import { keyCode, type KeyName } from './key-codes.js';
import type { TickInput } from './tick-inputs.js';

/** How far the wheel was turned within a tick, in CSS pixels of scrolling. */
export interface WheelDelta {
  /** To the right, in CSS pixels. */
  readonly x: number;
  /** Downwards, in CSS pixels. */
  readonly y: number;
  /** Into the screen, in CSS pixels; 0 for nearly all devices. */
  readonly z: number;
}

/** Values of gamepad buttons or axes that are not 0, by device and then by index. */
type Controls = Map<number, Map<number, number>>;

const NO_WHEEL: WheelDelta = { x: 0, y: 0, z: 0 };

/**
 * The keys, pointers and gamepads at the end of a tick's input window, from the inputs of all ticks so far.
 */
export class InputState {
  readonly #keys = new Set<number>();
  readonly #pointers = new PointerStates();
  readonly #buttons: Controls = new Map();
  readonly #axes: Controls = new Map();

  // The following describe the last tick only.
  readonly #pressedKeys = new Set<number>();
  readonly #releasedKeys = new Set<number>();
  readonly #pressedButtons: Controls = new Map();
  #wheel = NO_WHEEL;

  /**
   * Applies the changes of one tick. Call it once per tick, even without changes: `wasPressed` and the like describe
   * one tick.
   */
  apply(inputs: readonly TickInput[]): void {
    this.#beginTick();
    for (const input of inputs) this.#applyOne(input);
  }

  /**
   * Whether a key is down.
   *
   * @param key Its name, or its number: an input's `code`, a whole number.
   * @throws RangeError if no key has the name.
   */
  isDown(key: KeyName | number): boolean {
    return this.#keys.has(codeOf(key));
  }

  /**
   * Whether a key went down within the tick, even if it is up again.
   *
   * @param key Its name, or its number: an input's `code`, a whole number.
   * @throws RangeError like `isDown`.
   */
  wasPressed(key: KeyName | number): boolean {
    return this.#pressedKeys.has(codeOf(key));
  }

  /**
   * Whether a key went up within the tick, even if it is down again.
   *
   * @param key Its name, or its number: an input's `code`, a whole number.
   * @throws RangeError like `isDown`.
   */
  wasReleased(key: KeyName | number): boolean {
    return this.#releasedKeys.has(codeOf(key));
  }

  /**
   * A direction from two keys, such as left and right.
   *
   * @param negative The key for −1: its name, or its number, a whole number.
   * @param positive The key for 1: its name, or its number, a whole number.
   * @returns −1 or 1 if only one of the two is down, and 0 if none or both are.
   * @throws RangeError like `isDown`.
   */
  keyAxis(negative: KeyName | number, positive: KeyName | number): -1 | 0 | 1 {
    const isNegative = this.isDown(negative);
    if (isNegative === this.isDown(positive)) return 0;
    return isNegative ? -1 : 1;
  }

  /**
   * A pointer.
   *
   * @param device Its id, a whole number as in `PointerEvent.pointerId`. Default: the pointer used last.
   * @returns Undefined before its first input. Touches that have ended may be forgotten.
   */
  pointer(device?: number): PointerState | undefined {
    return this.#pointers.get(device);
  }

  /** All pointers, the one used last at the end. */
  pointers(): readonly PointerState[] {
    return this.#pointers.all();
  }

  /** How far the wheel was turned within the tick. */
  wheel(): WheelDelta {
    return this.#wheel;
  }

  /**
   * The value of a gamepad's axis, −1 to 1; 0 if there is no such gamepad.
   *
   * @param device The gamepad's index, from 0.
   * @param index The axis' index, from 0.
   */
  axis(device: number, index: number): number {
    return valueOf(this.#axes, device, index);
  }

  /**
   * The value of a gamepad's button, 0 to 1, with values between for triggers; 0 if there is no such gamepad.
   *
   * @param device The gamepad's index, from 0.
   * @param index The button's index, from 0.
   */
  button(device: number, index: number): number {
    return valueOf(this.#buttons, device, index);
  }

  /**
   * Whether a gamepad's button left 0 within the tick, even if it has returned to 0.
   *
   * @param device The gamepad's index, from 0.
   * @param index The button's index, from 0.
   */
  wasButtonPressed(device: number, index: number): boolean {
    return valueOf(this.#pressedButtons, device, index) !== 0;
  }

  /** Resets everything to the state before the first tick. */
  clear(): void {
    this.#beginTick();
    this.#keys.clear();
    this.#pointers.clear();
    this.#buttons.clear();
    this.#axes.clear();
  }

  /**
   * The held state between two ticks. Does not include presses and releases within the tick, which is over.
   *
   * @returns Plain data, with the same numbers in the same order for the same inputs.
   */
  save(): Json {
    return {
      keys: [...this.#keys].toSorted((a, b) => a - b).map((code) => [code]),
      pointers: this.#pointers.save(),
      buttons: rowsFrom(this.#buttons),
      axes: rowsFrom(this.#axes),
    };
  }

  /**
   * Restores what `save` returned.
   *
   * @throws TypeError if it is anything else; nothing has changed in that case.
   */
  restore(json: Json): void {
    const read = (key: string, width: number): number[][] =>
      rowsAt('the input state', json, key, width);
    const keys = read('keys', 1);
    const pointers = read('pointers', POINTER_COLUMNS);
    const buttons = read('buttons', 3);
    const axes = read('axes', 3);
    this.clear();
    for (const [code = 0] of keys) this.#keys.add(code);
    this.#pointers.restore(pointers);
    for (const [device = 0, code = 0, value = 0] of buttons)
      set(this.#buttons, device, code, value);
    for (const [device = 0, code = 0, value = 0] of axes) set(this.#axes, device, code, value);
  }

  #beginTick(): void {
    this.#pressedKeys.clear();
    this.#releasedKeys.clear();
    this.#pressedButtons.clear();
    this.#pointers.beginTick();
    this.#wheel = NO_WHEEL;
  }

  #applyOne(input: TickInput): void {
    const { kind, code, device, x, y, z } = input;
    switch (kind) {
      case 'keydown':
        // A custom source may send repeats.
        if (!this.#keys.has(code)) this.#pressedKeys.add(code);
        this.#keys.add(code);
        return;
      case 'keyup':
        if (this.#keys.delete(code)) this.#releasedKeys.add(code);
        return;
      case 'pointerdown':
      case 'pointermove':
      case 'pointerup':
        this.#pointers.apply(input);
        return;
      case 'wheel':
        this.#wheel = { x: this.#wheel.x + x, y: this.#wheel.y + y, z: this.#wheel.z + z };
        return;
      case 'gamepadbutton':
        if (x !== 0 && this.button(device, code) === 0) set(this.#pressedButtons, device, code, 1);
        set(this.#buttons, device, code, x);
        return;
      case 'gamepadaxis':
        set(this.#axes, device, code, x);
        return;
      case 'custom':
        return;
    }
  }
}

function codeOf(key: KeyName | number): number {
  if (typeof key === 'number') return key;
  const code = keyCode(key);
  if (code < 0) throw new RangeError(`no key has the name "${key}"; names are such as "KeyW"`);
  return code;
}

function valueOf(controls: Controls, device: number, code: number): number {
  return controls.get(device)?.get(code) ?? 0;
}

function set(controls: Controls, device: number, code: number, value: number): void {
  const ofDevice = controls.get(device) ?? new Map<number, number>();
  if (value === 0) ofDevice.delete(code);
  else ofDevice.set(code, value);
  if (ofDevice.size === 0) controls.delete(device);
  else controls.set(device, ofDevice);
}

/** Sorted by device and index, so that the order of the inputs does not matter. */
function rowsFrom(controls: Controls): Json {
  const rows = [...controls].flatMap(([device, ofDevice]) =>
    [...ofDevice].map(([code, value]) => [device, code, value] as const),
  );
  return rows.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
}

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
const POINTER_COLUMNS = 5;

/** Positions and buttons of pointers, tick by tick. */
class PointerStates {
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
