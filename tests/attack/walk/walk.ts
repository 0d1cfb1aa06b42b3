/**
 * One walk: operations on a handle, the model's expectation for each, and an end at which
 * everything must be settled.
 */
import type { SimulationStatus } from '../../../src/render-main/index.js';
import { withResolvers } from '../../../src/render-main/util/promises.js';
import { LOOK_MS } from '../../../src/render-main/worker/time-limits.js';
import { decodeRecording, encodeRecording } from '../../../src/shared/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import { createCounting } from '../../fixtures/counting-simulation.js';
import { walk } from '../../fixtures/walk.js';
import { WalkModel, isStopped, type TrackedCall } from './model.js';
import { OPERATIONS, type Walk } from './operations.js';
import { Walker } from './walker.js';
import type { CountingHandle, World } from './world.js';

/** More than the limit after which a worker that is silent is stalled, and an answer. */
const MISSED_MS = 4000;
/** Two checks of a worker that may have been stalled. */
const LOOKS_MS = 2 * LOOK_MS;
/** The end is retried if a pending fault strikes in it. */
const MAX_ENDS = 8;
/** The longest interval of hashes: its recording has one. */
const END_STEPS = 7;

/** @returns Calls that were made. @throws Error with the violated rule. */
export async function tryWalk(given: Walk, world: World): Promise<number> {
  const run = new WalkRun(given, world);
  let calls: number;
  try {
    calls = await run.run();
  } finally {
    await run.close();
    await world.close();
  }
  const [fault] = run.model.faults;
  if (fault !== undefined) throw new Error(fault);
  return calls;
}

class WalkRun {
  readonly model = new WalkModel();
  readonly #walk: Walk;
  readonly #world: World;
  readonly #handle: CountingHandle;
  readonly #walker: Walker;
  /** A stalled worker is waited for, also if it never answers. */
  readonly #isWaitedFor: boolean;
  #stalled = withResolvers<void>();

  constructor(given: Walk, world: World) {
    this.#walk = given;
    this.#world = world;
    this.#isWaitedFor = given.endsSilently && given.options.recovery === 'none';
    this.#handle = world.handle;
    this.#walker = new Walker(given.options.recording !== false, world, this.model);
    this.#handle.on('status', (status) => this.#onStatus(status));
  }

  /** @returns Calls that were made. */
  async run(): Promise<number> {
    const { steps } = this.#walk;
    await walk(OPERATIONS, this.#walker, steps, async (step, call) => {
      await this.#walker.wait(step, (call as TrackedCall | undefined)?.settled);
      await this.#look();
    });
    await this.#requireMissed();
    if (this.model.faults.length === 0) await this.#end();
    return this.model.calls.length;
  }

  /** Disposes everything, whatever the outcome. */
  async close(): Promise<void> {
    this.#world.openGate();
    const disposal = this.#handle.dispose();
    if (!(await this.#untilSettled(disposal))) this.model.fault('dispose() is never done');
    for (const { name } of this.model.pending()) this.model.fault(`${name} is pending forever`);
  }

  async #look(): Promise<void> {
    // Calls that a worker has begun before it stops are not waited for: a query that restarts the
    // run, for one.
    if (this.#handle.state === 'disposed') return;
    const isShown = this.#handle.replay !== undefined;
    this.model.lookAt(this.#handle.stats().tick, isShown);
    this.#walker.checkReplays();
    // Messages of a thread may be later than its memory, and the last ones of a worker that is gone never come.
    if (!this.#world.hasThread && !this.#world.isGone) await this.#walker.checkBodies();
  }

  #onStatus(status: SimulationStatus): void {
    if (status.kind === 'stalled' && this.#isWaitedFor) this.#stalled.resolve();
    if (status.kind === 'restarting' && this.#world.mayLoseInputs) {
      this.#noteTermination(status.error);
    }
    if (status.kind === 'restarted' && status.skippedInputs > 0) this.model.hasSkipped = true;
    // The previous run is back.
    if (status.kind === 'replay-stopped') this.model.travels += 1;
  }

  /** Inputs in a replay are refused, so none is on its way while one is shown. */
  #noteTermination(error: Error): void {
    // A clock that jumps gives up a worker that is well: it is terminated anywhere, too.
    if (
      !/ended by itself|given up|did not answer/.test(error.message) ||
      this.#handle.replay !== undefined
    )
      return;
    const entries = this.#walker.recording()?.entries ?? [];
    const inputs = entries.flatMap((entry) => (entry.kind === 'input' ? [entry.input.code] : []));
    this.model.noteTermination(new Set(inputs));
  }

  /** A worker that is gone is missed, also by a page that makes no call. */
  async #requireMissed(): Promise<void> {
    for (let ms = 0; ms < MISSED_MS && this.#isUnmissed; ms += LOOK_MS) await this.#world.look();
    if (this.#isUnmissed) {
      this.model.fault(`its worker is gone for ${MISSED_MS} ms, and it is ${this.#handle.state}`);
    }
  }

  get #isUnmissed(): boolean {
    const isMissed = /stalled|restarting|failed|disposed/.test(this.#handle.state);
    return this.#world.isGone && !isMissed;
  }

  /** Whether it is paused, after all pending faults have struck. */
  async #isAlive(): Promise<boolean> {
    const handle = this.#handle;
    for (let end = 0; end < MAX_ENDS; end++) {
      this.#world.openGate();
      // No replay is shown or about to be: the run does not move.
      const shown = handle.replay;
      const isTravel = shown !== undefined || this.model.travelling > 0;
      const calls = [
        this.model.follow('pause', () => handle.pause()),
        this.model.follow('close', async () => shown?.close(), { isTravel }),
        // Waits for the earlier moves, and for the step that is held in them.
        this.model.follow('step', () => handle.step(END_STEPS)),
        this.model.follow('done', () => handle.queries.done()),
      ];
      const settled = Promise.all(calls.map((call) => call.settled));
      const isSettled = await this.#untilSettled(Promise.race([settled, this.#stalled.promise]));
      if (handle.state === 'stalled' && this.#isWaitedFor) {
        if (this.#walker.recording() === undefined) return false;
        this.#stalled = withResolvers();
        const { settled: isReplaced } = this.model.follow('replace', () => handle.replaceWorker());
        await this.#untilSettled(isReplaced);
        continue;
      }
      if (!isSettled) {
        this.model.fault(`at the end these are pending: ${this.#pendingNames()}`);
        return false;
      }
      await this.#look();
      if (['failed', 'disposed'].includes(handle.state)) return false;
      const isDone = calls.every(({ outcome }) => outcome === 'done');
      // A pending replay may be shown now.
      if (isDone && handle.replay === undefined) return true;
    }
    this.model.fault('it cannot be paused');
    return false;
  }

  /**
   * A step may be held again on the way. A worker that was killed during its disposal is waited for
   * by the page's clock.
   */
  async #untilSettled(settled: Promise<unknown>): Promise<boolean> {
    const helping = setInterval(() => {
      this.#world.openGate();
      if (this.#handle.state === 'disposed' || this.#world.isGone) this.#world.timePasses(LOOK_MS);
    }, 2);
    const isSettled = await this.#world.settles(settled);
    clearInterval(helping);
    return isSettled;
  }

  #pendingNames(): string {
    return this.model
      .pending()
      .map(({ name }) => name)
      .join(', ');
  }

  async #end(): Promise<void> {
    const handle = this.#handle;
    const wasAlive = await this.#isAlive();
    // Calls wait for a worker that is not replaced until it is disposed of.
    if (this.model.faults.length > 0 || handle.state === 'stalled') return;
    // Calls that the walk did not wait for.
    const others = this.model.calls.filter(({ name }) => name !== 'never');
    const settled = Promise.all(others.map((call) => call.settled));
    if (!(await this.#untilSettled(settled))) {
      this.model.fault(
        `although it ${wasAlive ? 'alive' : 'is over'} these are pending: ${this.#pendingNames()}`,
      );
    }
    // Late faults may have struck since.
    if (!wasAlive || this.model.faults.length > 0 || !(await this.#isAlive())) return;
    const { tick } = handle.stats();
    // The page detects that a worker has recovered when it checks.
    this.#world.timePasses(LOOKS_MS);
    if (handle.state !== 'paused') this.model.fault(`it was paused, and is ${handle.state}`);
    await this.#world.advance(20);
    if (handle.stats().tick !== tick) this.model.fault('it was paused, and has continued');
    this.#checkSettings();
    const stepped = await this.#ask(() => handle.step(3));
    if (stepped !== undefined && stepped !== tick + 3) {
      this.model.fault(`three steps after tick ${tick} ended at ${stepped}`);
    }
    const done = await this.#ask(() => handle.queries.done());
    if (done === undefined) return;
    this.model.noteRefused(handle.stats().refusedInputs);
    this.model.checkDone(done);
    await this.#checkRecording(done);
  }

  async #ask<T>(make: () => Promise<T>): Promise<T | undefined> {
    let answer: T | undefined;
    const call = this.model.follow('question at the end', async () => {
      answer = await make();
    });
    await this.#world.settles(call.settled);
    if (answer === undefined)
      this.model.fault(`it is paused, and does not answer: ${String(call.reason)}`);
    return answer;
  }

  /** The last of the executed ones is in effect. */
  #checkSettings(): void {
    const stats = this.#handle.stats();
    for (const name of ['tickRateHz', 'timeScale'] as const) {
      const of = this.#walker.settings.filter((setting) => setting.name === name);
      const last = of.findLast(({ call }) => call.outcome === 'done' || isStopped(call));
      const wanted = last?.value ?? this.#walk.options[name];
      if (stats[name] !== wanted) {
        this.model.fault(`${name} was set to ${wanted}, and is ${stats[name]}`);
      }
    }
  }

  /** The recording leads to where the run is. */
  async #checkRecording(done: readonly number[]): Promise<void> {
    const recording = this.#walker.recording();
    if (recording === undefined) return;
    const { tick } = this.#handle.stats();
    if (recording.lastTick !== tick)
      this.model.fault(`its recording ends at ${recording.lastTick}, and it is at ${tick}`);
    const read = decodeRecording(encodeRecording(recording));
    // The run is replayed immediately, whatever its steps have cost.
    const simulation = createCounting(this.#walk, () => {});
    const report = await replay(simulation, read);
    const again = simulation.queries?.done() ?? [];
    if (report.differsAt !== undefined)
      this.model.fault(`its recording differs at tick ${report.differsAt}`);
    if (report.hashes === 0) this.model.fault('its recording has no hashes');
    if (String(again) !== String(done)) {
      this.model.fault(`its recording leads to ${again.join(' ')}, and it is at ${done.join(' ')}`);
    }
  }
}
