/** Keys as inputs: `keydown` and `keyup`, with the key's number from `key-codes.ts` as the code. */
import type { InputSink } from '../shared/input/tick-inputs.js';
import { keyCode } from '../shared/input/key-codes.js';
import { checkOptions, list, optional, type Checked } from '../shared/util/options.js';
import { requireFunction } from '../shared/util/validate.js';
import {
  ReleasingSource,
  eventTarget,
  requireSink,
  viewOf,
  type InputSource,
} from './input-source.js';

/** Options of {@link keyboardSource}. */
export interface KeyboardSourceOptions {
  /** Where keys must be pressed. They may be released anywhere in its window. Default: the window. */
  readonly target?: EventTarget;
  /** The keys that are sent, by `KeyboardEvent.code`. Default: all that have a number, see `KeyName`. */
  readonly keys?: readonly string[];
  /** Presses to ignore. The release of a key whose press was sent is always sent. Default {@link isTyping}. */
  readonly ignore?: (event: KeyboardEvent) => boolean;
  /**
   * Whether to prevent the browser's default action for a key that is sent, such as scrolling on Space. Also called for
   * repeats. Default false.
   */
  readonly preventDefault?: boolean | ((event: KeyboardEvent) => boolean);
}

const OPTIONS = {
  target: (name: string, value: unknown) => eventTarget(name, value ?? globalThis.window),
  keys: optional((name: string, value: unknown) => codesOf(name, list(name, value))),
  ignore: optional(requireFunction<(event: KeyboardEvent) => boolean>),
  preventDefault: (name: string, value: unknown = false) => {
    if (typeof value === 'boolean') return () => value;
    if (typeof value === 'function') return value as (event: KeyboardEvent) => boolean;
    throw new TypeError(`${name} must be a boolean or a function`);
  },
};
const FIELDS = 'input, textarea, select';

/** Whether a key goes to a form field, to editable text or to an input method. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.isComposing) return true;
  // The window sees the host of a shadow tree as the target; the field may be inside it.
  const target = (event.composedPath()[0] ?? event.target) as Partial<HTMLElement> | null;
  if (target?.isContentEditable === true) return true;
  return typeof target?.closest === 'function' && target.closest(FIELDS) !== null;
}

/**
 * Listens to the keyboard.
 *
 * A repeating key is pushed once. Keys without a number are not pushed. Losing the focus releases what is held, and so
 * do two events after which a key's release does not reach the page: the browser's own context menu, and releasing
 * Command on macOS, which suppresses the releases of other keys while it is held.
 *
 * @param sink The handle's `inputs`.
 * @throws TypeError for a wrong type, an unknown option, or if there is no window.
 * @throws RangeError for a key that has no number.
 */
export function keyboardSource(sink: InputSink, options: KeyboardSourceOptions = {}): InputSource {
  requireSink(sink);
  return new KeyboardSource(sink, checkOptions('keyboardSource', options, OPTIONS));
}

class KeyboardSource extends ReleasingSource {
  /** Numbers of the keys that are sent; undefined for all. */
  readonly #codes: ReadonlySet<number> | undefined;
  readonly #ignore: (event: KeyboardEvent) => boolean;
  readonly #preventDefault: (event: KeyboardEvent) => boolean;

  constructor(sink: InputSink, options: Checked<typeof OPTIONS>) {
    super(sink);
    this.#codes = options.keys;
    this.#ignore = options.ignore ?? isTyping;
    this.#preventDefault = options.preventDefault;
    const view = viewOf(options.target);
    this.watchFocus(view);
    this.#listen(options.target, view);
  }

  #listen(target: EventTarget, view: Window): void {
    const { signal } = this.listening;
    target.addEventListener('keydown', (event) => this.#onDown(event as KeyboardEvent), { signal });
    // Wherever the focus has moved, and even if a handler stops the event's propagation.
    view.addEventListener('keyup', (event) => this.#onUp(event), { signal, capture: true });
    const onMenu = (event: Event): void => {
      if (!event.defaultPrevented) this.releaseAll(this.stamps.of(event));
    };
    view.addEventListener('contextmenu', onMenu, { signal });
  }

  #onDown(event: KeyboardEvent): void {
    const code = keyCode(event.code);
    if (code < 0 || this.#codes?.has(code) === false || this.#ignore(event)) return;
    if (this.#preventDefault(event)) event.preventDefault();
    // A repeat changes nothing. Its key may have been released already by the loss of the focus.
    if (event.repeat) this.state.flush();
    else this.#send(code, 1, this.stamps.of(event));
  }

  #onUp(event: KeyboardEvent): void {
    const code = keyCode(event.code);
    const isHeld = code >= 0 && this.state.last(code) !== 0;
    const stampMs = this.stamps.of(event);
    if (isHeld) {
      if (this.#preventDefault(event)) event.preventDefault();
      this.#send(code, 0, stampMs);
    }
    if (event.code === 'MetaLeft' || event.code === 'MetaRight') this.releaseAll(stampMs);
    this.state.flush();
  }

  protected override releaseAll(stampMs: number): void {
    for (const code of this.state.held()) this.#send(code, 0, stampMs);
    this.state.flush();
  }

  #send(code: number, value: 0 | 1, stampMs: number): void {
    const kind = value === 1 ? 'keydown' : 'keyup';
    this.state.set(code, value, { kind, code, device: 0, x: 0, y: 0, z: 0, w: 0 }, stampMs);
  }
}

const codesOf = (name: string, keys: readonly string[]): ReadonlySet<number> =>
  new Set(
    keys.map((key) => {
      const code = keyCode(key);
      if (code >= 0) return code;
      throw new RangeError(`${name} must be names such as "KeyW", and has "${key}"`);
    }),
  );
