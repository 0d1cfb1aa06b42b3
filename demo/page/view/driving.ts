/** Sources of driving inputs: keyboard and gamepads, and a pad for thumbs on touch screens. */
import {
  gamepadSource,
  keyboardSource,
  type GamepadSource,
  type InputSource,
  type InputValues,
} from '../../../src/inputs/index.js';
import { keyCode } from '../../../src/shared/index.js';
import { DRIVE_AXES, DRIVE_KEYS } from '../../contract/drive-contract.js';
import type { DemoSimulation } from '../start-simulation.js';
import { DriveHint } from './drive-hint.js';
import { DrivePad, type PadState } from './drive-pad.js';
import { isForPage } from './keyboard.js';

const KEYS: readonly string[] = Object.values(DRIVE_KEYS).flat();
const AXES = Object.keys(DRIVE_AXES) as (keyof PadState)[];
/** The controls of a gamepad that drive: see drive-contract.ts. */
const GAMEPADS = { max: 4, axes: [0], buttons: [0, 6, 7] } as const;

interface Sources {
  readonly simulation: DemoSimulation;
  readonly keyboard: InputSource;
  readonly gamepads: GamepadSource;
}

export class Driving {
  readonly #pad = new DrivePad((event) => this.#sendPad(event.timeStamp));
  readonly #hint = new DriveHint();
  readonly #hasTouch = window.matchMedia('(any-pointer: coarse)');
  /** The pad's state that the simulation received last. */
  readonly #sent: PadState = { throttle: 0, steer: 0, brake: 0 };
  #sources: Sources | undefined;
  #isActive = false;
  #hasGamepads = true;

  /** @param root Gets the pad, or the hint about the keys. */
  constructor(root: HTMLElement) {
    root.append(this.#pad.root, this.#hint.root);
    this.#show();
    // The sources ignore other devices by themselves.
    window.addEventListener('blur', () => this.#resetPad());
    document.addEventListener('visibilitychange', () => this.#resetPad());
    this.#hasTouch.addEventListener('change', this.#show);
  }

  /** Drives this simulation from now on instead of the previous one. */
  connect(simulation: DemoSimulation): void {
    this.#sources?.keyboard.dispose();
    this.#sources?.gamepads.dispose();
    const inputs = this.#hint.watch(simulation.inputs);
    this.#sources = {
      simulation,
      keyboard: keyboardSource(inputs, {
        keys: KEYS,
        ignore: (event) => !this.#isOpen || isForPage(event),
        // The page must not scroll.
        preventDefault: true,
      }),
      gamepads: gamepadSource(inputs),
    };
    Object.assign(this.#sent, { throttle: 0, steer: 0, brake: 0 });
  }

  /** Whether the scene can be driven. If not, everything is released and hidden. */
  setActive(isActive: boolean): void {
    if (isActive === this.#isActive) return;
    this.letGo();
    this.#isActive = isActive;
    if (isActive) this.#hint.startOver();
    this.#show();
  }

  /** Call it once a frame. @param frameMs Its time stamp. */
  poll(frameMs: number): void {
    const { keyboard, gamepads } = this.#sources ?? {};
    if (keyboard === undefined || gamepads === undefined || !this.#isOpen) return;
    keyboard.flush();
    this.#hint.frame(frameMs);
    this.#sendPad(frameMs);
    if (!this.#hasGamepads) return;
    try {
      gamepads.poll(frameMs);
    } catch {
      // The page's permissions forbid them, and will in the next frame, too.
      this.#hasGamepads = false;
    }
  }

  /** Releases everything. What is still held counts again when it is pressed again. */
  letGo(): void {
    this.#sources?.keyboard.release();
    this.#sources?.gamepads.release();
    this.#resetPad();
  }

  /**
   * Releases everything in the simulation, which is at a moment at which something was, and no one
   * holds that now.
   */
  forget(): void {
    this.letGo();
    if (!this.#isActive) return;
    const stampMs = performance.now();
    const push = (values: Partial<InputValues>): boolean => this.#push(values, stampMs);
    for (const key of KEYS) push({ kind: 'keyup', code: keyCode(key) });
    for (const axis of AXES) push({ kind: 'custom', code: DRIVE_AXES[axis] });
    for (let device = 0; device < GAMEPADS.max; device++) {
      for (const code of GAMEPADS.axes) push({ kind: 'gamepadaxis', device, code });
      for (const code of GAMEPADS.buttons) push({ kind: 'gamepadbutton', device, code });
    }
  }

  /** Inputs are wanted and accepted: a replay has its own. */
  get #isOpen(): boolean {
    return this.#isActive && this.#sources?.simulation.replay === undefined;
  }

  readonly #show = (): void => {
    const { matches } = this.#hasTouch;
    this.#pad.root.hidden = !this.#isActive || !matches;
    this.#hint.setShown(this.#isActive && !matches);
  };

  #resetPad(): void {
    this.#pad.reset();
    this.#sendPad(performance.now());
  }

  /** If the queue is full, it is sent again in the next frame. */
  #sendPad(stampMs: number): void {
    if (!this.#isOpen) return;
    for (const axis of AXES) {
      const x = this.#pad.state[axis];
      if (x === this.#sent[axis]) continue;
      if (this.#push({ kind: 'custom', code: DRIVE_AXES[axis], x }, stampMs)) this.#sent[axis] = x;
    }
  }

  #push(values: Partial<InputValues>, stampMs: number): boolean {
    const input = {
      kind: 'custom',
      code: 0,
      device: 0,
      x: 0,
      y: 0,
      z: 0,
      w: 0,
      ...values,
    } as const;
    return this.#sources?.simulation.inputs.push(input, stampMs) ?? false;
  }
}
