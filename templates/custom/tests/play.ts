/** Plays the simulation in Node: without worker, page and clock, as fast as it goes. */
import { replay, type Recording, type Simulation, type SimulationContext } from 'betwixt/worker';

type Entry = Recording['entries'][number];

export interface Play {
  /** Of everything random. Default 1. */
  readonly seed?: number;
  /** Most bodies. Default 16. */
  readonly capacity?: number;
  readonly ticks: number;
  /** What the player does, in the order of its ticks. */
  readonly inputs?: readonly Entry[];
  /** Called before the simulation is built: to look at its bodies, or to listen to its events. */
  readonly onInit?: (context: SimulationContext) => void;
  /** Called after every tick. */
  readonly onTick?: (tick: number) => void;
}

/** @returns A hash of the state after the last tick: equal for equal runs. */
export async function play(simulation: Simulation, options: Play): Promise<string> {
  const { seed = 1, capacity = 16, ticks, inputs = [], onInit, onTick } = options;
  let lastHash = '';
  const recording: Recording = {
    run: {
      seed,
      setup: null,
      capacity,
      // Known when the engine has been loaded.
      get engine() {
        return simulation.engine?.() ?? '';
      },
      invalidPoses: 'freeze',
      generation: 0,
    },
    start: undefined,
    lastTick: ticks,
    entries: [{ kind: 'step', tick: 1, stepS: 1 / 60 }, ...inputs],
    states: [],
  };
  const played: Simulation = {
    ...simulation,
    init(context) {
      onInit?.(context);
      return simulation.init(context);
    },
  };
  await replay(played, recording, {
    onTick(tick, hash) {
      onTick?.(tick);
      if (tick === ticks) lastHash = hash();
    },
  });
  return lastHash;
}
