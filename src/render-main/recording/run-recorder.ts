/**
 * Records what determined the run, as reported by the worker. This copy on the page outlives the worker.
 *
 *     start ■──●──●─●────●───●●──●──────●──●──●─●─●──▶ newest tick
 *                            ■ middle       ■   ■   ■
 *                            │              └ the states of the newest few seconds, for seeking back
 *                            └ where it begins when it is full: followed by about half of its contents
 *
 * Entries and states are limited in bytes. A full recorder drops everything before a saved state, which becomes its
 * start. Without a saved state, it ends with the last tick that it covers completely, and reports that.
 */
import type { JournalItem, SeekRequest } from '../../shared/protocol/control-protocol.js';
import {
  hasCall,
  type KeptMark,
  type Recording,
  type RecordingEntry,
  type RunDescription,
  type SavedState,
} from '../../shared/recording/recording.js';
import type { Asset } from '../../shared/recording/asset.js';
import { EntryLog } from './entry-log.js';

/** Share of the limit that may remain after the beginning is dropped; otherwise dropping it is not worthwhile. */
const MAX_SHARE_AFTER = 7 / 8;
/** Share of the limit for states, except the start and the newest one: entries are more valuable. */
const MAX_STATES = 0.5;
/** Ticks from a failed save to the next request: ten seconds at 60 Hz. */
const RETRY_TICKS = 600;

/** The assets of a recording. */
export interface RecordedAssets {
  /** The assets that the recording needs. */
  readonly needed: readonly Asset[];
  /** Bytes of the needed assets. */
  readonly neededBytes: number;
  /** Another run begins. */
  noteRun(run: RunDescription): void;
  noteEntry(entry: RecordingEntry): void;
  /** Another recording begins, which needs these assets. */
  needOnly(assets?: readonly Asset[]): void;
}

export interface RecorderOptions {
  /** States older than this many ticks before the newest one are forgotten. */
  readonly keptTicks: () => number;
  /** Most bytes of entries, states and assets. */
  readonly limitBytes: number;
  readonly assets?: RecordedAssets;
  /**
   * Called when a state is needed for {@link RunRecorder.addState}: half of the capacity was filled since the last one.
   * {@link RunRecorder.noteFailedState} reports that it could not be saved.
   */
  readonly onStateWanted?: () => void;
  /** Called when it is full and has no state to begin at. */
  readonly onFull?: (lastTick: number) => void;
}

export class RunRecorder {
  readonly #options: RecorderOptions;
  #run: RunDescription | undefined;
  #restarts = 0;
  #start: SavedState | undefined;
  #reportedTick = 0;
  #entries = new EntryLog();
  #states: SavedState[] = [];
  #middle: SavedState | undefined;
  /** The states that the worker has kept, by tick. */
  kept: readonly KeptMark[] = [];
  /** Reported tick from which a state may be requested: infinite while a request is pending. */
  #nextRequestTick = 0;
  #fullAt: number | undefined;
  /** While it is full: the step reported last. */
  #dt: number | undefined;
  /** Whether states between the start and the first kept state were dropped. */
  #hasForgotten = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  get run(): RunDescription | undefined {
    return this.#run;
  }

  /** How often a query has restarted the run, as far as the page knows. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Once it is full: the last tick that it covers completely. */
  get fullAt(): number | undefined {
    return this.#fullAt;
  }

  /** Size of entries, states and assets. */
  get bytes(): number {
    return this.#entries.bytes + this.#stateBytes + this.#assetBytes;
  }

  /** Newest tick with any report: earlier ticks have been reported completely. */
  get reportedTick(): number {
    return this.#reportedTick;
  }

  get startTick(): number {
    return this.#start?.tick ?? 0;
  }

  /** Earliest tick that can be reached by replaying at most from one saved state to the next. */
  get earliestTick(): number {
    const { startTick } = this;
    return this.#hasForgotten ? (this.#states[0]?.tick ?? startTick) : startTick;
  }

  add(items: readonly JournalItem[]): void {
    for (const item of items) {
      if (item.kind === 'restart') {
        this.#restarts = item.restarts;
        this.startFrom(item.run, undefined);
        this.#assets?.noteRun(item.run);
        continue;
      }
      this.#reportedTick = item.kind === 'state' ? item.state.tick : item.tick;
      if (item.kind === 'kept') {
        this.kept = [...this.kept.filter(({ tick }) => tick >= item.since), item];
      } else if (item.kind === 'state') this.#addReported(item.state);
      else this.#addEntry(item);
    }
    this.#askForState();
  }

  /** Adds a requested state of this run, from after its newest tick. */
  addState(state: SavedState): void {
    if (this.#beginAtIfFull(state) || state.tick === this.startTick) return;
    this.#middle = state;
    if (!this.#makeRoom()) this.#middle = undefined;
  }

  /** A requested state could not be saved. It is requested again, but not at each tick: the next may fail as well. */
  noteFailedState(): void {
    this.#nextRequestTick = this.#reportedTick + RETRY_TICKS;
  }

  /** Adopts a whole recording: the run continues from its end. */
  adopt({ run, start, lastTick, entries, states, assets, kept = [] }: Recording): void {
    this.startFrom(run, start);
    this.kept = kept;
    this.#assets?.needOnly(assets);
    for (const entry of entries) {
      // The calls of its commands are not pending here: their numbers may be another page's.
      this.#entries.add(hasCall(entry) ? { ...entry, call: 0 } : entry);
    }
    this.#states = [...states];
    this.#reportedTick = lastTick;
  }

  /** Drops everything after a tick: the run continues from there differently. */
  truncate(tick: number): void {
    if (tick <= (this.#fullAt ?? tick)) this.#fullAt = undefined;
    this.#reportedTick = Math.min(this.#reportedTick, tick);
    this.#keep(Number.NEGATIVE_INFINITY, tick);
  }

  /** Entries of one tick, for a step that never ended. */
  entriesOf(tick: number): RecordingEntry[] {
    return this.#entries.between(tick - 1, tick).filter(({ kind }) => kind !== 'step');
  }

  /** @param lastTick Number of the newest tick: ticks without entries are not reported. */
  recording(lastTick: number): Recording {
    const recording = this.#from(this.#start, lastTick);
    const states = this.#keptStates.filter(({ tick }) => tick <= recording.lastTick);
    const { needed: assets = [] } = this.#assets ?? {};
    const { kept } = this;
    return { ...recording, states, ...(assets.length > 0 && { assets }), ...(kept[0] && { kept }) };
  }

  /** The part of the recording that leads to a tick from the nearest saved state. */
  leadingTo(tick: number): SeekRequest {
    const nearest = this.#keptStates.findLast((state) => state.tick <= tick) ?? this.#start;
    const { run, start, entries, lastTick } = this.#from(nearest, tick);
    return {
      run,
      from: start,
      entries,
      untilTick: lastTick,
      restarts: this.#restarts,
      kept: this.kept,
    };
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

  /** Restarts the recording: with a run, or with a state that it continues from. */
  startFrom(run: RunDescription, start: SavedState | undefined): void {
    this.#run = run;
    this.#start = start;
    this.#reportedTick = this.startTick;
    this.#entries = new EntryLog();
    this.#states = [];
    this.#middle = undefined;
    this.kept = [];
    this.#nextRequestTick = 0;
    this.#fullAt = undefined;
    this.#hasForgotten = false;
  }

  #addEntry(entry: RecordingEntry): void {
    // Even while it is full: the state at which it begins again may need them.
    this.#assets?.noteEntry(entry);
    if (this.#fullAt !== undefined) {
      if (entry.kind === 'step') this.#dt = entry.dt;
      return;
    }
    this.#entries.add(entry);
    if (this.#makeRoom()) return;
    this.#dt = this.#entries.stepAt(entry.tick);
    // The tick's entries so far are incomplete.
    this.truncate(entry.tick - 1);
    this.#fullAt = Math.max(entry.tick - 1, this.startTick);
    this.#options.onFull?.(this.#fullAt);
  }

  #addReported(state: SavedState): void {
    if (this.#beginAtIfFull(state)) return;
    if (this.#isMiddleWanted) this.#middle = state;
    this.#states.push(state);
    const keptTicks = this.#options.keptTicks();
    // One state from before the kept ticks stays, so that all of them can be reached.
    while ((this.#states[1]?.tick ?? Number.POSITIVE_INFINITY) <= state.tick - keptTicks) {
      this.#forgetState();
    }
    if (this.#makeRoom()) return;
    this.#states.pop();
    if (this.#middle === state) this.#middle = undefined;
    this.#hasForgotten = true;
  }

  /** A full recorder lacks the ticks that led to a state, so it restarts at the state if that fits. */
  #beginAtIfFull(state: SavedState): boolean {
    if (this.#fullAt === undefined || this.#run === undefined) return false;
    if (state.tick <= this.#fullAt || !this.#fits(state.bytes.length)) return true;
    const dt = this.#dt;
    this.startFrom(this.#run, state);
    // Steps are only reported when they change.
    this.#entries.stepBefore = dt;
    return true;
  }

  /** @returns False if it exceeds its limit and has no state to begin at. */
  #makeRoom(): boolean {
    const { limitBytes } = this.#options;
    if (this.bytes <= limitBytes) return true;
    while (this.#states.length > 1 && this.#stateBytes > limitBytes * MAX_STATES) {
      this.#forgetState();
    }
    if (this.#stateBytes > limitBytes * MAX_STATES) {
      this.#middle = this.#states.at(-1) ?? this.#middle;
    }
    if (this.bytes <= limitBytes) return true;
    const kept = this.#keptStates;
    const start = kept.find(({ tick }, index) =>
      this.#fits(bytesOf(kept.slice(index)) + this.#entries.bytesAfter(tick)),
    );
    if (start === undefined) return false;
    if (this.#states.includes(start)) this.#hasForgotten = false;
    this.#start = start;
    this.#keep(start.tick, Number.POSITIVE_INFINITY);
    return true;
  }

  #fits(bytes: number): boolean {
    return bytes + this.#assetBytes <= this.#options.limitBytes * MAX_SHARE_AFTER;
  }

  /** Drops everything up to and including a tick, and everything after another. */
  #keep(afterTick: number, untilTick: number): void {
    const isKept = ({ tick }: KeptMark | SavedState): boolean =>
      tick > afterTick && tick <= untilTick;
    this.kept = this.kept.filter(isKept);
    this.#entries.keep(afterTick, untilTick);
    this.#states = this.#states.filter(isKept);
    if (this.#middle !== undefined && !isKept(this.#middle)) this.#middle = undefined;
    this.#nextRequestTick = 0;
  }

  #forgetState(): void {
    this.#states.shift();
    this.#hasForgotten = true;
  }

  /** Whether half of its capacity has been filled since its start. */
  get #isMiddleWanted(): boolean {
    const max = this.#options.limitBytes - this.#stateBytes - this.#assetBytes;
    return this.#middle === undefined && this.#entries.bytes >= max / 2;
  }

  #askForState(): void {
    if (this.#reportedTick < this.#nextRequestTick) return;
    if (this.#fullAt === undefined && !this.#isMiddleWanted) return;
    this.#nextRequestTick = Number.POSITIVE_INFINITY;
    this.#options.onStateWanted?.();
  }

  get #assets(): RecordedAssets | undefined {
    return this.#options.assets;
  }

  get #assetBytes(): number {
    return this.#assets?.neededBytes ?? 0;
  }

  get #stateBytes(): number {
    return bytesOf(this.#keptStates) + (this.#start?.bytes.length ?? 0);
  }

  /** All states except the start, in order. */
  get #keptStates(): readonly SavedState[] {
    if (this.#middle === undefined || this.#states.includes(this.#middle)) return this.#states;
    return [...this.#states, this.#middle].toSorted((a, b) => a.tick - b.tick);
  }
}

const bytesOf = (states: readonly SavedState[]): number =>
  states.reduce((sum, { bytes }) => sum + bytes.length, 0);

/** Why ticks after a given one cannot be reached. */
export const wasFull = (tick: number): string =>
  `the recording was full at tick ${tick}: a higher recording.limitBytes holds more, and with save() and restore() a ` +
  'simulation keeps the newest part of it';
