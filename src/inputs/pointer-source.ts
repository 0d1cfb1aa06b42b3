/** Mouse, pen and touch as inputs: `pointerdown`, `pointermove`, `pointerup` and `wheel`. */
import type { InputSink, InputValues } from '../shared/input/tick-inputs.js';
import { checkOptions, choice, flag, optional, type Checked } from '../shared/util/options.js';
import { requireFunction } from '../shared/util/validate.js';
import {
  ReleasingSource,
  eventTarget,
  requireSink,
  viewOf,
  type InputSource,
} from './input-source.js';

/** Computes an input's x and y. */
export type ToCoordinates = (
  event: MouseEvent,
  target: HTMLElement,
) => { readonly x: number; readonly y: number };

/** Which moves are sent: all, only those while a button is down or a finger on the screen, or none. */
type PointerMoves = 'all' | 'pressed' | 'none';

/** Options of {@link pointerSource}. */
export interface PointerSourceOptions {
  /** Where pointers must be pressed. Touch needs `touch-action: none`, otherwise a moving finger scrolls the page. */
  readonly target: HTMLElement;
  /** Which moves are sent. Default `'pressed'`. */
  readonly moves?: PointerMoves;
  /**
   * Computes the inputs' x and y, which must be finite. Default {@link toDeviceCoordinates}: from −1 to 1 across the
   * target, y up, exceeding that range outside it. They must be positions: of several moves in a row, a tick receives only
   * the last.
   */
  readonly coordinates?: ToCoordinates;
  /** Whether the wheel is sent. Default true. */
  readonly wheel?: boolean;
  /** Whether to prevent the wheel from scrolling the page. Default false. */
  readonly preventScroll?: boolean;
}

const OPTIONS = {
  target: eventTarget<HTMLElement>,
  moves: choice<PointerMoves>(['all', 'pressed', 'none'], 'pressed'),
  coordinates: optional(requireFunction<ToCoordinates>),
  wheel: flag(true),
  preventScroll: flag(false),
};
const NO_BUTTON = -1;
const ALL_BUTTONS = -1;
/** Browsers define six buttons; this leaves room for more. */
const MAX_BUTTONS = 16;
/** Height of a line for wheels that scroll by lines, in CSS pixels: unscaled default text. */
const LINE_PX = 16;

/** A pointer with buttons down. */
interface Pressed {
  /** The bits of `MouseEvent.buttons`. */
  buttons: number;
  x: number;
  y: number;
}

/**
 * Listens to the pointers over an element.
 *
 * For pointer inputs, x and y are the coordinates, z is the pressure (0 to 1), and w the buttons that are down after
 * the event, as in `MouseEvent.buttons`; the code is the button, −1 for moves, and the device is the pointer's id. An
 * additional mouse button, which browsers report as a move, is a separate `pointerdown` or `pointerup`. Moves that the
 * browser coalesced into one event are pushed individually with their own stamps, oldest first; of those in a row, a tick
 * receives only the last.
 *
 * For `wheel` inputs, x, y and z are how far to scroll, in CSS pixels; w is the buttons, the code −1 and the device 0.
 *
 * Buttons are released when the pointer is cancelled, when its capture or the focus is lost, and when a later event
 * reports them as up: their release happened where the page could not receive it.
 *
 * @param sink The handle's `inputs`.
 * @throws TypeError for a wrong type or an unknown option.
 * @throws RangeError for unknown `moves`.
 */
export function pointerSource(sink: InputSink, options: PointerSourceOptions): InputSource {
  requireSink(sink);
  return new PointerSource(sink, checkOptions('pointerSource', options, OPTIONS));
}

class PointerSource extends ReleasingSource {
  readonly #target: HTMLElement;
  readonly #moves: PointerMoves;
  readonly #coordinates: ToCoordinates;
  /** By device. */
  readonly #pressed = new Map<number, Pressed>();

  constructor(sink: InputSink, options: Checked<typeof OPTIONS>) {
    super(sink);
    const { wheel, preventScroll } = options;
    this.#target = options.target;
    this.#moves = options.moves;
    this.#coordinates = options.coordinates ?? toDeviceCoordinates;
    this.watchFocus(viewOf(this.#target));
    this.#listen();
    if (wheel || preventScroll) this.#listenToWheel(wheel, preventScroll);
  }

  #listen(): void {
    const { signal } = this.listening;
    const target = this.#target;
    target.addEventListener('pointerdown', (event) => this.#onDown(event), { signal });
    target.addEventListener('pointermove', (event) => this.#onMove(event), { signal });
    target.addEventListener('pointerup', (event) => this.#onUp(event), { signal });
    // Engines disagree on the position and buttons in these two events.
    target.addEventListener('pointercancel', (event) => this.#onLost(event), { signal });
    target.addEventListener('lostpointercapture', (event) => this.#onLost(event), { signal });
  }

  #listenToWheel(isSent: boolean, isPreventing: boolean): void {
    const onWheel = (event: WheelEvent): void => {
      if (isPreventing) event.preventDefault();
      if (!isSent) return;
      const [x, y, z] = wheelPixels(event, this.#target);
      const w = event.buttons;
      const input = { kind: 'wheel', code: NO_BUTTON, device: 0, x, y, z, w } as const;
      this.state.pass(input, this.stamps.of(event));
    };
    // A passive listener lets the page scroll without waiting for it.
    const { signal } = this.listening;
    this.#target.addEventListener('wheel', onWheel, { signal, passive: !isPreventing });
  }

  #onDown(event: PointerEvent): void {
    capturePointer(this.#target, event.pointerId);
    // If a button is pressed while it is down, its release was not received.
    this.#releaseMissing(event, event.buttons & ~bitOf(event.button));
    this.#press(event);
    this.state.flush();
  }

  #onMove(event: PointerEvent): void {
    const { button, buttons } = event;
    const wasReleased = this.#releaseMissing(event, buttons);
    const pressed = this.#pressed.get(event.pointerId | 0)?.buttons ?? 0;
    const isPress = (bitOf(button) & buttons & ~pressed) !== 0;
    if (isPress) this.#press(event);
    else if (!wasReleased) this.#move(event);
    this.state.flush();
  }

  #onUp(event: PointerEvent): void {
    this.#releaseMissing(event, event.buttons & ~bitOf(event.button));
    this.state.flush();
  }

  #onLost(event: PointerEvent): void {
    this.#releaseButtons(event.pointerId | 0, ALL_BUTTONS, 0, this.stamps.of(event));
    this.state.flush();
  }

  #press(event: PointerEvent): void {
    const { button, pressure } = event;
    const bit = bitOf(button);
    if (bit === 0) return;
    const device = event.pointerId | 0;
    const { x, y } = this.#coordinates(event, this.#target);
    const buttons = (this.#pressed.get(device)?.buttons ?? 0) | bit;
    this.#pressed.set(device, { buttons, x, y });
    const values = { code: button, device, x, y, z: pressure, w: buttons };
    this.#send({ kind: 'pointerdown', ...values }, this.stamps.of(event));
  }

  #move(event: PointerEvent): void {
    const device = event.pointerId | 0;
    const pressed = this.#pressed.get(device);
    const isSent = this.#moves === 'all' || (this.#moves === 'pressed' && pressed !== undefined);
    // Track the position even if the move is not sent: a later release may have none.
    if (!isSent && pressed === undefined) return;
    const joined = event.getCoalescedEvents?.() ?? [];
    for (const part of joined.length > 0 ? joined : [event]) {
      const { x, y } = this.#coordinates(part, this.#target);
      if (pressed !== undefined) Object.assign(pressed, { x, y });
      if (!isSent) continue;
      const { pressure: z } = part;
      const w = pressed?.buttons ?? 0;
      const input = { kind: 'pointermove', code: NO_BUTTON, device, x, y, z, w } as const;
      this.state.pass(input, this.stamps.of(stampOfPart(part, event)));
    }
  }

  /**
   * Releases the buttons that were down and that the pointer's event no longer has.
   *
   * @returns Whether there were any.
   */
  #releaseMissing(event: PointerEvent, buttons: number): boolean {
    const device = event.pointerId | 0;
    const pressed = this.#pressed.get(device);
    if (pressed === undefined || (pressed.buttons & ~buttons) === 0) return false;
    const { x, y } = this.#coordinates(event, this.#target);
    Object.assign(pressed, { x, y });
    this.#releaseButtons(device, ~buttons, event.pressure, this.stamps.of(event));
    return true;
  }

  protected override releaseAll(stampMs: number): void {
    for (const device of this.#pressed.keys()) {
      this.#releaseButtons(device, ALL_BUTTONS, 0, stampMs);
    }
    this.state.flush();
  }

  /** Releases the buttons of a mask that are down, at the pointer's last position. */
  #releaseButtons(device: number, mask: number, pressure: number, stampMs: number): void {
    const pressed = this.#pressed.get(device);
    if (pressed === undefined) return;
    for (let button = 0; button < MAX_BUTTONS; button += 1) {
      const bit = bitOf(button) & mask & pressed.buttons;
      if (bit === 0) continue;
      pressed.buttons &= ~bit;
      const { x, y, buttons } = pressed;
      const values = { code: button, device, x, y, z: pressure, w: buttons };
      this.#send({ kind: 'pointerup', ...values }, stampMs);
    }
    if (pressed.buttons === 0) this.#pressed.delete(device);
  }

  #send(input: InputValues & { kind: 'pointerdown' | 'pointerup' }, stampMs: number): void {
    const id = input.device * MAX_BUTTONS + input.code;
    this.state.set(id, input.kind === 'pointerdown' ? 1 : 0, input, stampMs);
  }
}

/** Parts of a coalesced event without a plausible stamp get the stamp of the whole event. */
function stampOfPart(part: PointerEvent, whole: PointerEvent): { readonly timeStamp: number } {
  return part.timeStamp > 0 && part.timeStamp <= whole.timeStamp ? part : whole;
}

function capturePointer(target: HTMLElement, pointerId: number): void {
  try {
    target.setPointerCapture(pointerId);
  } catch {
    // The pointer is gone or locked; neither needs capturing.
  }
}

/**
 * Normalised device coordinates: −1 to 1 from the left edge of the target to the right one and from the bottom to the
 * top, exceeding that range outside the target. 0 for a target without size.
 */
export const toDeviceCoordinates: ToCoordinates = ({ clientX, clientY }, target) => {
  const { left, top, width, height } = target.getBoundingClientRect();
  return {
    x: width > 0 ? ((clientX - left) / width) * 2 - 1 : 0,
    y: height > 0 ? 1 - ((clientY - top) / height) * 2 : 0,
  };
};

/** How far to scroll, in CSS pixels, along x, y and z. A page is the height of the target. */
function wheelPixels(
  { deltaMode, deltaX, deltaY, deltaZ }: WheelEvent,
  target: HTMLElement,
): readonly [number, number, number] {
  // Indexed by WheelEvent.DOM_DELTA_PIXEL, _LINE and _PAGE.
  const unitPx = [1, LINE_PX, target.clientHeight][deltaMode] ?? 1;
  return [deltaX * unitPx, deltaY * unitPx, deltaZ * unitPx];
}

/**
 * The bit of a button in `MouseEvent.buttons`, where a mouse's second button is the middle one but the second bit is
 * the right one. 0 for no button.
 */
function bitOf(button: number): number {
  if (button < 0 || button >= MAX_BUTTONS) return 0;
  if (button === 1) return 4;
  return button === 2 ? 2 : 1 << button;
}
