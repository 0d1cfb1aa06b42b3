/**
 * Repeats the newest part of a run. Loaded on demand.
 *
 *     run        ──────────■━━━━━━━━━━━━━━━━┥ now
 *     rounds               ■━━━━━━━━━━━━━━━━┥ ended ─▶ back to ■
 *                          ■━━━━━━━┥ another worker: closed, replaced, opened again
 *                          ■━━━━━━━━━━━━━━━━┥ stop ─▶ the run continues from here
 */
import type { Recording, SavedState } from '../../shared/recording/recording.js';
import { requireNumber } from '../../shared/util/validate.js';
import type { CreateWorker } from '../api/create-worker.js';
import type { RepeatOptions, Repetition } from '../api/repetition.js';
import type { ReplaceOptions } from '../api/replace-options.js';
import type { Replay } from '../api/replay.js';
import type { SimulationHandle } from '../api/simulation-handle.js';
import type { SimulationStatus } from '../api/simulation-status.js';
import { ofLibrary } from '../util/library-handlers.js';
import { withResolvers } from '../util/promises.js';

/** The default. */
export const REPEATED_SECONDS = 5;
const SECONDS = [0.1, 3600] as const;

const current = new WeakMap<SimulationHandle, Repetition>();

/** What a simulation repeats now, if anything. */
export const repetitionOf = (simulation: SimulationHandle): Repetition | undefined =>
  current.get(simulation);

/** @throws See `repeatRun`. */
export async function startRepetition(
  simulation: SimulationHandle,
  { seconds = REPEATED_SECONDS }: RepeatOptions,
): Promise<Repetition> {
  requireNumber('seconds', seconds, ...SECONDS);
  if (current.has(simulation)) {
    throw new Error('a part of this run is repeated already: call its stop() first');
  }
  const recording = simulation.recording();
  const ticks = Math.ceil(seconds * simulation.stats().tickRateHz);
  const repetition = new RunRepetition(simulation, recording, ticks);
  current.set(simulation, repetition);
  await repetition.begin();
  return repetition;
}

class RunRepetition implements Repetition {
  readonly fromTick: number;
  readonly untilTick: number;
  readonly ended: Promise<void>;
  rounds = 0;
  readonly #simulation: SimulationHandle;
  /** The whole run, so that nothing of it is lost in the end: the first one that the current code can show is shown. */
  readonly #recordings: Recording[];
  readonly #end = withResolvers<void>();
  readonly #off: () => void;
  #replay: Replay | undefined;
  #isOver = false;
  /** A call is moving the replay: that it arrives at the end is no end of a round. */
  #isMoving = false;
  /** Calls begin when those before have ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(simulation: SimulationHandle, recording: Recording, ticks: number) {
    const { lastTick, start } = recording;
    this.untilTick = lastTick;
    this.fromTick = Math.max(start?.tick ?? 0, lastTick - ticks);
    if (this.fromTick === lastTick) {
      throw new RangeError('there is nothing to repeat: the recording has no ticks yet');
    }
    this.#simulation = simulation;
    // Without states, all ticks run, which other code can do even if its state is another one.
    this.#recordings =
      recording.states.length > 0 ? [recording, { ...recording, states: [] }] : [recording];
    this.ended = this.#end.promise;
    this.ended.catch(() => {});
    this.#off = simulation.on(
      'status',
      ofLibrary((status) => this.#onStatus(status)),
    );
  }

  begin(): Promise<void> {
    return this.#move(() =>
      this.#orEnd(async () => {
        await this.#open();
        await this.#keepState();
        await this.#simulation.resume();
      }),
    );
  }

  replaceWorker(createWorker?: CreateWorker, options?: ReplaceOptions): Promise<void> {
    return this.#move(async () => {
      // A worker is not replaced while a recording is shown. What is closed before its end loses the rest.
      await this.#shown.seek(this.untilTick).catch(() => {});
      await this.#shown.close();
      let failure: { readonly error: unknown } | undefined;
      try {
        await this.#simulation.replaceWorker(createWorker, options);
      } catch (error) {
        failure = { error };
      }
      await this.#orEnd(async () => {
        await this.#open();
        await this.#simulation.resume();
      });
      if (failure !== undefined) throw failure.error;
    });
  }

  stop(): Promise<void> {
    return this.#move(async () => {
      await this.#shown.seek(this.untilTick);
      await this.#shown.close();
      this.#finish(undefined);
      await this.#simulation.resume();
    });
  }

  get #shown(): Replay {
    if (this.#replay === undefined) throw new Error('nothing is repeated any more');
    return this.#replay;
  }

  async #open(): Promise<void> {
    let failure: unknown;
    for (const recording of this.#recordings) {
      try {
        this.#replay = await this.#simulation.openReplay(recording, { tick: this.fromTick });
        return;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /** So that rounds need not run the ticks before as well. */
  async #keepState(): Promise<void> {
    const [recording] = this.#recordings;
    if (recording === undefined || recording.states.some(({ tick }) => tick === this.fromTick))
      return;
    let state: SavedState;
    try {
      state = await this.#simulation.save();
    } catch {
      return;
    }
    const states = [...recording.states, state].toSorted((one, other) => one.tick - other.tick);
    this.#recordings.unshift({ ...recording, states });
    await this.#open();
  }

  #onStatus(status: SimulationStatus): void {
    const { kind } = status;
    if (kind === 'replayed' && !this.#isMoving) void this.#again();
    if (kind === 'replay-stopped' || kind === 'failed') this.#finish(status.error);
    if (kind === 'disposed') this.#finish(new Error('the simulation was disposed'));
  }

  async #again(): Promise<void> {
    this.rounds += 1;
    await this.#move(() =>
      this.#orEnd(async () => {
        await this.#shown.seek(this.fromTick);
        await this.#simulation.resume();
      }),
    ).catch(() => {});
  }

  /** What fails ends it. */
  async #orEnd(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#finish(error);
      throw error;
    }
  }

  #move(run: () => Promise<void>): Promise<void> {
    const moving = this.#last.then(async () => {
      if (this.#isOver) throw new Error('it has ended: nothing is repeated any more');
      this.#isMoving = true;
      try {
        await run();
      } finally {
        this.#isMoving = false;
      }
    });
    this.#last = moving.catch(() => {});
    return moving;
  }

  /** @param error Undefined: it was stopped. */
  #finish(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#off();
    current.delete(this.#simulation);
    if (error === undefined) this.#end.resolve();
    else this.#end.reject(error as Error);
  }
}
