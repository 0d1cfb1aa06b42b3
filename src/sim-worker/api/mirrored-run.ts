/**
 * The bodies, cuts and events of one run, shown by another: the simulation of a client shows the run of its room, or its own
 * prediction of it.
 */
import {
  EVENT_RECORD,
  pairNameOf,
  ReadEventRecord,
  type EventEntry,
} from '../../shared/events/event-record.js';
import { keysOf, type PairFields, type PairName } from '../../shared/events/pair-events.js';
import type { UserEvent } from '../../shared/events/simulation-event.js';
import {
  BODY_ALIVE,
  BODY_ASLEEP,
  bodyId,
  CONTINUITY_MASK,
  GENERATION_MASK,
  slotOf,
  type BodyId,
} from '../../shared/memory/body-meta.js';
import { BODY_LANES, LANE, DEFAULT_QUEUES } from '../../shared/memory/layout.js';
import { privateQueueViews, QueueReader, QueueWriter } from '../../shared/memory/record-queue.js';
import type { Json } from '../../shared/util/json.js';
import { registryOf, type BodyRegistry } from '../bodies/body-registry.js';
import { NO_TAG, tagOf, type BodyTag } from '../bodies/body-tag.js';
import { EventReporter } from '../events/event-reporter.js';
import type { Bodies } from './bodies.js';
import type { Events } from './events.js';
import type { SimulationContext } from './simulation.js';

/** The bodies of another run, with the ids that they have there. Write them to its lanes, then show them. */
export class MirroredBodies {
  readonly #bodies: Bodies;
  readonly #tags: BodyTag[] = [];
  readonly poses: Float32Array<ArrayBuffer>;
  readonly metas: Int32Array<ArrayBuffer>;

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
    this.poses = new Float32Array(bodies.capacity * BODY_LANES);
    this.metas = new Int32Array(this.poses.buffer);
  }

  /**
   * @param tags The JSON of each.
   * @throws SyntaxError, TypeError, RangeError if a tag is invalid.
   */
  setTags(tags: readonly { readonly slot: number; readonly tag: string }[]): void {
    for (const { slot, tag } of tags) this.#tags[slot] = tagOf(JSON.parse(tag) as Json);
  }

  /** Takes tags from the bodies of a run in this thread. */
  setTagsOf(bodies: BodyRegistry, ids: readonly BodyId[]): void {
    for (const id of ids) this.#tags[slotOf(id)] = bodies.tagOf(id) ?? NO_TAG;
  }

  /** Shows the bodies in the lanes. @param bodyLimit Bodies from this index on have never been used. */
  show(bodyLimit: number): void {
    if (this.#hasOtherBodies(bodyLimit)) {
      this.#replace(bodyLimit);
      return;
    }
    const { lanes } = registryOf(this.#bodies);
    const { poses, metas } = this;
    for (let slot = 0; slot < bodyLimit; slot++) {
      const at = slot * BODY_LANES;
      const meta = metas[at + LANE.meta] ?? 0;
      if ((meta & BODY_ALIVE) === 0 || isEqual(lanes, metas, at)) continue;
      const id = bodyId(slot, meta & GENERATION_MASK);
      this.#bodies.setPose(
        id,
        poses[at + LANE.x] ?? 0,
        poses[at + LANE.y] ?? 0,
        poses[at + LANE.z] ?? 0,
        poses[at + LANE.qx] ?? 0,
        poses[at + LANE.qy] ?? 0,
        poses[at + LANE.qz] ?? 0,
        poses[at + LANE.qw] ?? 0,
      );
      this.#bodies.setAsleep(id, (meta & BODY_ASLEEP) !== 0);
    }
  }

  /** Whether a body has come, gone, or been teleported. */
  #hasOtherBodies(bodyLimit: number): boolean {
    const { lanes, bodyLimit: before } = registryOf(this.#bodies);
    if (bodyLimit > before) return true;
    for (let at = LANE.meta; at < bodyLimit * BODY_LANES; at += BODY_LANES) {
      if ((((lanes[at] ?? 0) ^ (this.metas[at] ?? 0)) & CONTINUITY_MASK) !== 0) return true;
    }
    return false;
  }

  #replace(nextSlot: number): void {
    const { capacity, generation } = registryOf(this.#bodies);
    const lanes = this.metas.slice(0, nextSlot * BODY_LANES);
    const free: number[] = [];
    for (let slot = nextSlot - 1; slot >= 0; slot--) {
      if (((lanes[slot * BODY_LANES + LANE.meta] ?? 0) & BODY_ALIVE) === 0) free.push(slot);
    }
    registryOf(this.#bodies).restore({
      capacity,
      nextSlot,
      bodyCount: nextSlot - free.length,
      generation,
      lanes,
      free: Int32Array.from(free),
      tags: Array.from({ length: nextSlot }, (_, slot) => this.#tags[slot] ?? NO_TAG),
      velocities: undefined,
    });
  }
}

function isEqual(a: Int32Array, b: Int32Array, at: number): boolean {
  for (let lane = at; lane < at + BODY_LANES; lane++) if (a[lane] !== b[lane]) return false;
  return true;
}

/** Cuts the values of the simulation that shows a run, as that run has done since the last state that was shown. */
export function relayCuts(
  cuts: Int32Array,
  context: Pick<SimulationContext, 'cutValues' | 'values'>,
): void {
  for (let at = 0; at < context.values.length; at++) {
    const word = cuts[at >>> 5] ?? 0;
    if (word === 0) at |= 31;
    else if (((word >>> at) & 1) === 1) context.cutValues(at, 1);
  }
}

/** Collects the events of a run, for others to show it. */
export class SentEvents {
  readonly reporter: EventReporter;
  readonly #reader: QueueReader;
  readonly #keepsCleared: boolean;
  #entries: EventEntry[] = [];

  /** @param keepsCleared Whether to collect the records that say that all pairs are over. */
  constructor(keepsCleared = false) {
    this.#keepsCleared = keepsCleared;
    const views = privateQueueViews(DEFAULT_QUEUES.eventWords);
    this.reporter = new EventReporter(new QueueWriter(views));
    this.#reader = new QueueReader(views);
  }

  /** Must be called after every tick: makes room in the queue. */
  collect(): void {
    const reader = this.#reader;
    reader.begin();
    while (reader.next()) {
      const words = new Int32Array(reader.length);
      reader.read(words);
      reader.take();
      const { type } = reader;
      // A room's run never restarts: it has this record only at its start, when there are no pairs.
      if (type === EVENT_RECORD.cleared && !this.#keepsCleared) continue;
      this.#entries.push({ type, words });
    }
    reader.end();
  }

  /** The events since the last call. Undefined if there were no events. */
  take(): readonly EventEntry[] | undefined {
    if (this.#entries.length === 0) return undefined;
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }
}

interface RelayedPair {
  readonly name: PairName;
  readonly fields: PairFields;
}

/** Reports the events of another run. Pairs that it has forgotten and then reports again have never been over. */
export class RelayedEvents {
  readonly #reporter: EventReporter;
  readonly #read = new ReadEventRecord();
  /** Pairs that are on, by their names and keys. */
  readonly #pairs = new Map<string, RelayedPair>();
  /** Pairs among these that the run has forgotten, and may report again. */
  readonly #forgotten = new Set<string>();

  /** @param events The events of the simulation that shows the run: always a reporter. */
  constructor(events: Events) {
    this.#reporter = events as EventReporter;
  }

  /**
   * @throws SyntaxError if the value of a custom event is not JSON. @throws RangeError if another event is damaged. Records
   *   of unknown types are ignored.
   */
  relay({ type, words }: EventEntry): void {
    const read = this.#read;
    read.copy(words);
    const name = pairNameOf(type);
    if (type === EVENT_RECORD.cleared) {
      for (const key of this.#pairs.keys()) this.#forgotten.add(key);
    } else if (name !== undefined) {
      this.#relayPair({ name, fields: read.fieldsOf(name, words.length) });
    } else if (type === EVENT_RECORD.contactForce) {
      this.#reporter.force(read.fieldsOf('contactForce', words.length));
    } else if (type === EVENT_RECORD.user) {
      const { value } = read.toEvent(type, words.length) as UserEvent<Json>;
      this.#reporter.emit(read.nameOf(type), value);
    }
  }

  /** Must be called when the run has had a tick in which to report its pairs again: the others are over. */
  endForgotten(): void {
    for (const key of this.#forgotten) {
      const { name, fields } = this.#pairs.get(key) as RelayedPair;
      this.#reporter.pair(name, fields, false, true);
      this.#pairs.delete(key);
    }
    this.#forgotten.clear();
  }

  #relayPair(pair: RelayedPair): void {
    const { name, fields } = pair;
    const key = `${name} ${keysOf(name, fields).join(' ')}`;
    const { isOn, isLate } = this.#read;
    if (isOn && this.#forgotten.delete(key)) return;
    this.#forgotten.delete(key);
    if (isOn) this.#pairs.set(key, pair);
    else this.#pairs.delete(key);
    this.#reporter.pair(name, fields, isOn, isLate);
  }
}
