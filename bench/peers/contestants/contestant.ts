/** What every contestant can do; the page that measures knows no more of it. */
import type { TickFigures } from '../engine/result.js';
import type { PeerScene } from '../scene/peer-scene.js';

export interface Contestant {
  /**
   * All that the page does for a frame, up to where a renderer would begin.
   *
   * @param stampMs The frame's stamp, on the clock of `performance.now()`.
   * @param displaySeconds The same on the display's own time line, in s since its first frame.
   */
  frame(stampMs: number, displaySeconds: number): void;
  /** Place along x at which the probes are drawn, in m; NaN where there is no such probe. */
  singleX(): number;
  instancedX(): number;
  /** Stamp of the frame that was drawn last less the time that its picture stands for, in ms; NaN if not known now. */
  ageMs(): number;
  /** Work on the page outside of frames since the last call, in ms: messages from a worker. */
  takeOutsideMs(): number;
  /** Begins to count ticks. */
  begin(): void;
  /** Cost of steps in the worker since `begin`; null where it cannot be had. */
  tick(): TickFigures | null;
  /** Does the work of the frame before once more, with the same result; undefined where it cannot be repeated. */
  readonly again?: () => void;
  /** Puts both probes somewhere else, as this contestant's users do. */
  teleport(x: number): void | Promise<void>;
  /** Lets the next step in the worker throw; null where there is no worker. */
  readonly failNextStep: (() => void | Promise<void>) | null;
  dispose(): void | Promise<void>;
}

export type OpenContestant = (scene: PeerScene) => Promise<Contestant>;

/** Adds up what work on the page takes. */
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
