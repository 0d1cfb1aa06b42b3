/** Where driving comes from: the keyboard, or a pad for thumbs on touch screens. */
import type { DriveInput } from '../../contract/scene-contract.js';
import { DrivePad } from './drive-pad.js';
import { isForPage } from './keyboard.js';

type Pedal = 'forwards' | 'backwards' | 'left' | 'right' | 'brake';

/** By the keys' places, so that they lie together on every keyboard. */
const KEYS: Readonly<Partial<Record<string, Pedal>>> = {
  ArrowUp: 'forwards',
  KeyW: 'forwards',
  ArrowDown: 'backwards',
  KeyS: 'backwards',
  ArrowLeft: 'left',
  KeyA: 'left',
  ArrowRight: 'right',
  KeyD: 'right',
  // Not space, which pauses.
  ShiftLeft: 'brake',
  ShiftRight: 'brake',
};

const HINT = 'Arrow keys or W A S D drive, shift brakes';
const NEUTRAL: DriveInput = { throttle: 0, steer: 0, brake: 0 };

export class DriveInputSource {
  readonly #send: (input: DriveInput) => void;
  readonly #pad = new DrivePad(() => this.#update());
  readonly #hint = createHint();
  readonly #hasTouch = window.matchMedia('(any-pointer: coarse)');
  readonly #pressed = new Set<string>();
  readonly #listening = new AbortController();
  #isActive = false;
  #last = NEUTRAL;

  /**
   * @param root Gets the pad, or the hint which keys drive.
   * @param send Called when the input has changed. Steering to the right is positive.
   */
  constructor(root: HTMLElement, send: (input: DriveInput) => void) {
    this.#send = send;
    root.append(this.#pad.root, this.#hint);
    this.#show();
    const { signal } = this.#listening;
    window.addEventListener('keydown', this.#onKeyDown, { signal });
    window.addEventListener('keyup', this.#onKeyUp, { signal });
    // Keys that are let go elsewhere are not heard of.
    window.addEventListener('blur', this.#letGo, { signal });
    document.addEventListener('visibilitychange', this.#letGo, { signal });
    this.#hasTouch.addEventListener('change', this.#show, { signal });
  }

  /** Whether the scene can be driven. When not, everything is let go and hidden. */
  setActive(active: boolean): void {
    this.#isActive = active;
    this.#letGo();
    this.#show();
  }

  dispose(): void {
    this.setActive(false);
    this.#listening.abort();
    this.#pad.root.remove();
    this.#hint.remove();
  }

  readonly #show = (): void => {
    const { matches } = this.#hasTouch;
    this.#pad.root.style.display = this.#isActive && matches ? 'block' : 'none';
    this.#hint.style.display = this.#isActive && !matches ? 'block' : 'none';
  };

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    if (!this.#isActive || KEYS[event.code] === undefined || isForPage(event)) return;
    // The page must not scroll.
    event.preventDefault();
    this.#pressed.add(event.code);
    this.#update();
  };

  readonly #onKeyUp = (event: KeyboardEvent): void => {
    if (this.#pressed.delete(event.code)) this.#update();
  };

  readonly #letGo = (): void => {
    this.#pressed.clear();
    this.#pad.reset();
    this.#update();
  };

  #update(): void {
    const { throttle, steer, brake } = this.#pad.state;
    const next: DriveInput = {
      throttle: within(throttle + this.#held('forwards') - this.#held('backwards')),
      steer: within(steer + this.#held('right') - this.#held('left')),
      brake: within(brake + this.#held('brake')),
    };
    const last = this.#last;
    if (next.throttle === last.throttle && next.steer === last.steer && next.brake === last.brake) {
      return;
    }
    this.#last = next;
    this.#send(next);
  }

  #held(pedal: Pedal): number {
    for (const code of this.#pressed) {
      if (KEYS[code] === pedal) return 1;
    }
    return 0;
  }
}

const within = (value: number): number => Math.min(1, Math.max(-1, value));

function createHint(): HTMLElement {
  const hint = document.createElement('p');
  hint.className = 'drive-hint';
  hint.textContent = HINT;
  Object.assign(hint.style, {
    position: 'fixed',
    left: '50%',
    bottom: 'calc(54px + env(safe-area-inset-bottom))',
    transform: 'translateX(-50%)',
    margin: '0',
    padding: '5px 12px',
    borderRadius: '999px',
    font: '500 13px/1.4 system-ui, sans-serif',
    color: '#fff',
    background: 'rgb(30 40 50 / 62%)',
    pointerEvents: 'none',
    whiteSpace: 'nowrap',
  });
  return hint;
}
