/** Gamepads as inputs: `gamepadbutton` and `gamepadaxis`, for every change since the previous poll. */
import type { InputSink, InputValues } from '../shared/input/tick-inputs.js';
import { checkOptions, number, type Checked } from '../shared/util/options.js';
import { requireNumber } from '../shared/util/validate.js';
import { ReleasingSource, requireSink, type InputSource } from './input-source.js';

/** Options of {@link gamepadSource}. */
export interface GamepadSourceOptions {
  /**
   * Distance from the centre within which an axis counts as centred, 0 to 0.9. The rest of the range is rescaled, so
   * that values begin at 0 and end at 1. Default 0.1: worn sticks rest that far from the centre.
   */
  readonly deadZone?: number;
}

/** The result of {@link gamepadSource}: poll it once per frame. */
export interface GamepadSource extends InputSource {
  /**
   * Reads all gamepads; call it once per frame, since browsers have no events for their controls.
   *
   * @param frameMs The frame's time stamp. Used for changes if the gamepad's own stamp is implausible.
   * @throws DOMException `SecurityError` if the page's permissions forbid gamepads.
   */
  poll(frameMs: number): void;
}

const OPTIONS = { deadZone: number(0, 0.9, 0.1) };

type ControlKind = 'gamepadbutton' | 'gamepadaxis';

/** Exclusive limit of the indices of a gamepad's buttons and axes; browsers have at most 32. */
const MAX_CONTROLS = 256;

/**
 * Polls gamepads.
 *
 * Inputs have the index of the button or axis as the code, the gamepad's as the device and the value as x: buttons from
 * 0 to 1, axes from −1 to 1, y pointing down as in browsers. All values of a disconnected gamepad, and of a window
 * without the focus, are 0. When the focus is back, and after `release()`, the next poll pushes what is held.
 *
 * @param sink The handle's `inputs`.
 * @throws TypeError for a wrong type, an unknown option, or if there is no window.
 * @throws RangeError for a dead zone out of range.
 */
export function gamepadSource(sink: InputSink, options: GamepadSourceOptions = {}): GamepadSource {
  requireSink(sink);
  return new PolledGamepads(sink, checkOptions('gamepadSource', options, OPTIONS));
}

class PolledGamepads extends ReleasingSource implements GamepadSource {
  readonly #deadZone: number;
  #lastPollMs = Infinity;

  constructor(sink: InputSink, { deadZone }: Checked<typeof OPTIONS>) {
    super(sink);
    this.#deadZone = deadZone;
    if (globalThis.window === undefined) throw new TypeError('gamepads need a window');
    this.watchFocus(globalThis.window);
  }

  poll(frameMs: number): void {
    requireNumber('frameMs', frameMs, -Number.MAX_VALUE, Number.MAX_VALUE);
    const nowMs = performance.now();
    if (!this.listening.signal.aborted && !this.isAway) this.#read(frameMs, nowMs);
    this.#lastPollMs = nowMs;
    this.state.flush();
  }

  #read(frameMs: number, nowMs: number): void {
    const gamepads = navigator.getGamepads?.() ?? [];
    this.#releaseMissing(gamepads, frameMs);
    for (const gamepad of gamepads) {
      if (gamepad?.connected !== true) continue;
      const { buttons, axes, timestamp } = gamepad;
      const isPlausible = timestamp > this.#lastPollMs && timestamp <= nowMs;
      const stampMs = isPlausible ? timestamp : frameMs;
      for (let code = 0; code < Math.min(buttons.length, MAX_CONTROLS); code += 1) {
        const value = clamp(buttons[code]?.value ?? 0, 0);
        this.#send('gamepadbutton', gamepad.index, code, value, stampMs);
      }
      for (let code = 0; code < Math.min(axes.length, MAX_CONTROLS); code += 1) {
        const value = pastDeadZone(clamp(axes[code] ?? 0, -1), this.#deadZone);
        this.#send('gamepadaxis', gamepad.index, code, value, stampMs);
      }
    }
  }

  /** Releases controls that no longer exist: the gamepad is gone, or another one with fewer buttons has its index. */
  #releaseMissing(gamepads: readonly (Gamepad | null)[], stampMs: number): void {
    for (const id of this.state.held()) {
      const { kind, device, code } = controlOf(id);
      const gamepad = gamepads.find((candidate) => candidate?.index === device);
      const controls = kind === 'gamepadbutton' ? gamepad?.buttons : gamepad?.axes;
      const isThere = gamepad?.connected === true && code < (controls?.length ?? 0);
      if (!isThere) this.#send(kind, device, code, 0, stampMs);
    }
  }

  protected override releaseAll(stampMs: number): void {
    for (const id of this.state.held()) {
      const { kind, device, code } = controlOf(id);
      this.#send(kind, device, code, 0, stampMs);
    }
    this.state.flush();
  }

  #send(kind: ControlKind, device: number, code: number, x: number, stampMs: number): void {
    const id = idOf(kind, device, code);
    // Most controls do not change in most frames.
    if (this.state.last(id) === x) return;
    const input: InputValues = { kind, code, device, x, y: 0, z: 0, w: 0 };
    this.state.set(id, x, input, this.stamps.of({ timeStamp: stampMs }));
  }
}

function idOf(kind: ControlKind, device: number, code: number): number {
  return (device * 2 + (kind === 'gamepadaxis' ? 1 : 0)) * MAX_CONTROLS + code;
}

function controlOf(id: number): { kind: ControlKind; device: number; code: number } {
  const group = Math.floor(id / MAX_CONTROLS);
  return {
    kind: group % 2 === 1 ? 'gamepadaxis' : 'gamepadbutton',
    device: Math.floor(group / 2),
    code: id % MAX_CONTROLS,
  };
}

/** Drivers report values out of range, and sometimes values that are not finite. */
function clamp(value: number, low: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(value, low), 1) : 0;
}

function pastDeadZone(value: number, deadZone: number): number {
  const beyond = Math.abs(value) - deadZone;
  return beyond > 0 ? (Math.sign(value) * beyond) / (1 - deadZone) : 0;
}
