/**
 * The simulation that the lab's loops run: the bodies integrated step by step, and a cart that the
 * player drives. Its state is what `deterministic` compares. The shots follow only from simulated
 * time and steps and are not part of that state.
 */
import { BALL_GRAVITY, BALL_PERIOD_MS, FLYER_SPEED, TOP_RATE } from './bodies.js';
import { Shots } from './shots.js';
import type { StampedInput } from './sliced-input.js';

/** Neumaier's compensated sum: the reference for the drift of the naive one. */
export class ExactSum {
  #sum = 0;
  #lost = 0;

  add(value: number): void {
    const sum = this.#sum + value;
    this.#lost +=
      Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
  }

  get value(): number {
    return this.#sum + this.#lost;
  }
}

const STATE = { simulatedMs: 0, flyer: 1, ball: 2, ballSpeed: 3, top: 4, cart: 5, cartSpeed: 6 };
const STATE_LENGTH = 7;

export class World {
  readonly #state = new Float64Array(STATE_LENGTH);
  readonly #words = new Uint32Array(this.#state.buffer);
  readonly #simulatedMs = new ExactSum();
  readonly #shots = new Shots();
  #updates = 0;
  #previousMs = 0;
  #currentMs = 0;

  constructor() {
    this.#state[STATE.ballSpeed] = (BALL_GRAVITY * BALL_PERIOD_MS) / 2000;
  }

  get updates(): number {
    return this.#updates;
  }

  /** Simulated time of the state before the last update, in ms. */
  get previousMs(): number {
    return this.#previousMs;
  }

  /** Simulated time of the newest state, in ms: the steps so far, summed without rounding. */
  get currentMs(): number {
    return this.#currentMs;
  }

  /** Shots at the thin wall that have gone through it. */
  get shotsThrough(): number {
    return this.#shots.through;
  }

  /**
   * Drift of the flyer by adding up speed × step, at 1 unit a second: in s. Only the rounding of
   * the sum; dropped time was never a step.
   */
  get driftS(): number {
    return this.#value(STATE.flyer) - this.#currentMs / 1000;
  }

  /** Steps the simulation, with the player's input for this step. */
  update(stepMs: number, inputs: readonly StampedInput<number>[]): void {
    for (const { event } of inputs) this.#state[STATE.cartSpeed] = event;
    const state = this.#state;
    const dt = stepMs / 1000;
    this.#updates += 1;
    this.#simulatedMs.add(stepMs);
    this.#previousMs = this.#currentMs;
    this.#currentMs = this.#simulatedMs.value;
    this.#shots.update(this.#currentMs);
    state[STATE.simulatedMs] = this.#currentMs;
    state[STATE.flyer] = this.#value(STATE.flyer) + FLYER_SPEED * stepMs;
    state[STATE.top] = this.#value(STATE.top) + TOP_RATE * stepMs;
    state[STATE.cart] = this.#value(STATE.cart) + this.#value(STATE.cartSpeed) * dt;
    this.#stepBall(dt);
  }

  /** A hash of the whole state, 16 hexadecimal digits. */
  hash(): string {
    // FNV-1a over the words, twice with different offsets.
    let low = 0x811c9dc5;
    let high = 0x6c62272e;
    for (const word of this.#words) {
      low = Math.imul(low ^ word, 0x01000193);
      low ^= low >>> 15;
      high = Math.imul(high ^ word, 0x01000193);
      high ^= high >>> 13;
    }
    return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }

  /**
   * Semi-implicit Euler with a reflecting floor: like real physics, its result depends on the step.
   */
  #stepBall(dt: number): void {
    const state = this.#state;
    let speed = this.#value(STATE.ballSpeed) - BALL_GRAVITY * dt;
    let height = this.#value(STATE.ball) + speed * dt;
    if (height < 0) {
      height = -height;
      speed = -speed;
    }
    state[STATE.ballSpeed] = speed;
    state[STATE.ball] = height;
  }

  #value(index: number): number {
    return this.#state[index] ?? 0;
  }
}
