/// <reference lib="webworker" />
/** A simulation small enough to be obvious: one body that flies along x at 1 m/s. */
import {
  runSimulation,
  type Simulation,
  type SimulationContext,
} from '../../../src/sim-worker/index.js';
import type { BodyId } from '../../../src/shared/index.js';
import type { ToyCommands, ToyQueries } from './toy-commands.js';

const REST = { x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 };

let context: SimulationContext | undefined;
let flyer: BodyId | undefined;
let x = 0;
let nextTickThrows: string | undefined;

const simulation: Simulation<ToyCommands, Record<never, never>, ToyQueries> = {
  init(given) {
    if (self.name === 'throws-in-init') throw new Error('no luck in init');
    context = given;
    flyer = given.bodies.spawn(REST);
  },
  step(dt) {
    if (nextTickThrows !== undefined) throw new Error(nextTickThrows);
    x += dt;
    if (flyer !== undefined) context?.bodies.setPose(flyer, x, 0, 0, 0, 0, 0, 1);
  },
  commands: {
    spawn(count) {
      for (let index = 0; index < count; index++) context?.bodies.spawn(REST);
      return context?.bodies.bodyCount ?? 0;
    },
  },
  queries: {
    echo: (value) => value,
    throwNow(message) {
      throw new Error(message);
    },
    throwInNextTick(message) {
      nextTickThrows = message;
    },
    stall(durationMs) {
      const endMs = performance.now() + durationMs;
      while (performance.now() < endMs);
    },
    isIsolated: () => self.crossOriginIsolated,
  },
};

runSimulation(simulation);
