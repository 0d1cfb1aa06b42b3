/** The driver's actions, from the inputs of each tick: keys, gamepads and the pad for thumbs, added up. */
import type { InputState, Json } from '../../src/shared/index.js';
import type { TickInput } from '../../src/sim-worker/index.js';
import { DRIVE_AXES, DRIVE_KEYS, type DriveInput } from '../contract/drive-contract.js';

/** The number that browsers report. */
const GAMEPADS = [0, 1, 2, 3] as const;
/** Axes and buttons of the standard mapping. */
const GAMEPAD = { steerAxis: 0, brake: 0, backwards: 6, forwards: 7 } as const;

/** The pad's last values, by code. */
type SavedDriver = readonly (readonly [code: number, value: number])[];

const PAD_CODES: readonly number[] = Object.values(DRIVE_AXES);

export class Driver {
  readonly #input: InputState;
  readonly #pad = new Map<number, number>();

  /** @param input The run's. */
  constructor(input: InputState) {
    this.#input = input;
  }

  /** Takes a tick's inputs, which the run's state has. @returns The driver's state from then on. */
  apply(inputs: readonly TickInput[]): DriveInput {
    for (const { kind, code, x } of inputs) {
      if (kind === 'custom' && PAD_CODES.includes(code)) this.#pad.set(code, x);
    }
    const pad = (axis: keyof typeof DRIVE_AXES): number => this.#pad.get(DRIVE_AXES[axis]) ?? 0;
    const { forwards, backwards, steerAxis, brake } = GAMEPAD;
    return {
      throttle: within(
        -1,
        pad('throttle') +
          this.#key('forwards') -
          this.#key('backwards') +
          this.#gamepads((device) => this.#input.button(device, forwards)) -
          this.#gamepads((device) => this.#input.button(device, backwards)),
      ),
      steer: within(
        -1,
        pad('steer') +
          this.#key('right') -
          this.#key('left') +
          this.#gamepads((device) => this.#input.axis(device, steerAxis)),
      ),
      brake: within(
        0,
        pad('brake') +
          this.#key('brake') +
          this.#gamepads((device) => this.#input.button(device, brake)),
      ),
    };
  }

  save(): Json {
    return [...this.#pad].toSorted(([a], [b]) => a - b) satisfies SavedDriver;
  }

  restore(saved: Json): void {
    this.#pad.clear();
    for (const [code, value] of saved as SavedDriver) this.#pad.set(code, value);
  }

  /** 1 while one of its keys is down. */
  #key(pedal: keyof typeof DRIVE_KEYS): number {
    return DRIVE_KEYS[pedal].some((key) => this.#input.isDown(key)) ? 1 : 0;
  }

  #gamepads(valueOf: (device: number) => number): number {
    return GAMEPADS.reduce<number>((sum, device) => sum + valueOf(device), 0);
  }
}

const within = (min: number, value: number): number => Math.min(1, Math.max(min, value));
