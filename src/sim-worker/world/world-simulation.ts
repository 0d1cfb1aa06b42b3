/** The simulation behind a world that the page makes: it applies the page's batches, and steps. */
import type { Json } from '../../shared/util/json.js';
import type { AppliedBatch, DescribedWorld } from '../../shared/world/world-batch.js';
import { rapierSimulation } from '../engines/rapier-simulation.js';
import { WorldContents } from './world-contents.js';

/** A simulation of a world that the page makes with `createWorld`. */
export const createWorldSimulation = () =>
  rapierSimulation(({ rapier, physics }) => {
    const contents = new WorldContents(rapier, physics);
    let lastTick = 0;
    return {
      step(dt, tick) {
        lastTick = tick;
        physics.step(dt);
      },
      commands: {
        apply: (words: Uint32Array): AppliedBatch => ({
          tick: lastTick + 1,
          ids: contents.apply(words),
        }),
      },
      queries: {
        describe: (known: Uint32Array): DescribedWorld => ({
          tick: lastTick,
          words: contents.describe(new Set(known)),
        }),
      },
      /** The body's handle on the page. */
      tag: 0 as number,
      save: (): Json => ({ lastTick, contents: contents.save() }),
      restore(saved: Json) {
        const { lastTick: tick, contents: before } = saved as {
          readonly lastTick: number;
          readonly contents: Json;
        };
        lastTick = tick;
        contents.restore(before);
      },
    };
  });
