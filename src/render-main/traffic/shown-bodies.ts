/**
 * The bodies that live at the moment that the page shows, with their tags.
 *
 *     worker   tick k spawns and removes ─▶ message ─▶ state k is published
 *     page     receive: how it differs from the latest list ─┬▶ 'now' handlers
 *                                                            └▶ waits ─▶ show(state k) ─▶ map, 'shown' handlers
 *
 * The list after a jump is complete, and the difference is computed here: a body that has the same id and tag before
 * and after it lives on. The jump itself is reported as well. States are numbered and messages arrive in order, so what a frame shows needs no times.
 */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { BodyEvent } from '../../shared/events/simulation-event.js';
import type { BodiesMessage } from '../../shared/protocol/control-protocol.js';
import type { Json } from '../../shared/util/json.js';
import { type EventDispatcher, WaitingList } from './event-dispatcher.js';

/** Most changes that wait, in addition to two per body: a page that shows no frames must not run out of memory. */
const MAX_WAITING = 65_536;

/** The first state that has a change. */
interface FirstState {
  /** The worker, counted from 0, and the number of the state. */
  readonly worker: number;
  readonly state: number;
  readonly tick: number;
  /** Virtual time of the state. */
  virtualMs: number;
  readonly isJump: boolean;
}

interface ShownChange {
  readonly name: 'spawn' | 'despawn';
  readonly event: BodyEvent;
  readonly firstState: FirstState;
}

/** Follows the changes of a jump. */
interface RunJump {
  readonly name: 'jump';
  readonly firstState: FirstState;
}

export class ShownBodies {
  /** The tags of the bodies that are shown: what applications read. */
  readonly map = new Map<BodyId, Json>();
  readonly #events: EventDispatcher;
  readonly #onJump: (tick: number) => void;
  /** According to the last message. */
  readonly #latest = new Map<BodyId, { readonly json: string; readonly tag: Json }>();
  readonly #waiting = new WaitingList<ShownChange | RunJump>();
  /** Whether the worker has sent its first list, which is complete without a jump. */
  #hasList = false;
  #worker = 0;
  #waitingJumps = 0;
  #shownWorker = 0;
  #shownState = -1;

  /** @param onJump Called when a jump of the run is shown, after the events before it, with the tick of its state. */
  constructor(events: EventDispatcher, onJump: (tick: number) => void) {
    this.#events = events;
    this.#onJump = onJump;
  }

  /** Changes that wait to be shown. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether the run has jumped to a state that is not shown yet. */
  get hasJump(): boolean {
    return this.#waitingJumps > 0;
  }

  /** The next messages are another worker's, whose states and times begin again. */
  attach(): void {
    this.#worker += 1;
    this.#hasList = false;
    for (const { firstState } of this.#waiting) firstState.virtualMs = Number.NEGATIVE_INFINITY;
  }

  /** Receives what a tick or a jump has changed, before a state shows it. */
  receive({ state, tick, virtualMs, isComplete, spawned, tags, despawned }: BodiesMessage): void {
    const latest = this.#latest;
    const hasJumped = isComplete && this.#hasList;
    this.#hasList = true;
    const isJump = hasJumped || (isComplete && latest.size > 0);
    const firstState = { worker: this.#worker, state, tick, virtualMs, isJump };
    const changes: ShownChange[] = [];
    const listed = new Map(spawned.map((id, index) => [id, tags[index] as string]));
    for (const id of isComplete ? latest.keys() : despawned) {
      if (!isComplete || listed.get(id) !== latest.get(id)?.json)
        this.#despawn(id, firstState, changes);
    }
    for (const [id, json] of listed) {
      if (latest.get(id)?.json === json) listed.delete(id);
      else this.#despawn(id, firstState, changes);
    }
    for (const [id, json] of listed) {
      const tag = JSON.parse(json) as Json;
      latest.set(id, { json, tag });
      changes.push({ name: 'spawn', event: { id, tag, tick }, firstState });
    }
    for (const change of changes) this.#waiting.add(change);
    if (hasJumped) {
      this.#waiting.add({ name: 'jump', firstState });
      this.#waitingJumps += 1;
    }
    if (this.waiting > MAX_WAITING + 2 * (latest.size + this.map.size)) this.#shorten(firstState);
    for (const { name, event } of changes) this.#events.call('now', name, event);
  }

  /** A frame shows the state with this number, of the worker with this one. */
  show(worker: number, state: number): void {
    this.#shownWorker = worker;
    this.#shownState = state;
  }

  /**
   * Applies the shown changes that precede events of this virtual time. Within a tick, bodies go and come before its
   * events. A jump comes after the events before it.
   */
  readonly applyBefore = (virtualMs: number): void => {
    // Handlers may sample another frame, so no state is kept from one change to the next.
    const waiting = this.#waiting;
    for (let next = waiting.first; next !== undefined; next = waiting.first) {
      if (!this.#isDue(next.firstState, virtualMs)) return;
      waiting.removeFirst();
      if (next.name === 'jump') {
        this.#waitingJumps -= 1;
        this.#onJump(next.firstState.tick);
        continue;
      }
      const { name, event } = next;
      if (name === 'spawn') this.map.set(event.id, event.tag);
      else this.map.delete(event.id);
      this.#events.call('shown', name, event);
    }
  };

  #isDue({ worker, state, virtualMs, isJump }: FirstState, untilMs: number): boolean {
    const isShown =
      worker < this.#shownWorker || (worker === this.#shownWorker && state <= this.#shownState);
    return isShown && (virtualMs < untilMs || (virtualMs === untilMs && !isJump));
  }

  #despawn(id: BodyId, firstState: FirstState, changes: ShownChange[]): void {
    const body = this.#latest.get(id);
    if (body === undefined) return;
    this.#latest.delete(id);
    const event = { id, tag: body.tag, tick: firstState.tick };
    changes.push({ name: 'despawn', event, firstState });
  }

  /** Keeps only what leads from the shown bodies to the latest ones. */
  #shorten(firstState: FirstState): void {
    const { tick } = firstState;
    const jump = [...this.#waiting].findLast(({ name }) => name === 'jump');
    const livesOn = (id: BodyId): boolean =>
      this.map.has(id) && this.map.get(id) === this.#latest.get(id)?.tag;
    const gone = [...this.map].filter(([id]) => !livesOn(id));
    const come = [...this.#latest].filter(([id]) => !livesOn(id));
    this.#waiting.clear();
    for (const [id, tag] of gone) {
      this.#waiting.add({ name: 'despawn', event: { id, tag, tick }, firstState });
    }
    for (const [id, { tag }] of come) {
      this.#waiting.add({ name: 'spawn', event: { id, tag, tick }, firstState });
    }
    if (jump === undefined) return;
    this.#waiting.add(jump);
    this.#waitingJumps = 1;
  }
}
