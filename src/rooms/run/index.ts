/** Entry point for worker scripts that predict the run of a room: `betwixt/colyseus/worker`. */
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { EventMap } from '../../shared/events/simulation-event.js';
import type { Simulation } from '../../sim-worker/api/simulation.js';
import { PredictedSimulation } from './predicted-simulation.js';

/**
 * Makes the simulation of a room one that predicts it: `runSimulation(predictRoom(createGame()))`. For a page that calls
 * `connectRoom` with `mode: 'predict'`.
 *
 * @param simulation The room's: a new one. It needs `save` and `restore`, and an engine that repeats its bits.
 */
export const predictRoom = <C extends CommandMap, E extends EventMap, Q extends CommandMap>(
  simulation: Simulation<C, E, Q>,
): Simulation => new PredictedSimulation(simulation as Simulation);
