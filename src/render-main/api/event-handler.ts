/** How a page handles events. */
import type {
  BodyEvents,
  BuiltInEvents,
  EventMap,
  UserEvent,
} from '../../shared/events/simulation-event.js';
import type { Json } from '../../shared/util/json.js';
import type { SimulationStatus } from './simulation-status.js';

/** The event with a given name: one of the library's, or one of the simulation's own. */
export type EventOf<E extends EventMap, Name, T = Json> = Name extends 'status'
  ? SimulationStatus
  : Name extends keyof BuiltInEvents
    ? BuiltInEvents[Name]
    : Name extends keyof BodyEvents
      ? BodyEvents<T>[Name]
      : Name extends keyof E
        ? UserEvent<E[Name]>
        : never;

/**
 * When a handler is called:
 *
 * - `shown`: when the display shows the tick in which the event happened.
 * - `now`: as soon as the page has received it.
 */
export type EventMoment = 'shown' | 'now';

/** Options of an event handler. */
export interface EventHandlerOptions {
  /** When the handler is called. Default `shown`. */
  readonly when?: EventMoment;
}
