/** Mouse, pen and touch as inputs: `pointerdown`, `pointermove`, `pointerup` and `wheel`. */
import type { InputSink, InputValues } from '../../shared/input/input-event.js';
import { requireKnownKeys } from '../../shared/util/known-keys.js';
import { requireChoice } from '../../shared/util/validate.js';
import { viewOf, trackFocus, type FocusTracker } from './focus-tracker.js';
import { EventStamps } from './event-stamps.js';
import {
  requireOptionalFunction,
  requireOptions,
  requireSink,
  requireTarget,
  type InputSource,
} from './input-source.js';
import {
  bitOf,
  MAX_BUTTONS,
  toDeviceCoordinates,
  wheelPixels,
  type ToCoordinates,
} from './pointer-geometry.js';
import { ReliableInputState } from './reliable-input-state.js';

/** Which moves are sent: all, those while a button is down or a finger on the screen, or none. */
type PointerMoves = 'all' | 'pressed' | 'none';
const POINTER_MOVES: readonly PointerMoves[] = ['all', 'pressed', 'none'];

/** Options of {@link pointerSource}. */
export interface PointerSourceOptions {
  /** Where pointers have to be pressed. For touch it needs `touch-action: none`, or moving it scrolls the page. */
  readonly target: HTMLElement;
  /** Default `'pressed'`. */
  readonly moves?: PointerMoves;
  /**
   * What the inputs' x and y are. Must be finite. Default {@link toDeviceCoordinates}: from −1 to 1 across the
   * target, y up, and beyond that outside of it. Where they say how far the pointer went and not where it is, connect with
   * `mergeMoves: false`: a tick is otherwise given the last of several moves.
   */
  readonly coordinates?: ToCoordinates;
  /** Whether a pressed pointer is captured, so that it is heard outside of the target too. Default true. */
  readonly capture?: boolean;
  /** Whether the wheel is sent. Default true. */
  readonly wheel?: boolean;
  /** Whether the wheel is kept from scrolling the page. Default false. */
  readonly preventScroll?: boolean;
}

const OPTIONS = ['target', 'moves', 'coordinates', 'capture', 'wheel', 'preventScroll'];
const NO_BUTTON = -1;

/** A pointer with buttons down. */
interface Pressed {
  /** As in `MouseEvent.buttons`. */
  buttons: number;
  x: number;
  y: number;
}

/**
 * Listens to the pointers over an element.
 *
 * Of pointer inputs x and y are coordinates, z the pressure (0 to 1), w the buttons that are down afterwards, as
 * in `MouseEvent.buttons`; the code is the button, −1 for moves, and the device the pointer's id. A further button
 * of a mouse, which browsers report as a move, is a `pointerdown` or `pointerup` of its own. Moves that the browser
 * joined into one event are pushed one by one with their own stamps, oldest first; see the option `mergeMoves` of `connect`.
 *
 * Of `wheel` inputs x, y and z are how far to scroll, in CSS pixels; w is the buttons, the code −1 and the device 0.
 *
 * Buttons are released when the pointer is cancelled, its capture or the focus is lost, and when a later event
 * says that they are up: their release happened where it could not be heard.
 *
 * @param sink The handle's `inputs`.
 * @throws TypeError for a wrong type or an unknown option. @throws RangeError for unknown `moves`.
 */
export function pointerSource(sink: InputSink, options: PointerSourceOptions): InputSource {
  requireSink(sink);
  requireOptions('pointerSource', options);
  requireKnownKeys('pointerSource', options, OPTIONS);
  return new PointerSource(sink, options);
}

class PointerSource implements InputSource {
  readonly #target: HTMLElement;
  readonly #moves: PointerMoves;
  readonly #coordinates: ToCoordinates;
  readonly #isCapturing: boolean;
  readonly #state: ReliableInputState;
  readonly #stamps = new EventStamps();
  readonly #listening = new AbortController();
  readonly #focus: FocusTracker;
  /** By device. */
  readonly #pressed = new Map<number, Pressed>();

  constructor(sink: InputSink, options: PointerSourceOptions) {
    const { moves = 'pressed', coordinates, capture, wheel, preventScroll } = options;
    this.#target = requireTarget(options.target);
    this.#moves = requireChoice('moves', moves, POINTER_MOVES);
    requireOptionalFunction('coordinates', coordinates);
    this.#coordinates = coordinates ?? toDeviceCoordinates;
    this.#isCapturing = flag('capture', capture, true);
    const hasWheel = flag('wheel', wheel, true);
    const isPreventing = flag('preventScroll', preventScroll, false);
    this.#state = new ReliableInputState(sink);
    const release = (event: Event): void => this.#releaseAll(this.#stamps.of(event));
    this.#focus = trackFocus(viewOf(this.#target), release);
    this.#listen();
    if (hasWheel || isPreventing) this.#listenToWheel(hasWheel, isPreventing);
  }

  release(): void {
    this.#releaseAll(this.#stamps.now());
  }

  flush(): boolean {
    return this.#state.flush();
  }

  dispose(): void {
    // First, so that a sink that throws leaves no listener behind.
    this.#listening.abort();
    this.#focus.dispose();
    this.release();
  }

  #listen(): void {
    const { signal } = this.#listening;
    const target = this.#target;
    target.addEventListener('pointerdown', (event) => this.#onDown(event), { signal });
    target.addEventListener('pointermove', (event) => this.#onMove(event), { signal });
    target.addEventListener('pointerup', (event) => this.#onUp(event), { signal });
    // What these two say of place and buttons differs between engines.
    target.addEventListener('pointercancel', (event) => this.#onLost(event), { signal });
    target.addEventListener('lostpointercapture', (event) => this.#onLost(event), { signal });
  }

  #listenToWheel(isSent: boolean, isPreventing: boolean): void {
    const onWheel = (event: WheelEvent): void => {
      if (isPreventing) event.preventDefault();
      if (!isSent) return;
      const [x, y, z] = wheelPixels(event, this.#target);
      const input = {
        kind: 'wheel',
        code: NO_BUTTON,
        device: 0,
        x,
        y,
        z,
        w: event.buttons,
      } as const;
      this.#state.pass(input, this.#stamps.of(event));
    };
    // Passive listeners let the page scroll without waiting for them.
    const { signal } = this.#listening;
    this.#target.addEventListener('wheel', onWheel, { signal, passive: !isPreventing });
  }

  #onDown(event: PointerEvent): void {
    if (this.#isCapturing) capturePointer(this.#target, event.pointerId);
    // A button that is pressed while it is down was released where it could not be heard.
    this.#releaseMissing(event, event.buttons & ~bitOf(event.button));
    this.#press(event);
    this.#state.flush();
  }

  #onMove(event: PointerEvent): void {
    const { button, buttons } = event;
    const wasReleased = this.#releaseMissing(event, buttons);
    const pressed = this.#pressed.get(event.pointerId | 0)?.buttons ?? 0;
    const isPress = (bitOf(button) & buttons & ~pressed) !== 0;
    if (isPress) this.#press(event);
    else if (!wasReleased) this.#move(event);
    this.#state.flush();
  }

  #onUp(event: PointerEvent): void {
    this.#releaseMissing(event, event.buttons & ~bitOf(event.button));
    this.#state.flush();
  }

  #onLost(event: PointerEvent): void {
    const device = event.pointerId | 0;
    const buttons = this.#pressed.get(device)?.buttons ?? 0;
    if (buttons !== 0) this.#releaseButtons(device, buttons, 0, this.#stamps.of(event));
    this.#state.flush();
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
    this.#send({ kind: 'pointerdown', ...values }, this.#stamps.of(event));
  }

  #move(event: PointerEvent): void {
    const device = event.pointerId | 0;
    const pressed = this.#pressed.get(device);
    const isSent = this.#moves === 'all' || (this.#moves === 'pressed' && pressed !== undefined);
    // Even if it is not sent: the release may have no place of its own.
    if (!isSent && pressed === undefined) return;
    const joined = event.getCoalescedEvents?.() ?? [];
    for (const part of joined.length > 0 ? joined : [event]) {
      const { x, y } = this.#coordinates(part, this.#target);
      if (pressed !== undefined) Object.assign(pressed, { x, y });
      if (!isSent) continue;
      const { pressure: z } = part;
      const w = pressed?.buttons ?? 0;
      const input = { kind: 'pointermove', code: NO_BUTTON, device, x, y, z, w } as const;
      this.#state.pass(input, this.#stamps.of(stampOfPart(part, event)));
    }
  }

  /**
   * Releases the buttons that a pointer had down and that its event no longer has.
   *
   * @returns Whether there were any.
   */
  #releaseMissing(event: PointerEvent, buttons: number): boolean {
    const device = event.pointerId | 0;
    const pressed = this.#pressed.get(device);
    if (pressed === undefined || (pressed.buttons & ~buttons) === 0) return false;
    const { x, y } = this.#coordinates(event, this.#target);
    Object.assign(pressed, { x, y });
    this.#releaseButtons(
      device,
      pressed.buttons & ~buttons,
      event.pressure,
      this.#stamps.of(event),
    );
    return true;
  }

  #releaseAll(stampMs: number): void {
    for (const [device, { buttons }] of this.#pressed) {
      this.#releaseButtons(device, buttons, 0, stampMs);
    }
    this.#state.flush();
  }

  /** Where the pointer was last. */
  #releaseButtons(device: number, mask: number, pressure: number, stampMs: number): void {
    const pressed = this.#pressed.get(device);
    if (pressed === undefined) return;
    for (let button = 0; button < MAX_BUTTONS; button += 1) {
      const bit = bitOf(button) & mask;
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
    this.#state.set(id, input.kind === 'pointerdown' ? 1 : 0, input, stampMs);
  }
}

/** Parts of a joined event without a stamp happened, as far as can be told, with the whole. */
function stampOfPart(part: PointerEvent, whole: PointerEvent): { readonly timeStamp: number } {
  return part.timeStamp > 0 && part.timeStamp <= whole.timeStamp ? part : whole;
}

function capturePointer(target: HTMLElement, pointerId: number): void {
  try {
    target.setPointerCapture(pointerId);
  } catch {
    // The pointer has gone meanwhile or is locked; neither needs capturing.
  }
}

function flag(name: string, value: boolean | undefined, otherwise: boolean): boolean {
  if (value === undefined) return otherwise;
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be a boolean`);
  return value;
}
