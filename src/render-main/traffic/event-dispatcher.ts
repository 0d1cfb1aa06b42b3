/**
 * Delivers the simulation's events to their handlers, by default when the display shows their tick.
 *
 *     worker   tick k: bang ─▶ queue
 *     page     drain: reads the queue ─┬▶ 'now' handlers, immediately
 *                                      └▶ waits ─▶ deliver(shown ≥ virtual time of tick k) ─▶ 'shown' handlers
 *
 * The display lags the simulation by its delay, so a sound played on arrival would precede the visible impact.
 */
import {
  BODY_EVENT_NAMES,
  BUILT_IN_NAMES,
  EVENT_RECORD,
  ReadEventRecord,
  pairNameOf,
} from '../../shared/events/event-record.js';
import { keysOf, pairMaps, PAIR_NAMES, type PairName } from '../../shared/events/pair-events.js';
import { isDevelopment } from '../../shared/util/development.js';
import { QueueReader, type QueueViews } from '../../shared/memory/record-queue.js';
import type {
  BodyEvents,
  BuiltInEvents,
  EventMap,
  UserEvent,
} from '../../shared/events/simulation-event.js';
import { checkOptions, choice } from '../../shared/util/options.js';
import { requireFunction, requireInteger } from '../../shared/util/validate.js';
import type { EventHandlerOptions, EventMoment } from '../api/simulation-handle.js';
import { callReported } from '../util/page-errors.js';

const EVENT_MOMENTS: readonly EventMoment[] = ['shown', 'now'];

interface WaitingEvent {
  readonly name: string;
  readonly event: object;
  readonly order: number;
  virtualMs: number;
}

/** About 10 MB: a page whose display is stopped must lose events, not run out of memory. */
const DEFAULT_MAX_WAITING = 65_536;

/** @typeParam E The simulation's own events. */
export class EventDispatcher<E extends EventMap = EventMap> {
  readonly #maxWaiting: number;
  readonly #shown = new EventHandlers();
  readonly #now = new EventHandlers();
  readonly #record = new ReadEventRecord();
  /** How each pair ends that is open, if the run restarts. */
  readonly #open = pairMaps<BuiltInEvents[PairName]>();
  /** In development: called with the name of each event that has no handler. */
  onUnhandled?: (name: string) => void;
  #views: QueueViews | undefined;
  #reader: QueueReader | undefined;
  #isDraining = false;
  #isBroken = false;
  #hasUserHandlers = false;
  readonly #waiting = new WaitingList<WaitingEvent>();
  /** Numbers the events as they are read. */
  #order = 0;
  #dropped = 0;
  #lostBefore = 0;

  /** @param maxWaiting Most events that wait to be shown. Beyond that the oldest are dropped and counted. */
  constructor(maxWaiting: number = DEFAULT_MAX_WAITING) {
    this.#maxWaiting = requireInteger('maxWaiting', maxWaiting, 1, 2 ** 24);
  }

  /** Reads from this queue from now on. A new worker's first record ends everything that the previous one began. */
  attach(views: QueueViews): void {
    const reader = new QueueReader(views);
    this.#lostBefore = this.lost;
    this.#views = views;
    this.#reader = reader;
    this.#isBroken = false;
  }

  /** The worker's queue is invalid, or contains an invalid event: it is no longer read. */
  get isBroken(): boolean {
    return this.#isBroken || this.#reader?.isBroken === true;
  }

  /** Calls a handler for each event that is read after this call. @see SimulationHandle.on */
  on<Name extends keyof BuiltInEvents>(
    name: Name,
    handler: (event: BuiltInEvents[Name]) => void,
    options?: EventHandlerOptions,
  ): () => void;
  on<Name extends keyof E & string>(
    name: Name,
    handler: (event: UserEvent<E[Name]>) => void,
    options?: EventHandlerOptions,
  ): () => void;
  on(name: string, handler: EventHandler, options: EventHandlerOptions = {}): () => void {
    if (typeof name !== 'string' || name === '') {
      throw new TypeError('the name of an event must be a string that is not empty');
    }
    requireFunction(`the handler of "${name}"`, handler);
    const { when } = checkOptions('on()', options, { when: choice(EVENT_MOMENTS, 'shown') });
    const handlers = when === 'now' ? this.#now : this.#shown;
    const remove = handlers.add(name, handler, this.#order);
    this.#noticeOwn();
    return () => {
      remove();
      this.#noticeOwn();
    };
  }

  hasHandlers(when: EventMoment): boolean {
    return !(when === 'now' ? this.#now : this.#shown).isEmpty;
  }

  /**
   * Reads the queue: calls `now` handlers, and keeps the events of `shown` ones waiting. Events without a handler are
   * discarded. Does nothing when called from a handler that it calls.
   *
   * @param lastTick Events of later ticks are discarded. Default: none.
   */
  drain(lastTick = Number.POSITIVE_INFINITY): void {
    const reader = this.#reader;
    if (reader === undefined || this.#isDraining || this.isBroken) return;
    this.#isDraining = true;
    reader.begin();
    try {
      while (reader.next()) {
        const { type, length } = reader;
        const isRead = type !== EVENT_RECORD.user || this.#hasUserHandlers || isDevelopment;
        if (isRead) {
          this.#record.reserve(length);
          reader.read(this.#record.words);
        }
        reader.take();
        // The end of everything belongs to no tick.
        const isLater = type !== EVENT_RECORD.cleared && this.#record.tick > lastTick;
        if (isRead && !isLater) this.#accept(type, length);
      }
    } catch {
      // Errors from handlers do not reach this.
      this.#isBroken = true;
    } finally {
      reader.end();
      this.#isDraining = false;
    }
  }

  /**
   * Delivers the waiting events up to the virtual time that the display shows, in order.
   *
   * @param before Called before each event, with its virtual time.
   */
  deliver(shownVirtualMs: number, before?: (virtualMs: number) => void): void {
    // Handlers may call this, so no state is kept from one event to the next.
    const waiting = this.#waiting;
    for (let next = waiting.first; next !== undefined; next = waiting.first) {
      // NaN while nothing is shown yet.
      if (!(next.virtualMs <= shownVirtualMs)) return;
      before?.(next.virtualMs);
      // A handler may have delivered it.
      if (next !== waiting.first) continue;
      waiting.removeFirst();
      this.#shown.call(next.name, next.event, next.order);
    }
  }

  /** Calls the handlers for something that is not in the queue, including those added since it was received. */
  call(when: EventMoment, name: string, event: object): void {
    (when === 'now' ? this.#now : this.#shown).call(name, event, Number.POSITIVE_INFINITY);
  }

  /** Events lost because the queue was full. */
  get lost(): number {
    if (this.#views === undefined) return this.#lostBefore;
    const { control, refusedIndex } = this.#views;
    return this.#lostBefore + (Atomics.load(control, refusedIndex) >>> 0);
  }

  /** Events dropped because too many waited to be shown. */
  get dropped(): number {
    return this.#dropped;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  #accept(type: number, length: number): void {
    if (type === EVENT_RECORD.cleared) return this.#endAll();
    const name = this.#record.nameOf(type);
    const pairName = pairNameOf(type);
    if (pairName !== undefined) this.#track(pairName);
    if (this.#isHeard(name)) this.#receive(name, this.#record.toEvent(type, length));
  }

  #track(name: PairName): void {
    const end = this.#record.toEnd(name);
    const keys = keysOf(name, end);
    if (this.#record.isOn) this.#open[name].set(...keys, end);
    else this.#open[name].delete(...keys);
  }

  /** The run restarts, or continues from another state: ends what is open. */
  #endAll(): void {
    const { tick, virtualMs } = this.#record;
    // Waiting events of the old run must not block the next run, whose time may begin earlier.
    for (const waiting of this.#waiting) waiting.virtualMs = Math.min(waiting.virtualMs, virtualMs);
    for (const name of PAIR_NAMES) {
      for (const end of this.#open[name].values()) {
        if (this.#isHeard(name)) this.#receive(name, { ...end, tick });
      }
      this.#open[name].clear();
    }
  }

  #isHeard(name: string): boolean {
    if (this.#shown.has(name) || this.#now.has(name)) return true;
    if (isDevelopment) this.onUnhandled?.(name);
    return false;
  }

  #receive(name: string, event: object): void {
    const { virtualMs } = this.#record;
    // Such an event, and all events behind it, would never be shown.
    if (!Number.isFinite(virtualMs)) throw new RangeError(`an event of virtual time ${virtualMs}`);
    this.#order += 1;
    const order = this.#order;
    const isShown = this.#shown.has(name);
    this.#now.call(name, event, order);
    if (isShown) this.#wait({ name, event, order, virtualMs });
  }

  #wait(waiting: WaitingEvent): void {
    if (this.waiting >= this.#maxWaiting) {
      this.#waiting.removeFirst();
      this.#dropped += 1;
    }
    this.#waiting.add(waiting);
  }

  #noticeOwn(): void {
    this.#hasUserHandlers = [...this.#shown.names, ...this.#now.names].some(isUserEvent);
  }
}

const isUserEvent = (name: string): boolean =>
  ![...BUILT_IN_NAMES, ...BODY_EVENT_NAMES].includes(name as keyof (BuiltInEvents & BodyEvents));

type EventHandler = (event: never) => void;

interface Listener {
  readonly handler: EventHandler;
  /** The listener receives only events with a higher number than this. */
  readonly after: number;
  isOn: boolean;
}

/** Handlers by event name. An error in a handler is reported and stops nothing. */
class EventHandlers {
  /** The lists are replaced and never modified, so that a handler may add and remove handlers. */
  readonly #byName = new Map<string, readonly Listener[]>();

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  get names(): IterableIterator<string> {
    return this.#byName.keys();
  }

  /** @returns Removes the handler. */
  add(name: string, handler: EventHandler, after: number): () => void {
    const listener: Listener = { handler, after, isOn: true };
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), listener]);
    return () => this.#remove(name, listener);
  }

  call(name: string, event: object, order: number): void {
    for (const listener of this.#byName.get(name) ?? []) {
      // An earlier handler may have removed this one.
      if (!listener.isOn || listener.after >= order) continue;
      callReported(listener.handler, event as never);
    }
  }

  #remove(name: string, listener: Listener): void {
    listener.isOn = false;
    const others = this.#byName.get(name)?.filter((other) => other !== listener) ?? [];
    if (others.length > 0) this.#byName.set(name, others);
    else this.#byName.delete(name);
  }
}

/** Removed items are cut off in batches of at least this size, which keeps that cheap. */
const MIN_CUT = 1024;

/** Items that wait, oldest first. */
export class WaitingList<T> {
  readonly #items: T[] = [];
  /** Items before this index were removed. */
  #start = 0;

  get length(): number {
    return this.#items.length - this.#start;
  }

  get first(): T | undefined {
    return this.#items[this.#start];
  }

  add(item: T): void {
    this.#items.push(item);
  }

  removeFirst(): void {
    this.#start += 1;
    const isWorthIt = this.#start >= MIN_CUT && this.#start * 2 >= this.#items.length;
    if (this.length > 0 && !isWorthIt) return;
    // An empty rest is the case in most frames, and `splice` would return a new array.
    if (this.length === 0) this.#items.length = 0;
    else this.#items.splice(0, this.#start);
    this.#start = 0;
  }

  clear(): void {
    this.#items.length = 0;
    this.#start = 0;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items.slice(this.#start).values();
  }
}
