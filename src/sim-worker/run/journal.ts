/** Sends everything that determines the run to the page, before it takes effect. */
import type { JournalItem, JournalMessage } from '../../shared/protocol/control-protocol.js';
import type { RunDescription, SavedState } from '../../shared/recording/recording.js';
import type { TickInputs } from '../../shared/input/tick-inputs.js';

export interface Journal {
  /** Messages sent so far. */
  readonly sent: number;
  add(item: JournalItem): void;
  /** Sends what was added. Called before each step, so that the page has the inputs of a step even if it never ends. */
  flush(): void;
}

/**
 * Uses messages: none is lost, however far behind the page is, and they are delivered even if this thread hangs next.
 */
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

/** How often hashes and states are recorded. */
export interface JournalIntervals {
  /** Ticks between hashes; 0: none. */
  readonly hashEveryTicks: number;
  /** Ticks between saved states; 0: none. */
  readonly saveEveryTicks: number;
}

export class RunJournal {
  readonly #journal: Journal | undefined;
  readonly #intervals: JournalIntervals;
  #isOn = true;
  /** The time step sent last; NaN: it must be sent again. */
  #sentDt = Number.NaN;

  /** @param journal Undefined: nothing is recorded. */
  constructor(journal: Journal | undefined, intervals: JournalIntervals) {
    this.#journal = journal;
    this.#intervals = intervals;
  }

  get sent(): number {
    return this.#journal?.sent ?? 0;
  }

  setOn(isOn: boolean): void {
    this.#isOn = isOn;
    this.forgetStep();
  }

  /** The next tick sends its time step again, because the recording continues elsewhere. */
  forgetStep(): void {
    this.#sentDt = Number.NaN;
  }

  recordRestart(run: RunDescription, restarts: number): void {
    this.forgetStep();
    const journal = this.#current;
    journal?.add({ kind: 'restart', run, restarts });
    journal?.flush();
  }

  /** Called before the step, which may never end. */
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
   * Called after the step. Records a hash and a state at their intervals.
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
