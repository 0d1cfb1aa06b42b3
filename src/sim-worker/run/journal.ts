/** Records everything that determines a run, before it takes effect. */
import type { JournalItem, KeptReport } from '../../shared/protocol/control-protocol.js';
import type { RunDescription, SavedState } from '../../shared/recording/recording.js';
import type { TickInputs } from '../../shared/input/tick-inputs.js';

/** How often hashes and states are recorded. */
export interface JournalIntervals {
  /** Ticks between hashes; 0: none. */
  readonly hashEveryTicks: number;
  /** Ticks between saved states; 0: none. */
  readonly saveEveryTicks: number;
}

/** The part of a run that the journal reads after a tick. */
interface JournaledRun {
  readonly tick: number;
  readonly canSave: boolean;
  hash(): string;
  save(): SavedState;
}

/** Keeps states of a run in memory; see kept-states.ts. */
interface StateKeeper {
  beforeTick(): void;
  afterTick(): KeptReport | undefined;
}

export class RunJournal {
  readonly #send: (items: JournalItem[]) => void;
  readonly #intervals: JournalIntervals;
  #items: JournalItem[] = [];
  #isOn = true;
  /** The time step sent last; NaN: it must be sent again. */
  #sentDt = Number.NaN;
  /** How often something was sent. */
  sent = 0;
  /** Keeps states for going back. Default: none are kept. */
  keeper: StateKeeper | undefined;

  /** @param send Receives the items recorded since the last call, at least one. */
  constructor(send: (items: JournalItem[]) => void, intervals: JournalIntervals) {
    this.#send = send;
    this.#intervals = intervals;
  }

  /** Turns it off or on: a replay need not be recorded. */
  setOn(isOn: boolean): void {
    this.#isOn = isOn;
    this.forgetStep();
  }

  /** The next tick sends its time step again, because the recording continues elsewhere. */
  forgetStep(): void {
    this.#sentDt = Number.NaN;
  }

  recordRestart(run: RunDescription, restarts: number): void {
    if (!this.#isOn) return;
    this.forgetStep();
    this.#items.push({ kind: 'restart', run, restarts });
    this.#flush();
  }

  /** Called before the step: even if it never ends, its inputs are sent. */
  recordTick(tick: number, dt: number, { inputs, commands }: TickInputs): void {
    if (!this.#isOn) return;
    if (dt !== this.#sentDt) {
      this.#sentDt = dt;
      this.#items.push({ kind: 'step', tick, dt });
    }
    for (const command of commands) {
      this.#items.push({ ...command, tick });
    }
    for (const input of inputs) this.#items.push({ kind: 'input', tick, input });
    this.#flush();
    this.keeper?.beforeTick();
  }

  /** Called after the step, before its state is published: a recording that has the state has what was changed within it. */
  recordBatches(tick: number, batches: readonly Uint8Array[]): void {
    if (!this.#isOn) return;
    for (const bytes of batches) this.#items.push({ kind: 'batch', bytes, call: 0, tick });
    this.#flush();
  }

  /** Called after the step. */
  recordState(run: JournaledRun): void {
    if (!this.#isOn) return;
    const { tick } = run;
    const { hashEveryTicks, saveEveryTicks } = this.#intervals;
    // First: what follows is not part of the step.
    const kept = this.keeper?.afterTick();
    if (hashEveryTicks > 0 && tick % hashEveryTicks === 0) {
      this.#items.push({ kind: 'hash', tick, hash: run.hash() });
    }
    if (saveEveryTicks > 0 && tick % saveEveryTicks === 0 && run.canSave) {
      this.#items.push({ kind: 'state', state: run.save() });
    }
    if (kept !== undefined) this.#items.push(kept);
    this.#flush();
  }

  #flush(): void {
    if (this.#items.length === 0) return;
    const items = this.#items;
    this.#items = [];
    this.sent += 1;
    this.#send(items);
  }
}

/** The bytes of the states among the items: transferred, not copied. */
export const bytesIn = (items: readonly JournalItem[]): ArrayBuffer[] =>
  items.flatMap((item) => (item.kind === 'state' ? [item.state.bytes.buffer as ArrayBuffer] : []));
