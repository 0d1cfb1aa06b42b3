/** What the type of a simulation says about its handle. */
import type { EventMap } from '../../shared/events/simulation-event.js';
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { Json } from '../../shared/util/json.js';

/** The commands of a simulation, which type `connect<typeof simulation>(…)`. */
export type CommandsOf<S> = S extends { readonly commands?: infer C extends CommandMap }
  ? C
  : CommandMap;

/** The queries of a simulation. */
export type QueriesOf<S> = S extends { readonly queries?: infer Q extends CommandMap }
  ? Q
  : CommandMap;

/** The simulation's own events. */
export type EventsOf<S> = S extends { readonly events?: infer E extends EventMap }
  ? E
  : Record<never, never>;

/** The tags of the simulation's bodies. */
export type TagOf<S> = S extends { readonly tag?: infer T extends Json } ? T : Json;
