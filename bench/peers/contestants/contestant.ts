/** The interface of every contestant, as the measuring page uses it. */
import type { TickFigures } from '../engine/figures.js';
import type { BenchScene } from '../../scenes/index.js';

export interface Contestant {
  /**
   * All work of the page for a frame, up to where a renderer would begin.
   *
   * @param stampMs The frame's stamp, on the clock of `performance.now()`.
   * @param displaySeconds The same on the display's own time line, in s since its first frame.
   */
  frame(stampMs: number, displaySeconds: number): void;
  /** Position along x at which the probes are drawn, in m; NaN if there is no such probe. */
  singleX(): number;
  instancedX(): number;
  /** Position along z, which only pushes change. */
  singleZ(): number;
  instancedZ(): number;
  /** Stamp of the last drawn frame minus the time that it represents, in ms; NaN if unknown. */
  ageMs(): number;
  /** Work on the page outside of frames since the last call, in ms: messages from a worker. */
  takeOutsideMs(): number;
  /** Begins to count ticks. */
  begin(): void;
  /** Cost of steps in the worker since `begin`; null if unavailable. */
  tick(): TickFigures | null;
  /** Teleports both probes, as this contestant's users would. */
  teleport(x: number): void | Promise<void>;
  /** Gives both probes a speed along z, in m/s, as an input would. */
  push(speedZ: number): void;
  /** Makes the next step in the worker throw; null if there is no worker. */
  readonly failNextStep: (() => void | Promise<void>) | null;
  dispose(): void | Promise<void>;
}

export type OpenContestant = (scene: BenchScene) => Promise<Contestant>;

/** Sums up the cost of work on the page. */
export class OutsideWork {
  #ms = 0;

  measure(work: () => void): void {
    const startMs = performance.now();
    work();
    this.#ms += performance.now() - startMs;
  }

  take(): number {
    const ms = this.#ms;
    this.#ms = 0;
    return ms;
  }
}
