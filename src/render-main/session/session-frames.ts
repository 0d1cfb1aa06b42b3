/** The frames of a session: drawn between two states, with the events and bodies of the tick that they show. */
import { eventQueueOf } from '../../shared/memory/buffer.js';
import { CONTROL } from '../../shared/memory/layout.js';
import type { UserEvent } from '../../shared/events/simulation-event.js';
import type { Json } from '../../shared/util/json.js';
import type { ResolvedOptions } from '../api/connect-options.js';
import type { EventHandlerOptions } from '../api/simulation-handle.js';
import type { SampledFrame } from '../frame/frame.js';
import { FrameSampler } from '../frame/frame-sampler.js';
import { EventDispatcher } from '../traffic/event-dispatcher.js';
import { ShownBodies } from '../traffic/shown-bodies.js';
import type { WorkerConnection } from '../worker/worker-connection.js';
import type { StatusHandlers } from './simulation-status.js';

export class SessionFrames {
  readonly events = new EventDispatcher();
  readonly bodies: ShownBodies;
  readonly #options: ResolvedOptions;
  readonly #statuses: StatusHandlers;
  #connection: WorkerConnection | undefined;
  #sampler: FrameSampler | undefined;
  #lostEvents = 0;

  constructor(options: ResolvedOptions, statuses: StatusHandlers) {
    this.#options = options;
    this.#statuses = statuses;
    this.bodies = new ShownBodies(this.events, (tick) => statuses.emit({ kind: 'jumped', tick }));
  }

  get sampler(): FrameSampler {
    if (this.#sampler === undefined) throw new Error('the simulation has not been started');
    return this.#sampler;
  }

  /** Shows what another worker publishes, when it has. */
  follow(connection: WorkerConnection): void {
    this.#connection = connection;
    if (this.#sampler === undefined) {
      const { marginMs, display } = this.#options;
      const mode = display.interpolation;
      this.#sampler = new FrameSampler(connection.views, { mode, marginMs });
    } else {
      this.#sampler.attach(connection.views);
      this.bodies.attach();
    }
    this.events.attach(eventQueueOf(connection.views));
    this.#askForEvents();
  }

  sample(frameMs: number): SampledFrame {
    const { sampler, bodies } = this;
    const frame = sampler.sample(frameMs);
    this.#connection?.check(sampler.isBroken ? 'a snapshot' : undefined);
    this.drainEvents();
    bodies.show(sampler.worker, sampler.wholeState);
    this.events.deliver(sampler.frame.shownVirtualMs, bodies.applyBefore);
    bodies.applyBefore(Number.POSITIVE_INFINITY);
    return frame;
  }

  on(name: string, handler: (event: never) => void, options?: EventHandlerOptions): () => void {
    const off = this.events.on(name, handler as (event: UserEvent<Json>) => void, options);
    this.#askForEvents();
    return off;
  }

  /** Reads the events that have arrived. @param lastTick Events of later ticks are discarded. */
  readonly drainEvents = (lastTick?: number): void => {
    // Before reading: the worker pushes an event and then looks for the request, so it finds the request, or the page
    // finds the event. A request made after reading would miss an event from in between, until the next one.
    this.#askForEvents();
    this.events.drain(lastTick);
    if (this.events.isBroken) this.#connection?.check('an event');
    this.#connection?.touch();
    const { lost } = this.events;
    if (lost !== this.#lostEvents) {
      this.#statuses.emit({ kind: 'events-lost', lost: lost - this.#lostEvents });
      this.#lostEvents = lost;
    }
  };

  /** The run has gone elsewhere: no frame will show the ticks of the events that wait, so they are delivered now. */
  readonly deliverAll = (): void => {
    this.drainEvents();
    this.events.deliver(Number.POSITIVE_INFINITY, this.bodies.applyBefore);
  };

  /** Requests a message about new events for `now` handlers, which must not depend on frames: there may be none. */
  #askForEvents(): void {
    if (this.#connection === undefined || !this.events.hasHandlers('now')) return;
    Atomics.store(this.#connection.views.control, CONTROL.eventWakeRequested, 1);
  }
}
