/**
 * The possible observations of a walk. Each input and each command has a number, and the simulation
 * keeps the list of those that it received, so the model says of each number whether it must be in
 * it, must not, or may.
 */
type Presence = 'must' | 'may' | 'never';

export interface TrackedCall {
  readonly name: string;
  /** Number of a command or an input; 0: it has none. */
  readonly id: number;
  /** The calls that may have moved the run when it was made. */
  readonly travels: number;
  outcome: 'pending' | 'done' | 'rejected';
  /** Why it was rejected. */
  reason: unknown;
  settled: Promise<void>;
}

/** The caller no longer waits, and the call may run. */
const STOPPED = /^Error: stopped during the call$/;
export const isStopped = ({ reason }: TrackedCall): boolean => STOPPED.test(String(reason));

/** Reasons with which a call may reject, of those that the documents name. */
const REASONS: readonly RegExp[] = [
  /^SimulationDisposedError: the simulation was disposed/,
  /^WorkerFailedError: the worker thread ended by itself/,
  /^WorkerFailedError: the worker has (been in one step|not answered) for .* It was given up/,
  /^WorkerFailedError: the worker did not answer and was replaced/,
  // A run that cannot be saved is repeated from its beginning, at up to 4 ms a tick.
  /^WorkerFailedError: the worker did not reach tick ([5-9]\d{3}|\d{5,}) within 30000 ms/,
  /^Error: the worker was replaced before it answered/,
  /^WorkerFailedError: the simulation threw in tick \d+( of the recording)?: (made to fail once|poisoned by \d+)/,
  /^WorkerFailedError: the command "\w+" was skipped because tick \d+ failed again with it/,
  /^Error: (made to fail once|poisoned by \d+)$/,
  STOPPED,
  /^Error: stopped before the call$/,
  /^RangeError: (made to throw by \d+|refused on request)$/,
  /^QueueFullError: /,
  /^ReplayShownError: /,
  /^RangeError: tick must be a whole number/,
  /^RangeError: maxCatchUpTicks bounds only the loop 'fixed'/,
  /^Error: another replay was opened before/,
  /^Error: a query restarted the run$/,
  /^Error: step needs a paused simulation/,
  /^Error: the step ended with \d+ ticks to go: /,
  /^Error: the recording that is shown is at its end/,
  /^Error: a recording is shown: replay\.seek/,
  /^Error: this replay is closed: /,
  /^Error: the run is not recorded/,
  /^Error: the simulation cannot be saved/,
  /^Error: the simulation cannot start a recorded run in a worker that has run already/,
];

/** The reason among those of a command that was executed nevertheless. */
const DONE = /^RangeError: made to throw/;

const REFUSED = /^(QueueFullError|ReplayShownError): /;

export class WalkModel {
  readonly calls: TrackedCall[] = [];
  readonly faults: string[] = [];
  /** Calls that move the run: made and ended, both counted. */
  travels = 0;
  /** Travels that have not ended. */
  travelling = 0;
  /** A tick's inputs were dropped. */
  hasSkipped = false;
  readonly #inputs: { readonly id: number; readonly isTaken: boolean; readonly travels: number }[] =
    [];
  /** Inputs that a worker may have taken with it. */
  readonly #mayBeLost = new Set<number>();
  #lastTick = 0;
  #lastTravels = -1;

  fault(message: string): void {
    this.faults.push(message);
  }

  /** Follows a call, from the moment at which it is made. */
  follow(
    name: string,
    make: () => Promise<unknown>,
    { id = 0, isTravel = false } = {},
  ): TrackedCall {
    if (isTravel) {
      this.travels += 1;
      this.travelling += 1;
    }
    const travels = this.travelling > 0 ? Number.NaN : this.travels;
    const settled = Promise.resolve();
    const call: TrackedCall = {
      name,
      id,
      travels,
      outcome: 'pending',
      reason: undefined,
      settled,
    };
    this.calls.push(call);
    const end = (): void => {
      if (!isTravel) return;
      this.travels += 1;
      this.travelling -= 1;
    };
    call.settled = begin(make).then(
      () => {
        this.#settle(call, 'done');
        end();
      },
      (reason: unknown) => {
        this.#settle(call, 'rejected', reason);
        end();
      },
    );
    return call;
  }

  noteInput(id: number, isTaken: boolean): void {
    const travels = this.travelling > 0 ? Number.NaN : this.travels;
    this.#inputs.push({ id, isTaken, travels });
  }

  /**
   * A thread was terminated from outside: what it had taken from the queue and not yet reported is
   * lost. No failure from within strikes there.
   *
   * @param reported Inputs that it had reported.
   */
  noteTermination(reported: ReadonlySet<number>): void {
    for (const { id } of this.#inputs) if (!reported.has(id)) this.#mayBeLost.add(id);
  }

  /** @param refused Inputs and commands that had no room, also those with which a worker began: a full queue loses inputs. */
  noteRefused(refused: number): void {
    const inputs = this.#inputs.filter(({ isTaken }) => !isTaken).length;
    const calls = this.calls.filter(({ reason }) => REFUSED.test(String(reason))).length;
    if (refused > inputs + calls) this.hasSkipped = true;
  }

  /** Ticks go back only by calls that move the run. */
  lookAt(tick: number, isShown: boolean): void {
    const isFree = isShown || this.travelling > 0 || this.#lastTravels !== this.travels;
    if (!isFree && tick < this.#lastTick) {
      this.fault(`the newest tick went from ${this.#lastTick} to ${tick} by itself`);
    }
    this.#lastTick = tick;
    // While it is shown anything may come next.
    this.#lastTravels = isShown ? -1 : this.travels;
  }

  pending(): TrackedCall[] {
    return this.calls.filter(({ outcome }) => outcome === 'pending');
  }

  /** Compares what the run received with the calls. */
  checkDone(done: readonly number[]): void {
    const times = new Map<number, number>();
    for (const id of done) times.set(id, (times.get(id) ?? 0) + 1);
    for (const [id, count] of times) if (count > 1) this.fault(`${id} was done ${count} times`);
    const made: number[] = [];
    for (const call of this.calls) {
      if (call.id === 0) continue;
      this.#checkPresence(`${call.name} ${call.id}`, this.#presenceOf(call), times.has(call.id));
      made.push(call.id);
    }
    for (const input of this.#inputs) {
      const isGone = this.#mayBeLost.has(input.id);
      const may = input.travels !== this.travels || this.hasSkipped || isGone;
      const presence = !input.isTaken ? 'never' : may ? 'may' : 'must';
      this.#checkPresence(`input ${input.id}`, presence, times.has(input.id));
      times.delete(input.id);
    }
    const order = done.filter((id) => made.includes(id));
    if (order.some((id, index) => id < (order[index - 1] ?? 0))) {
      this.fault(`commands were done in another order: ${order.join(' ')}`);
    }
  }

  /**
   * While there is a simulation, a command that rejects has no effect, unless its signal was aborted:
   * those of a worker that fails go to the next one.
   */
  #presenceOf(call: TrackedCall): Presence {
    const { outcome, reason, travels } = call;
    if (outcome === 'pending' || isStopped(call)) return 'may';
    const isDone = outcome === 'done' || DONE.test(String(reason));
    if (!isDone) return 'never';
    return travels === this.travels ? 'must' : 'may';
  }

  #checkPresence(what: string, presence: Presence, isThere: boolean): void {
    if (presence === 'must' && !isThere)
      this.fault(`${what} was done, and the run does not have it`);
    if (presence === 'never' && isThere) this.fault(`${what} was refused, and the run has it`);
  }

  #settle(call: TrackedCall, outcome: 'done' | 'rejected', reason?: unknown): void {
    if (call.outcome !== 'pending') this.fault(`${call.name} was settled twice`);
    call.outcome = outcome;
    call.reason = reason;
    if (outcome === 'rejected' && !REASONS.some((one) => one.test(String(reason)))) {
      const stack = reason instanceof Error ? reason.stack : '';
      this.fault(`${call.name} rejected for an undocumented reason: ${String(reason)} ${stack}`);
    }
  }
}

/** A synchronous error counts as a rejection. */
function begin(make: () => Promise<unknown>): Promise<unknown> {
  try {
    return make();
  } catch (error) {
    return Promise.reject(error);
  }
}
