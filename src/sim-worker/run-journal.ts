/** What a run tells the page of each tick, or does not while it does what the page knows. */
import type { RunDescription, SavedState } from '../shared/recording.js';
import type { TickOrders } from '../shared/tick-orders.js';
import type { Journal } from './journal.js';

export interface JournalIntervals {
  /** A hash every so many ticks; 0: none. */
  readonly hashEveryTicks: number;
  /** A saved state every so many ticks; 0: none. */
  readonly saveEveryTicks: number;
}

export class RunJournal {
  readonly #journal: Journal | undefined;
  readonly #intervals: JournalIntervals;
  #isOn = true;
  /** The step that was told last; NaN: none that still counts. */
  #toldStepS = Number.NaN;

  /** @param journal Undefined: nobody is told. */
  constructor(journal: Journal | undefined, intervals: JournalIntervals) {
    this.#journal = journal;
    this.#intervals = intervals;
  }

  /** Messages to the page so far. */
  get sent(): number {
    return this.#journal?.sent ?? 0;
  }

  setOn(isOn: boolean): void {
    this.#isOn = isOn;
    this.forgetStep();
  }

  /** The next tick tells its step again: the recording goes on from somewhere else. */
  forgetStep(): void {
    this.#toldStepS = Number.NaN;
  }

  tellRestart(run: RunDescription, restarts: number): void {
    this.forgetStep();
    const journal = this.#current;
    journal?.add({ kind: 'restart', run, restarts });
    journal?.flush();
  }

  /** Before the step: it may never end. */
  tellOrders(tick: number, stepS: number, { inputs, commands }: TickOrders): void {
    const journal = this.#current;
    if (journal === undefined) return;
    if (stepS !== this.#toldStepS) {
      this.#toldStepS = stepS;
      journal.add({ kind: 'step', tick, stepS });
    }
    for (const { name, args, call } of commands) {
      journal.add({ kind: 'command', tick, name, args, call });
    }
    for (const input of inputs) journal.add({ kind: 'input', tick, input });
    journal.flush();
  }

  /**
   * After the step, on the ticks that it is told of.
   *
   * @param save Undefined: the simulation cannot be saved.
   */
  tellState(tick: number, hash: () => string, save: (() => SavedState) | undefined): void {
    const journal = this.#current;
    if (journal === undefined) return;
    const { hashEveryTicks, saveEveryTicks } = this.#intervals;
    if (hashEveryTicks > 0 && tick % hashEveryTicks === 0) {
      journal.add({ kind: 'hash', tick, hash: hash() });
    }
    if (saveEveryTicks > 0 && tick % saveEveryTicks === 0 && save !== undefined) {
      journal.add({ kind: 'state', state: save() });
    }
    journal.flush();
  }

  get #current(): Journal | undefined {
    return this.#isOn ? this.#journal : undefined;
  }
}
