/// <reference lib="webworker" />
/** Bodies that come and go, with a log of which ones live after each tick: a second account of what a page draws. */
import { runSimulation, type Simulation } from '../../../src/sim-worker/index.js';
import { createComingAndGoing } from '../../fixtures/coming-and-going.js';

const inner = createComingAndGoing();
/** By tick: the numbers of the bodies. */
let log: Record<number, number[]> = {};

export const simulation = runSimulation({
  tag: inner.tag,
  init(context) {
    inner.init(context);
    log = { 0: inner.queries.numbers() };
  },
  reset() {
    inner.reset();
    log = { 0: inner.queries.numbers() };
  },
  step(_dt, tick) {
    inner.step();
    log[tick] = inner.queries.numbers();
  },
  queries: { ...inner.queries, livesAfter: (tick: number) => log[tick] ?? [] },
  // With the log, so that another worker has it too.
  save: () => new TextEncoder().encode(JSON.stringify({ bytes: [...inner.save()], log })),
  restore(saved) {
    const given = JSON.parse(new TextDecoder().decode(saved)) as {
      readonly bytes: readonly number[];
      readonly log: typeof log;
    };
    inner.restore(Uint8Array.from(given.bytes));
    log = given.log;
  },
} satisfies Simulation);
