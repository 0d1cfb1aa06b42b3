/** A stick and a brake for thumbs. */

/** Sizes of the stick, in CSS pixels. */
const STICK = { side: 132, knob: 56 } as const;
/** Dead zone: share of the way that the knob may be off its middle. */
const DEAD_ZONE = 0.12;
/** Finer steps are not sent. */
const STEPS = 25;

export interface PadState {
  throttle: number;
  steer: number;
  brake: number;
}

const GLASS = {
  position: 'absolute',
  bottom: '0',
  borderRadius: '999px',
  border: '1px solid rgb(255 255 255 / 55%)',
  background: 'rgb(46 58 70 / 32%)',
  backdropFilter: 'blur(4px)',
  pointerEvents: 'auto',
  touchAction: 'none',
  userSelect: 'none',
  padding: '0',
} as const;

export class DrivePad {
  readonly root = document.createElement('div');
  readonly state: PadState = { throttle: 0, steer: 0, brake: 0 };
  readonly #stick = document.createElement('div');
  readonly #knob = document.createElement('div');
  readonly #brake = document.createElement('button');
  readonly #onChange: (event: PointerEvent) => void;

  /** @param onChange Called when `state` has changed, with the event that changed it. */
  constructor(onChange: (event: PointerEvent) => void) {
    this.#onChange = onChange;
    this.root.className = 'drive-pad';
    Object.assign(this.root.style, {
      position: 'fixed',
      insetInline: 'max(18px, env(safe-area-inset-left)) max(18px, env(safe-area-inset-right))',
      bottom: 'calc(18px + env(safe-area-inset-bottom))',
      pointerEvents: 'none',
    });
    this.#buildStick();
    this.#buildBrake();
  }

  /** Releases everything. */
  reset(): void {
    Object.assign(this.state, { throttle: 0, steer: 0, brake: 0 });
    this.#placeKnob(0, 0);
    this.#brake.style.background = GLASS.background;
  }

  #buildStick(): void {
    const stick = this.#stick;
    stick.setAttribute('aria-label', 'Drive and steer');
    Object.assign(stick.style, GLASS, {
      left: '0',
      width: `${STICK.side}px`,
      height: `${STICK.side}px`,
    });
    Object.assign(this.#knob.style, {
      position: 'absolute',
      inset: `${(STICK.side - STICK.knob) / 2}px`,
      borderRadius: '999px',
      background: 'rgb(255 255 255 / 82%)',
      boxShadow: '0 2px 8px rgb(30 40 50 / 35%)',
    });
    stick.append(this.#knob);
    this.root.append(stick);
    this.#track(stick, this.#moveStick, () => {
      this.state.throttle = 0;
      this.state.steer = 0;
      this.#placeKnob(0, 0);
    });
  }

  #buildBrake(): void {
    const brake = this.#brake;
    brake.type = 'button';
    brake.textContent = 'Brake';
    Object.assign(brake.style, GLASS, {
      right: '0',
      width: '84px',
      height: '84px',
      font: '600 14px/1 system-ui, sans-serif',
      color: '#fff',
    });
    this.root.append(brake);
    this.#track(
      brake,
      () => this.#setBrake(1),
      () => this.#setBrake(0),
    );
  }

  #setBrake(brake: number): void {
    this.state.brake = brake;
    this.#brake.style.background = brake > 0 ? 'rgb(226 96 63 / 75%)' : GLASS.background;
  }

  /** Calls `move` while a finger or button is down, and `end` when it is released. */
  #track(element: HTMLElement, move: (event: PointerEvent) => void, end: () => void): void {
    let active: number | undefined;
    element.addEventListener('pointerdown', (event) => {
      if (active !== undefined) return;
      active = event.pointerId;
      element.setPointerCapture(event.pointerId);
      move(event);
      this.#onChange(event);
    });
    element.addEventListener('pointermove', (event) => {
      if (event.pointerId !== active) return;
      move(event);
      this.#onChange(event);
    });
    const onEnd = (event: PointerEvent): void => {
      if (event.pointerId !== active) return;
      active = undefined;
      end();
      this.#onChange(event);
    };
    // Fires after a release, a cancelled touch and a hidden pad alike.
    element.addEventListener('lostpointercapture', onEnd);
    element.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  readonly #moveStick = (event: PointerEvent): void => {
    const { left, top, width, height } = this.#stick.getBoundingClientRect();
    const reach = (STICK.side - STICK.knob) / 2;
    let x = (event.clientX - left - width / 2) / reach;
    let y = (event.clientY - top - height / 2) / reach;
    const far = Math.max(1, Math.hypot(x, y));
    x /= far;
    y /= far;
    this.#placeKnob(x * reach, y * reach);
    this.state.steer = stepOf(x);
    this.state.throttle = stepOf(-y);
  };

  #placeKnob(x: number, y: number): void {
    this.#knob.style.transform = `translate(${x}px, ${y}px)`;
  }
}

/** Outside the dead zone, in steps. */
function stepOf(value: number): number {
  const size = Math.max(0, (Math.abs(value) - DEAD_ZONE) / (1 - DEAD_ZONE));
  return Math.round(Math.sign(value) * size * STEPS) / STEPS || 0;
}
