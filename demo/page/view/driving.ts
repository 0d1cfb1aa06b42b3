/** Where driving comes from: keyboard and gamepads, and a pad for thumbs on touch screens. All of it are inputs. */
import {
  gamepadSource,
  keyboardSource,
  type GamepadSource,
  type InputSource,
  type InputValues,
} from '../../../src/render-main/inputs/index.js';
import { keyCode } from '../../../src/shared/index.js';
import { DRIVE_AXES, DRIVE_KEYS } from '../../contract/drive-contract.js';
import type { DemoSimulation } from '../start-simulation.js';
import { DriveHint } from './drive-hint.js';
import { DrivePad, type PadState } from './drive-pad.js';
import { isForPage } from './keyboard.js';

const KEYS: readonly string[] = Object.values(DRIVE_KEYS).flat();
const AXES = Object.keys(DRIVE_AXES) as (keyof PadState)[];
/** What of a gamepad drives: see drive-contract.ts. */
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
  /** What the simulation was told of the pad. */
  readonly #sent: PadState = { throttle: 0, steer: 0, brake: 0 };
  #sources: Sources | undefined;
  #isActive = false;
  #hasGamepads = true;

  /** @param root Gets the pad, or the hint which keys drive. */
  constructor(root: HTMLElement) {
    root.append(this.#pad.root, this.#hint.root);
    this.#show();
    // The sources see to their own devices.
    window.addEventListener('blur', () => this.#resetPad());
    document.addEventListener('visibilitychange', () => this.#resetPad());
    this.#hasTouch.addEventListener('change', this.#show);
  }

  /** Drives this simulation from now on, and no more the one before. */
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

  /** Whether the scene can be driven. When not, everything is let go and hidden. */
  setActive(isActive: boolean): void {
    if (isActive === this.#isActive) return;
    this.letGo();
    this.#isActive = isActive;
    if (isActive) this.#hint.startOver();
    this.#show();
  }

  /** To be called once a frame. @param frameMs Its time stamp. */
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
      // Permissions of the page forbid them: they will in the next frame, too.
      this.#hasGamepads = false;
    }
  }

  /** Lets everything go. What is still held counts again when it is pressed anew. */
  letGo(): void {
    this.#sources?.keyboard.release();
    this.#sources?.gamepads.release();
    this.#resetPad();
  }

  /**
   * Tells the simulation that nothing is held: it was taken to a moment at which something was, and nobody holds
   * that now.
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

  /** Inputs are wanted, and taken: a replay has its own. */
  get #isOpen(): boolean {
    return this.#isActive && this.#sources?.simulation.replay === undefined;
  }

  readonly #show = (): void => {
    const { matches } = this.#hasTouch;
    this.#pad.root.style.display = this.#isActive && matches ? 'block' : 'none';
    this.#hint.setShown(this.#isActive && !matches);
  };

  #resetPad(): void {
    this.#pad.reset();
    this.#sendPad(performance.now());
  }

  /** What a full queue refuses is told again in the next frame. */
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
