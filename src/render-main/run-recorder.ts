/**
 * What decided the run so far, as the worker told it: the page's own copy, so it is there when the worker is not.
 *
 *     entries   ──●──●─●────●───●●──●──▶
 *     states    ■         ■         ■          the newest few seconds of them, for going back
 */
import type { JournalItem, ReplayOrder } from '../shared/control-protocol.js';
import type { Recording, RecordingEntry, RunDescription, SavedState } from '../shared/recording.js';

/** Beyond so many entries a recording ends: at sixty inputs a second, some hours. */
const MOST_ENTRIES = 1_000_000;

export class RunRecorder {
  /** States older than this many ticks before the newest one are forgotten. */
  readonly #keptTicks: () => number;
  #run: RunDescription | undefined;
  #restarts = 0;
  #start: SavedState | undefined;
  #entries: RecordingEntry[] = [];
  #states: SavedState[] = [];
  #isFull = false;
  /** States between the start and the first that is kept. */
  #hasForgotten = false;

  constructor(keptTicks: () => number) {
    this.#keptTicks = keptTicks;
  }

  get run(): RunDescription | undefined {
    return this.#run;
  }

  /** How often a query has started the run over, as far as is known here. */
  get restarts(): number {
    return this.#restarts;
  }

  /** There was more than a recording holds: what came later is missing. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Earliest tick that is reached by replaying from one saved state to the next at most. */
  get earliestTick(): number {
    const start = this.#start?.tick ?? 0;
    return this.#hasForgotten ? (this.#states[0]?.tick ?? start) : start;
  }

  add(items: readonly JournalItem[]): void {
    for (const item of items) {
      if (item.kind === 'restart') {
        this.#restarts = item.restarts;
        this.#begin(item.run, undefined);
      } else if (item.kind === 'state') this.#addState(item.state);
      else this.#addEntry(item);
    }
  }

  /** The run goes on from a state that is no part of it. */
  startFrom(run: RunDescription, state: SavedState): void {
    this.#begin(run, state);
  }

  /** Takes over a whole recording: the run goes on from where it ends. */
  adopt(recording: Recording): void {
    this.#begin(recording.run, recording.start);
    this.#entries = withoutCalls(recording.entries);
    this.#states = [...recording.states];
  }

  /** Forgets everything after a tick: the run goes on from there another way. */
  truncate(tick: number): void {
    const before = this.#entries.length;
    this.#entries = this.#entries.filter((entry) => entry.tick <= tick);
    // What was not kept came after everything that was.
    if (this.#entries.length < before) this.#isFull = false;
    this.#states = this.#states.filter((state) => state.tick <= tick);
  }

  /** Entries of one tick: what a step that never ended was given. */
  entriesOf(tick: number): RecordingEntry[] {
    return this.#entries.filter((entry) => entry.tick === tick);
  }

  /** @param lastTick Number of the newest tick: ticks without entries are not told of. */
  recording(lastTick: number): Recording {
    if (this.#run === undefined) throw new Error('nothing has been recorded yet');
    return {
      run: this.#run,
      start: this.#start,
      lastTick,
      entries: this.#entries.filter((entry) => entry.tick <= lastTick),
      states: this.#states.filter((state) => state.tick <= lastTick),
    };
  }

  #begin(run: RunDescription, start: SavedState | undefined): void {
    this.#run = run;
    this.#start = start;
    this.#entries = [];
    this.#states = [];
    this.#isFull = false;
    this.#hasForgotten = false;
  }

  #addEntry(entry: RecordingEntry): void {
    if (this.#entries.length >= MOST_ENTRIES) this.#isFull = true;
    else this.#entries.push(entry);
  }

  #addState(state: SavedState): void {
    this.#states.push(state);
    const keptTicks = this.#keptTicks();
    // One from before the kept ticks stays: all of them can be reached from it.
    while ((this.#states[1]?.tick ?? Number.POSITIVE_INFINITY) <= state.tick - keptTicks) {
      this.#states.shift();
      this.#hasForgotten = true;
    }
  }
}

/** Entries of a recording, whose calls nobody waits for here: their numbers may be another page's. */
export function withoutCalls(entries: readonly RecordingEntry[]): RecordingEntry[] {
  return entries.map((entry) => (entry.kind === 'command' ? { ...entry, call: 0 } : entry));
}

/**
 * What it takes to go to a tick of a recording: from the nearest saved state before it.
 *
 * @param shownUntil The recording is shown from there on, up to this tick. Undefined: the run goes on with the page's inputs.
 */
export function stretchTo(recording: Recording, tick: number, shownUntil?: number): ReplayOrder {
  const from = recording.states.findLast((state) => state.tick <= tick) ?? recording.start;
  const begin = from?.tick ?? 0;
  return {
    run: recording.run,
    from,
    // The steps of all ticks before are kept: which one holds at the beginning is among them.
    entries: recording.entries.filter(
      (entry) =>
        entry.tick <= (shownUntil ?? tick) && (entry.tick > begin || entry.kind === 'step'),
    ),
    untilTick: tick,
    shownUntil,
  };
}
