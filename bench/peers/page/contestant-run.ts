/** A contestant, its frames, and their measurements. */
import { openContestant, type Contestant } from '../contestants/index.js';
import type { ContestantName } from '../engine/contestants.js';
import {
  TELEPORT_FROM,
  TELEPORT_TO,
  figuresOf,
  inputFiguresOf,
  smearedFrames,
  type DrawnFrame,
} from '../engine/frame-log.js';
import type { FaultRepeat, PeerRepeat } from '../engine/figures.js';
import type { BenchScene } from '../../scenes/index.js';
import { FramePacer } from './frame-pacer.js';
import { InputMeter } from './input-meter.js';

const TELEPORTS = [
  TELEPORT_FROM,
  TELEPORT_TO,
  TELEPORT_FROM,
  TELEPORT_TO,
  TELEPORT_FROM,
  TELEPORT_TO,
];
/**
 * In s: how long a teleport is watched, longer than any delay, and not a round number so that the
 * phases differ.
 */
const AFTER_TELEPORT_SECONDS = 0.27;
/**
 * After an error: the wait for frames in progress; the time limit for a recovery; the polling
 * interval.
 */
const AFTER_ERROR_SECONDS = 0.5;
const RECOVERY_SECONDS = 6;
const MIN_FRAMES = 2;
const LOOK_SECONDS = 0.25;

export class ContestantRun {
  readonly #contestant: Contestant;
  readonly #displayHz: number;
  readonly #pacer: FramePacer;
  readonly #failed: Promise<never>;
  #frames: DrawnFrame[] | undefined;
  #inputs: InputMeter | undefined;

  static async open(
    name: ContestantName,
    displayHz: number,
    scene: BenchScene,
  ): Promise<ContestantRun> {
    return new ContestantRun(await openContestant(name, scene), displayHz);
  }

  private constructor(contestant: Contestant, displayHz: number) {
    this.#contestant = contestant;
    this.#displayHz = displayHz;
    const failed = Promise.withResolvers<never>();
    // Resolves the current waiter, if there is one.
    failed.promise.catch(() => {});
    this.#failed = failed.promise;
    this.#pacer = new FramePacer(displayHz, (frame, stampMs) => {
      try {
        this.#onFrame(frame, stampMs);
      } catch (error) {
        this.#pacer.stop();
        failed.reject(error);
      }
    });
  }

  wait(seconds: number): Promise<void> {
    const passed = new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));
    return Promise.race([passed, this.#failed]);
  }

  async measure(seconds: number): Promise<Omit<PeerRepeat, 'busyShare'>> {
    const inputs = new InputMeter(this.#contestant, this.#displayHz);
    this.#inputs = inputs;
    const frames = await this.#record(seconds);
    inputs.stop();
    this.#inputs = undefined;
    const tick = this.#contestant.tick();
    return { ...figuresOf(frames, this.#displayHz), ...inputFiguresOf(inputs.times), tick };
  }

  /**
   * Teleports, and then an error in the worker. No measurement is possible afterwards.
   *
   * @param recoverySeconds Time limit for a recovery after the error.
   */
  async faults(recoverySeconds = RECOVERY_SECONDS): Promise<FaultRepeat> {
    const contestant = this.#contestant;
    const single: number[] = [];
    const instanced: number[] = [];
    for (const x of TELEPORTS) {
      const recording = this.#record(AFTER_TELEPORT_SECONDS);
      await contestant.teleport(x);
      for (const { singleX, instancedX } of await recording) {
        single.push(singleX);
        instanced.push(instancedX);
      }
    }
    return {
      teleports: TELEPORTS.length,
      smearedSingle: single.some(Number.isNaN) ? null : smearedFrames(single),
      smearedInstanced: instanced.some(Number.isNaN) ? null : smearedFrames(instanced),
      afterThrow: contestant.failNextStep === null ? null : await this.#throw(recoverySeconds),
    };
  }

  async close(): Promise<void> {
    this.#pacer.stop();
    await this.#contestant.dispose();
  }

  async #throw(recoverySeconds: number): Promise<FaultRepeat['afterThrow']> {
    const startMs = performance.now();
    await this.#contestant.failNextStep?.();
    await this.wait(AFTER_ERROR_SECONDS);
    for (;;) {
      const fromMs = performance.now();
      const from = this.#contestant.singleX();
      await this.wait(LOOK_SECONDS);
      const isAlive = Math.abs(this.#contestant.singleX() - from) > 0;
      const stoodMs = isAlive ? Math.max(0, fromMs - startMs) : performance.now() - startMs;
      if (isAlive || stoodMs > recoverySeconds * 1000) return { isAlive, stoodMs };
    }
  }

  async #record(seconds: number): Promise<readonly DrawnFrame[]> {
    const frames: DrawnFrame[] = [];
    this.#contestant.begin();
    this.#contestant.takeOutsideMs();
    this.#frames = frames;
    await this.wait(seconds);
    // Fewer frames say nothing; a busy machine may draw none for a while.
    while (frames.length < MIN_FRAMES) await this.wait(AFTER_TELEPORT_SECONDS);
    this.#frames = undefined;
    return frames;
  }

  #onFrame(frame: number, stampMs: number): void {
    const contestant = this.#contestant;
    const startMs = performance.now();
    contestant.frame(stampMs, frame / this.#displayHz);
    const costMs = performance.now() - startMs + contestant.takeOutsideMs();
    this.#inputs?.look(stampMs);
    this.#frames?.push({
      frame,
      lateMs: startMs - stampMs,
      costMs,
      ageMs: contestant.ageMs(),
      singleX: contestant.singleX(),
      instancedX: contestant.instancedX(),
    });
  }
}
