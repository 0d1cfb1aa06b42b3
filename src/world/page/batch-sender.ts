/**
 * Sends what the page changes in one turn as one timed batch, in order, and notes when a state shows it:
 *
 *     turn of the page ──▶ open batch ──▶ microtask: record ──▶ tick n ──▶ answer: n, ids of new bodies
 *                              ▲    │                                     └▶ state n: handles read it, not what was written
 *                              └────┘ while the worker takes none
 *
 * A batch is not sent while much is unanswered, a replay is shown or the queue is full: later turns change the same open batch,
 * which has the last value of each setting and the sum of each push. So what waits has a size that does not depend on how long.
 */
import type { BatchedHandle } from '../../render-main/api/simulation-handle.js';
import type { AssetStore } from '../../render-main/session/page-assets.js';
import { reportUncaught } from '../../render-main/util/page-errors.js';
import type { AssetName } from '../../shared/recording/asset.js';
import { ByteWriter } from '../../shared/util/bytes.js';
import { QueueFullError } from '../../shared/util/errors.js';
import { writeBatch } from '../shared/batch-codec.js';
import { type NameGeometry, GeometryNames } from '../shared/shape-data.js';
import {
  AFTER_STEP,
  BATCH_PROBLEM,
  BEFORE_STEP,
  CAPACITY,
  MOST_TICKS,
  type AppliedBatch,
  type BatchProblem,
  type BatchTiming,
  type StepTiming,
  WITHIN_TICK,
  type WorldBatch,
} from '../shared/world-batch.js';
import type { RunningTick } from '../worker/page-hooks.js';
import { KIND_NAMES, type Kind } from '../shared/setting-tables.js';
import { OpenBatch } from './open-batch.js';
import type { WorldHandle } from './world-handle.js';

interface Batch {
  readonly number: number;
  readonly timing: BatchTiming;
  readonly contents: WorldBatch;
  /** How many changes it has, and one for itself. */
  readonly size: number;
  /** NaN until it is answered. */
  tick: number;
}

/** A thousand bodies that are moved in each of eight frames. A tick mostly takes what one to three frames have changed. */
const MOST_UNANSWERED = 8192;
/** Most batches of callbacks of steps that wait for the queue: those of the ticks that are given in advance. */
const MOST_WAITING = 2 * MOST_TICKS;
/** Most batches that are answered and that no state shows: while nothing is drawn, none is shown. */
const MOST_UNSHOWN = 64;

/** How messages name parts of an application. */
export interface WorldNames {
  /** The function or component that has the option `capacity`. */
  readonly capacityOf: string;
  readonly nameOf: (kind: string, handle: number) => string;
}

export class BatchSender {
  names: WorldNames = {
    capacityOf: 'createWorld',
    nameOf: (kind, handle) => `the ${kind} with the handle ${handle}`,
  };
  /** Called when something is changed, once in each turn of the page. */
  onChange: (() => void) | undefined;
  /** Called when the worker has not applied all of a batch: what it has must be asked for. */
  onLost: (() => void) | undefined;
  readonly #onApplied: (batch: AppliedBatch) => void;
  #simulation: WorldHandle | undefined;
  #geometries: Geometries | undefined;
  #open = new OpenBatch();
  #openNumber = 1;
  #shownNumber = 0;
  #isScheduled = false;
  /** Whether the open batch has nothing but what is held back. */
  #isHeldBack = false;
  /** Batches that no state shows yet, in order. */
  readonly #sent: Batch[] = [];
  /** Batches that a full queue or a replay has refused, and those behind them, in order. */
  readonly #waiting: Batch[] = [];
  /** The size of those that are sent and not answered. */
  #unanswered = 0;
  /** From which size on no other is sent. Tests lower it. */
  mostUnanswered = MOST_UNANSWERED;
  /** Whether callbacks before a step have changed something: what those after it change is for the same tick. */
  #hasTick = false;
  /** Whether callbacks after a step have: in the worker, that waits for the next call, which is sent even if it changes nothing. */
  #isAfterWaiting = false;
  /** The last batch that was not applied within a tick. */
  #last: Batch | undefined;
  /** Used again: hooks of a tick may write thousands of batches. */
  readonly #out = new ByteWriter();
  /** The changes that are applied within the tick that runs. */
  #within: Batch | undefined;
  /** Made once: each frame sends what waits, and a function that is made there would be its garbage. */
  readonly #nameGeometry: NameGeometry = (numbers) => this.#geometries?.add(numbers);

  /** @param onApplied Given the answer to each batch. */
  constructor(onApplied: (batch: AppliedBatch) => void) {
    this.#onApplied = onApplied;
  }

  /** Number of the batch that is open, from 1. */
  get openNumber(): number {
    return this.#openNumber;
  }

  /** Number of the newest batch whose effects the newest state has; 0: none. */
  get shownNumber(): number {
    return this.#shownNumber;
  }

  /** Whether something was changed that the newest state does not have. */
  get isPending(): boolean {
    return this.#sent.length > 0 || !(this.#isHeldBack || this.#open.isEmpty);
  }

  /** The open batch, to be changed; it is sent when the page's turn ends. */
  change(): OpenBatch {
    this.#isHeldBack = false;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      this.onChange?.();
      queueMicrotask(() => {
        this.#isScheduled = false;
        this.flush();
      });
    }
    return this.#open;
  }

  /** Sends what was changed until now, and from now on. */
  start(simulation: WorldHandle, geometries: Geometries): void {
    this.#simulation = simulation;
    this.#geometries = geometries;
    const reporting = simulation as WorldHandle<{ readonly [BATCH_PROBLEM]: BatchProblem }>;
    reporting.on(BATCH_PROBLEM, ({ value }) => this.#report([value]), { when: 'now' });
    this.flush();
  }

  stop(): void {
    this.#simulation = undefined;
  }

  /**
   * Forgets the batches that the newest state has.
   *
   * @param newestTick The tick of the state that is read from now on.
   * @param lastBatch The last one that it has, as far as it says so: it may be known before the answer arrives.
   */
  confirmUntil(newestTick: number, lastBatch = 0): void {
    for (
      let first = this.#sent[0];
      first !== undefined && (first.tick <= newestTick || first.number <= lastBatch);
      first = this.#sent[0]
    ) {
      this.#shownNumber = first.number;
      this.#sent.shift();
    }
  }

  /** The run has jumped: what was applied before is part of what the worker has, or never was. */
  confirmApplied(): void {
    this.confirmUntil(Number.POSITIVE_INFINITY);
  }

  /** The changes of the page that the state of a tick does not have, in order. */
  pendingAfter(tick: number): WorldBatch[] {
    const pending = this.#sent.filter((batch) => Number.isNaN(batch.tick) || batch.tick > tick);
    return [...pending.map(({ contents }) => contents), this.#open.contents()];
  }

  /**
   * Sends what was changed until now, unless it has to wait: then later changes join it.
   *
   * @param callbacks What has changed it: callbacks for the time before the step of a tick, or those after it, which follow.
   *   Undefined: anything else.
   */
  flush(callbacks?: StepTiming): void {
    const simulation = this.#simulation;
    // A replay has no ticks for it.
    if (simulation === undefined || simulation.replay !== undefined) return;
    this.#sendWaiting(simulation);
    const held = this.#open.takeWaiting();
    this.#flushOpen(callbacks);
    this.#putBack(held);
    this.#sendWaiting(simulation);
  }

  #flushOpen(callbacks: StepTiming | undefined): void {
    const { isEmpty } = this.#open;
    if (callbacks === undefined) {
      const isTaken = this.#waiting.length === 0 && this.#unanswered < this.mostUnanswered;
      if (!isEmpty && isTaken) this.#close(0);
    } else if (this.#waiting.length >= MOST_WAITING) return;
    else if (callbacks === 'before') {
      this.#hasTick = !isEmpty;
      if (!isEmpty) this.#close(BEFORE_STEP);
    } else {
      const ownTick = this.#hasTick ? 0 : BEFORE_STEP;
      if (!isEmpty) this.#close((ownTick + AFTER_STEP) as BatchTiming);
      else if (this.#isAfterWaiting && !this.#hasTick) this.#close(BEFORE_STEP);
      this.#isAfterWaiting = !isEmpty;
    }
  }

  /**
   * Applies what was changed until now in a tick that runs: hooks of the page have changed it. Not if an earlier batch is still
   * to be taken, because none may overtake another.
   */
  applyWithin(running: RunningTick, timing: StepTiming): void {
    const held = this.#open.takeWaiting();
    this.#applyOpen(running, timing);
    this.#putBack(held);
  }

  #putBack(held: OpenBatch | undefined): void {
    if (held === undefined) return;
    this.#isHeldBack = this.#open.isEmpty;
    held.moveTo(this.#open);
  }

  #applyOpen(running: RunningTick, timing: StepTiming): void {
    if (this.#open.isEmpty) return;
    const last = this.#last;
    const isTaken = last === undefined || last.tick >= 0 || last.number <= running.lastBatch;
    if (!isTaken || this.#waiting.length > 0) {
      this.flush();
      return;
    }
    const contents = this.#takeOpen();
    if (this.#within === undefined) {
      this.#within = {
        number: this.#openNumber,
        timing: 0,
        contents,
        size: 0,
        tick: running.tick,
      };
      this.#sent.push(this.#within);
    }
    const out = this.#out;
    // With all geometry in it: an asset would come after the tick.
    writeBatch(out, contents, () => undefined, WITHIN_TICK[timing]);
    const { ids, problems } = running.apply(out.take());
    this.#onApplied({ tick: running.tick, ids, problems });
    this.#report(problems);
  }

  /** Whether an item was removed and the newest state does not know. */
  removes(kind: Kind, handle: number): boolean {
    return this.pendingAfter(Number.NEGATIVE_INFINITY).some(({ removed }) =>
      removed[kind].includes(handle),
    );
  }

  /** Whether an item was changed that is still to be sent. */
  changes(kind: Kind, handle: number): boolean {
    return this.#open.changes(kind, handle);
  }

  /** Whether what was changed until now makes no difference to a body. */
  leavesBody(handle: number): boolean {
    return this.#open.leavesBody(handle);
  }

  /** Ends what {@link applyWithin} has begun: all of it has one number. */
  endWithin(): void {
    if (this.#within === undefined) return;
    this.#within = undefined;
    this.#openNumber += 1;
  }

  #close(timing: BatchTiming): void {
    const [number, contents] = [this.#openNumber, this.#takeOpen()];
    this.#last = { number, timing, contents, size: sizeOf(contents), tick: Number.NaN };
    this.#openNumber += 1;
    this.#sent.push(this.#last);
    this.#waiting.push(this.#last);
  }

  #takeOpen(): WorldBatch {
    const { world, ...contents } = this.#open.contents();
    this.#open = new OpenBatch();
    return { ...contents, world: { ...world, batch: this.#openNumber } };
  }

  #sendWaiting(simulation: WorldHandle): void {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting[0] as Batch;
      const { contents, timing } = batch;
      const answer = (simulation as WorldHandle & BatchedHandle).applyBatch((out) =>
        writeBatch(out, contents, this.#nameGeometry, timing),
      );
      // None may overtake an earlier one.
      if (answer === undefined) return;
      this.#waiting.shift();
      this.#unanswered += batch.size;
      answer.then(
        (applied) => this.#onAnswer(batch, applied as AppliedBatch),
        (error: unknown) => this.#onError(simulation, batch, error),
      );
    }
  }

  #onAnswer(batch: Batch, applied: AppliedBatch): void {
    batch.tick = applied.tick;
    this.#unanswered -= batch.size;
    const [, second] = this.#sent;
    // Shown with the next one. Their contents are in what the worker has.
    if (this.#sent.length > MOST_UNSHOWN && second !== undefined && second.tick >= 0) {
      this.#sent.shift();
    }
    this.#onApplied(applied);
    this.#report(applied.problems);
    // The turn that changes it sends it.
    if (!this.#isScheduled) this.flush();
  }

  #onError(simulation: WorldHandle, batch: Batch, error: unknown): void {
    this.#unanswered -= batch.size;
    // A later worker has no room for it.
    if (error instanceof QueueFullError) {
      this.#waiting.push(batch);
      this.#waiting.sort((a, b) => a.number - b.number);
      return;
    }
    // No state will show this batch: let states be read again.
    batch.tick = 0;
    reportUnlessOver(simulation, error);
    this.onLost?.();
  }

  #report(problems: readonly BatchProblem[]): void {
    const { capacityOf, nameOf } = this.names;
    const counts = new Map<string, number>();
    for (const { text } of problems) counts.set(text, (counts.get(text) ?? 0) + 1);
    for (const { item, text } of problems) {
      const count = counts.get(text);
      // A thousand bodies that get no slot are one error.
      if (count === undefined) continue;
      counts.delete(text);
      const more = count > 1 ? ` (and ${count - 1} more like it)` : '';
      const about = item === undefined ? '' : `${nameOf(...item)}: `;
      const said = text.replace(CAPACITY, `${CAPACITY} of ${capacityOf}`);
      reportUncaught(new RangeError(`${about}${said}${more}`));
    }
    if (problems.length > 0) this.onLost?.();
  }
}

function sizeOf({ removed, changed }: WorldBatch): number {
  let size = 1;
  for (const kind of KIND_NAMES) size += removed[kind].length + changed[kind].length;
  return size;
}

/** Reports an error as uncaught, unless the simulation has ended: its status reports that. */
export function reportUnlessOver(simulation: WorldHandle, error: unknown): void {
  if (simulation.state !== 'failed' && simulation.state !== 'disposed') reportUncaught(error);
}

/** Fewer numbers are sent with each shape. */
const MIN_LENGTH = 32;

/** Makes assets of the geometry of shapes. */
export class Geometries extends GeometryNames {
  readonly #assets: AssetStore;

  constructor(assets: AssetStore) {
    super((name) => assets.get(name));
    this.#assets = assets;
  }

  /**
   * Makes an asset of an array that never changes: a description has copies of what an application gives it, and is the
   * same for all of its colliders. So each is hashed once.
   *
   * @returns Undefined if the numbers are few.
   */
  add(numbers: Float32Array | Uint32Array): AssetName | undefined {
    if (numbers.length < MIN_LENGTH) return undefined;
    const name = this.nameOf(numbers) ?? this.#assets.add(numbers);
    this.setName(numbers, name);
    return name;
  }
}
