/** How a page listens to events. */
import type { BuiltInEvents, EventMap, UserEvent } from '../../shared/events/simulation-event.js';
import type { SimulationStatus } from './simulation-status.js';

/** The event that a name stands for: one of the library's, or one of the simulation's own. */
export type EventOf<E extends EventMap, Name> = Name extends 'status'
  ? SimulationStatus
  : Name extends keyof BuiltInEvents
    ? BuiltInEvents[Name]
    : Name extends keyof E
      ? UserEvent<E[Name]>
      : never;

/**
 * - `shown`: when the display shows the tick that the event happened in.
 * - `now`: as soon as the page has it.
 */
export type EventMoment = 'shown' | 'now';

/** When a handler is called. */
export interface EventHandlerOptions {
  /** `shown` when left out. */
  readonly when?: EventMoment;
}
