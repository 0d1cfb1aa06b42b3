/**
 * What decided the run so far, as the worker told it: the page's own copy, so it is there when the worker is not.
 *
 *     start ■──●──●─●────●───●●──●──────●──●──●─●─●──▶ newest tick
 *                            ■ middle       ■   ■   ■
 *                            │              └ the newest few seconds of states, for going back
 *                            └ where it begins when it is full: about half of what it holds comes after
 *
 * It holds so many bytes of entries and states. Full, it forgets what was before a saved state, which is its start from then
 * on. Where there is none, it ends with the last tick of which it has everything, and says so.
 */
import type { JournalItem } from '../../shared/protocol/control-protocol.js';
import type {
  Recording,
  RecordingEntry,
  RunDescription,
  SavedState,
} from '../../shared/recording/recording.js';
import { EntryStore } from './entry-store.js';

/** Of the limit, what it may hold after it has forgotten its beginning: it has to be worth it. */
const MAX_SHARE_AFTER = 7 / 8;
/** Of the limit, what states may take, but for the one that it starts from and the newest: entries are worth more. */
const MAX_STATES = 0.5;

export interface RecorderParts {
  /** States older than this many ticks before the newest one are forgotten. */
  readonly keptTicks: () => number;
  /** Most bytes of entries and states. */
  readonly limitBytes: number;
  /** Called when a state is of use, for {@link RunRecorder.addState}: half of what it holds has come since the last. */
  readonly onStateWanted?: () => void;
  /** Called when it is full and has no state to begin at. */
  readonly onFull?: (lastTick: number) => void;
}

export class RunRecorder {
  readonly #parts: RecorderParts;
  #run: RunDescription | undefined;
  #restarts = 0;
  #start: SavedState | undefined;
  #reportedTick = 0;
  #entries = new EntryStore();
  #states: SavedState[] = [];
  #middle: SavedState | undefined;
  #isStateWanted = false;
  #stateBytes = 0;
  #fullAt: number | undefined;
  /** While it is full: the step that was told last. */
  #dt: number | undefined;
  /** States between the start and the first that is kept. */
  #hasForgotten = false;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  get run(): RunDescription | undefined {
    return this.#run;
  }

  /** How often a query restarted the run, as far as is known here. */
  get restarts(): number {
    return this.#restarts;
  }

  /** There was more than a recording holds: the last tick of which it has everything. */
  get fullAt(): number | undefined {
    return this.#fullAt;
  }

  /** Of entries and states. */
  get bytes(): number {
    return this.#entries.bytes + this.#stateBytes;
  }

  /** Newest tick that it was told anything of: of those before it there is nothing more to tell. */
  get reportedTick(): number {
    return this.#reportedTick;
  }

  /** Tick at which it begins. */
  get startTick(): number {
    return this.#start?.tick ?? 0;
  }

  /** Earliest tick that is reached by replaying from one saved state to the next at most. */
  get earliestTick(): number {
    const { startTick } = this;
    return this.#hasForgotten ? (this.#states[0]?.tick ?? startTick) : startTick;
  }

  add(items: readonly JournalItem[]): void {
    for (const item of items) {
      if (item.kind === 'restart') {
        this.#restarts = item.restarts;
        this.startFrom(item.run, undefined);
        continue;
      }
      this.#reportedTick = item.kind === 'state' ? item.state.tick : item.tick;
      if (item.kind === 'state') this.#addReported(item.state);
      else this.#addEntry(item);
    }
    this.#askForState();
  }

  /** A state of this run after its newest tick, which was asked for. */
  addState(state: SavedState): void {
    if (this.#beginAtIfFull(state) || state.tick === this.startTick) return;
    this.#middle = state;
    this.#weighStates();
    if (!this.#makeRoom()) this.#middle = undefined;
    this.#weighStates();
  }

  /** Takes over a whole recording: the run goes on from where it ends. */
  adopt({ run, start, lastTick, entries, states }: Recording): void {
    this.startFrom(run, start);
    for (const entry of entries) {
      // Nobody waits for its calls here: their numbers may be another page's.
      this.#entries.add(entry.kind === 'command' ? { ...entry, call: 0 } : entry);
    }
    this.#states = [...states];
    this.#reportedTick = lastTick;
    this.#weighStates();
  }

  /** Forgets everything after a tick: the run goes on from there another way. */
  truncate(tick: number): void {
    if (tick <= (this.#fullAt ?? tick)) this.#fullAt = undefined;
    this.#reportedTick = Math.min(this.#reportedTick, tick);
    this.#entries.keep(Number.NEGATIVE_INFINITY, tick);
    this.#states = this.#states.filter((state) => state.tick <= tick);
    if (this.#middle !== undefined && this.#middle.tick > tick) this.#middle = undefined;
    this.#isStateWanted = false;
    this.#weighStates();
  }

  /** Entries of one tick: what a step that never ended was given. */
  entriesOf(tick: number): RecordingEntry[] {
    return this.#entries.between(tick - 1, tick).filter(({ kind }) => kind !== 'step');
  }

  /** @param lastTick Number of the newest tick: ticks without entries are not told of. */
  recording(lastTick: number): Recording {
    const recording = this.#from(this.#start, lastTick);
    return { ...recording, states: this.#kept.filter(({ tick }) => tick <= recording.lastTick) };
  }

  /** The recording up to a tick, from the nearest saved state on. */
  leadingTo(tick: number): Recording {
    return this.#from(this.#kept.findLast((state) => state.tick <= tick) ?? this.#start, tick);
  }

  #from(start: SavedState | undefined, newestTick: number): Recording {
    if (this.#run === undefined) throw new Error('nothing has been recorded yet');
    const lastTick = Math.min(newestTick, this.#fullAt ?? newestTick);
    return {
      run: this.#run,
      start,
      lastTick,
      entries: this.#entries.between(start?.tick ?? Number.NEGATIVE_INFINITY, lastTick),
      states: [],
      ...(lastTick < newestTick && { isComplete: false }),
    };
  }

  /** Begins anew: with a run, or with a state that it goes on from. */
  startFrom(run: RunDescription, start: SavedState | undefined): void {
    this.#run = run;
    this.#start = start;
    this.#reportedTick = this.startTick;
    this.#entries = new EntryStore();
    this.#states = [];
    this.#middle = undefined;
    this.#isStateWanted = false;
    this.#fullAt = undefined;
    this.#hasForgotten = false;
    this.#weighStates();
  }

  #addEntry(entry: RecordingEntry): void {
    if (this.#fullAt !== undefined) {
      if (entry.kind === 'step') this.#dt = entry.dt;
      return;
    }
    this.#entries.add(entry);
    if (this.#makeRoom()) return;
    this.#dt = this.#entries.stepAt(entry.tick);
    // What was told of this tick before is not all of it.
    this.truncate(entry.tick - 1);
    this.#fullAt = Math.max(entry.tick - 1, this.startTick);
    this.#parts.onFull?.(this.#fullAt);
  }

  #addReported(state: SavedState): void {
    if (this.#beginAtIfFull(state)) return;
    this.#states.push(state);
    if (this.#isMiddleWanted) this.#middle = state;
    const keptTicks = this.#parts.keptTicks();
    // One from before the kept ticks stays: all of them can be reached from it.
    while ((this.#states[1]?.tick ?? Number.POSITIVE_INFINITY) <= state.tick - keptTicks) {
      this.#forgetState();
    }
    this.#weighStates();
    if (this.#makeRoom()) return;
    this.#states.pop();
    if (this.#middle === state) this.#middle = undefined;
    this.#hasForgotten = true;
    this.#weighStates();
  }

  /** A full one has nothing of the ticks that led to a state, and begins with it if it has room. */
  #beginAtIfFull(state: SavedState): boolean {
    if (this.#fullAt === undefined || this.#run === undefined) return false;
    if (state.tick <= this.#fullAt || !this.#fits(state.bytes.length)) return true;
    const dt = this.#dt;
    this.startFrom(this.#run, state);
    // Told only when it changes.
    this.#entries.stepBefore = dt;
    return true;
  }

  /** @returns False if it holds more than it may, and has no state to begin at. */
  #makeRoom(): boolean {
    const { limitBytes } = this.#parts;
    if (this.bytes <= limitBytes) return true;
    while (this.#states.length > 1 && this.#stateBytes > limitBytes * MAX_STATES) {
      this.#forgetState();
      this.#weighStates();
    }
    if (this.#stateBytes > limitBytes * MAX_STATES) {
      this.#middle = this.#states.at(-1) ?? this.#middle;
      this.#weighStates();
    }
    if (this.bytes <= limitBytes) return true;
    const kept = this.#kept;
    const start = kept.find(({ tick }, index) =>
      this.#fits(bytesOf(kept.slice(index)) + this.#entries.bytesAfter(tick)),
    );
    if (start === undefined) return false;
    this.#beginAt(start);
    return true;
  }

  #fits(bytes: number): boolean {
    return bytes <= this.#parts.limitBytes * MAX_SHARE_AFTER;
  }

  /** Forgets what was before a state. */
  #beginAt(start: SavedState): void {
    const { tick } = start;
    if (this.#states.includes(start)) this.#hasForgotten = false;
    this.#start = start;
    this.#entries.keep(tick, Number.POSITIVE_INFINITY);
    this.#states = this.#states.filter((state) => state.tick > tick);
    if (this.#middle !== undefined && this.#middle.tick <= tick) this.#middle = undefined;
    this.#isStateWanted = false;
    this.#weighStates();
  }

  #forgetState(): void {
    this.#states.shift();
    this.#hasForgotten = true;
  }

  /** Whether half of what it may hold has come since its start. */
  get #isMiddleWanted(): boolean {
    const max = this.#parts.limitBytes - this.#stateBytes;
    return this.#middle === undefined && this.#entries.bytes >= max / 2;
  }

  #askForState(): void {
    if (this.#isStateWanted || (this.#fullAt === undefined && !this.#isMiddleWanted)) return;
    this.#isStateWanted = true;
    this.#parts.onStateWanted?.();
  }

  /** All states but the start, in order. */
  get #kept(): readonly SavedState[] {
    const kept = new Set(this.#states);
    if (this.#middle !== undefined) kept.add(this.#middle);
    return [...kept].toSorted((a, b) => a.tick - b.tick);
  }

  #weighStates(): void {
    this.#stateBytes = bytesOf(this.#kept) + (this.#start?.bytes.length ?? 0);
  }
}

const bytesOf = (states: readonly SavedState[]): number =>
  states.reduce((sum, { bytes }) => sum + bytes.length, 0);

/** Why there is no way to what came after a tick. */
export const wasFull = (tick: number): string =>
  `the recording was full at tick ${tick}: a higher recording.limitBytes holds more, and with save() and restore() a ` +
  'simulation keeps the newest part of it';
