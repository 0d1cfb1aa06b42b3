/** Tells the page everything that decides how the run goes, before it does. */
import type { JournalItem, JournalMessage } from '../../shared/protocol/control-protocol.js';
import type { RunDescription, SavedState } from '../../shared/recording/recording.js';
import type { TickInputs } from '../../shared/input/tick-inputs.js';

export interface Journal {
  /** Messages sent so far. */
  readonly sent: number;
  add(item: JournalItem): void;
  /** Sends what was added. Before each step, so that the page knows what a step was given even if it never ends. */
  flush(): void;
}

/** By message: never lost, however far behind the page is, and delivered though this thread may hang next. */
export class MessageJournal implements Journal {
  readonly #post: (message: JournalMessage, transfer: Transferable[]) => void;
  #items: JournalItem[] = [];
  sent = 0;

  constructor(post: (message: JournalMessage, transfer: Transferable[]) => void) {
    this.#post = post;
  }

  add(item: JournalItem): void {
    this.#items.push(item);
  }

  flush(): void {
    if (this.#items.length === 0) return;
    this.sent += 1;
    const items = this.#items;
    this.#items = [];
    const transfer = items.flatMap((item) =>
      item.kind === 'state' ? [item.state.bytes.buffer as ArrayBuffer] : [],
    );
    this.#post({ type: 'betwixt:journal', items }, transfer);
  }
}

/** How often what is recorded beside the inputs. */
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
  #sentDt = Number.NaN;

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
    this.#sentDt = Number.NaN;
  }

  recordRestart(run: RunDescription, restarts: number): void {
    this.forgetStep();
    const journal = this.#current;
    journal?.add({ kind: 'restart', run, restarts });
    journal?.flush();
  }

  /** Before the step: it may never end. */
  recordTick(tick: number, dt: number, { inputs, commands }: TickInputs): void {
    const journal = this.#current;
    if (journal === undefined) return;
    if (dt !== this.#sentDt) {
      this.#sentDt = dt;
      journal.add({ kind: 'step', tick, dt });
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
  recordState(tick: number, hash: () => string, save: (() => SavedState) | undefined): void {
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
