/**
 * What page and worker say to each other by message. Comlink carries the calls; everything whose cost
 * matters goes through shared memory instead.
 */

import type { StepperOptions } from './steppers/registry.js';

/** How the worker is to run. Complete: the page has filled in the defaults. */
export interface WorkerOptions {
  readonly tickRateHz: number;
  readonly timeScale: number;
  readonly maxCatchUpTicks: number;
  readonly stepper: StepperOptions;
  /** Start paused, at tick 0. */
  readonly startPaused: boolean;
}

/** The calls that the worker answers, each between two ticks. */
export interface WorkerControl {
  /** Opens the buffer and runs the simulation's `init`. Resolves with the names of its commands. */
  initialize(buffer: ArrayBufferLike, options: WorkerOptions): Promise<readonly string[]>;
  /** Answers clock pings for a few milliseconds; see clock-sync.ts. */
  alignClock(): void;
  /** Worker clock minus page clock, in ms, from now on. */
  setClockOffset(offsetMs: number): void;
  /** The worker's `performance.timeOrigin`, for when no ping was answered. */
  timeOrigin(): number;
  /** Begins to tick. */
  start(): void;
  pause(): void;
  resume(): void;
  /** While paused: runs ticks. Resolves with the last tick's number when they have run. */
  step(ticks: number): Promise<number>;
  setTickRate(tickRateHz: number): void;
  setTimeScale(timeScale: number): void;
  setMaxCatchUpTicks(ticks: number): void;
  /** Runs one of the simulation's commands. Resolves with what it returns. */
  command(name: string, args: readonly unknown[]): Promise<unknown>;
  /** Leaves the loop. Also wakes a paused worker, which the stop word alone does not. */
  stop(): void;
}

/** What a worker posts, beside Comlink's messages, when its simulation threw. It then stands still. */
export interface WorkerFailureMessage {
  readonly type: 'betwixt:failure';
  readonly stage: 'init' | 'tick';
  readonly tick: number;
  readonly message: string;
  readonly stack: string | undefined;
}

export function isWorkerFailure(data: unknown): data is WorkerFailureMessage {
  return (
    typeof data === 'object' && data !== null && 'type' in data && data.type === 'betwixt:failure'
  );
}

/** A simulation's commands: any functions whose arguments and results can be cloned. */
export type CommandMap = Record<string, (...args: never[]) => unknown>;

/** The same commands as the page sees them: each returns a promise. */
export type RemoteCommands<C> = {
  readonly [Name in keyof C]: C[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};
