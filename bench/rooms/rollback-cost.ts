/**
 * What a surprise costs a client that predicts: going back, running eight ticks again, and comparing all bodies for the picture.
 *
 *     packet of tick T with a hit in tick T − 1 that the client did not know     T − 2 ◀── back ── T + 6
 *                                                                                T − 1 ─ again ─▶ T + 6
 *
 * The room's run is over before the client's begins: one engine has one world, as in a page's worker.
 */
import { EventReporter } from '../../src/sim-worker/events/event-reporter.js';
import type { RapierBuild } from '../../src/sim-worker/engines/rapier.js';
import type { KeptState, Simulation } from '../../src/sim-worker/index.js';
import { PoseCorrections } from '../../src/sim-worker/room/pose-corrections.js';
import { PredictedRun } from '../../src/sim-worker/room/predicted-run.js';
import { moveToKept } from '../../src/sim-worker/run/kept-states.js';
import { checkpointOf } from '../../src/sim-worker/run/checkpoint.js';
import { SimulationRun } from '../../src/sim-worker/run/simulation-run.js';
import { percentilesOf, type Spread } from './percentiles.js';
import { HZ, playPit, TICKS_PER_PACKET, type PlayedPit } from './played-pit.js';
import { createPit, PIT_CAPACITY, type PitMotion, type PitOptions } from './pit.js';

/** Ticks that a surprise repeats. */
export const REPEATED_TICKS = 8;
/** Of a round, in which the code is compiled. */
const WARM_UP = 60;

const NO_STATES = 'the engine keeps no states: another world is in its memory';

/** By copies of the engine's memory, or by states as they are in files. */
export type StateKind = 'kept' | 'saved';

export interface RollbackCost {
  readonly build: RapierBuild;
  readonly motion: PitMotion;
  readonly states: StateKind;
  readonly rollbacks: number;
  /** All of it, in processor time of the process; and elapsed time, which other processes lengthen. */
  readonly ms: Spread;
  readonly elapsedMs: Spread;
  /** The same ticks as bare steps, right after it, and how many times as long it took. */
  readonly stepsMs: Spread;
  readonly ratio: Spread;
  /** A tick without a surprise, with what it keeps for going back. */
  readonly tickMs: Spread;
  /** Hashes of the room that were compared, and that differed. */
  readonly hashes: number;
  readonly desyncs: number;
}

/** @param rollbacks Of each kind in each round. */
export async function measureRollbacks(
  options: Required<PitOptions>,
  rollbacks: number,
  rounds: number,
  onRound: (round: number) => void,
): Promise<readonly RollbackCost[]> {
  const session = await playPit(
    options,
    (WARM_UP + rollbacks) * TICKS_PER_PACKET,
    (tick) => tick % TICKS_PER_PACKET === 1,
  );
  const kinds = (['saved', 'kept'] as const).map((states) => {
    return {
      states,
      ms: [] as number[],
      elapsedMs: [] as number[],
      stepsMs: [] as number[],
      tickMs: [] as number[],
      hashes: 0,
      desyncs: 0,
    };
  });
  for (let round = 0; round < rounds; round++) {
    onRound(round);
    for (const kind of kinds) {
      const times = await followRoom(options, kind.states, session);
      kind.ms.push(...times.ms);
      kind.elapsedMs.push(...times.elapsedMs);
      kind.stepsMs.push(...times.stepsMs);
      kind.tickMs.push(...times.tickMs);
      const { counters } = times;
      kind.hashes += counters.hashes;
      kind.desyncs += counters.desyncs;
    }
  }
  return kinds.map(({ states, ms, elapsedMs, stepsMs, tickMs, hashes, desyncs }) => {
    return {
      build: options.build,
      motion: options.motion,
      states,
      rollbacks: ms.length,
      ms: percentilesOf(ms),
      elapsedMs: percentilesOf(elapsedMs),
      stepsMs: percentilesOf(stepsMs),
      ratio: percentilesOf(ms.map((value, index) => value / (stepsMs[index] ?? Number.NaN))),
      tickMs: percentilesOf(tickMs),
      hashes,
      desyncs,
    };
  });
}

async function followRoom(options: PitOptions, states: StateKind, { welcome, packets }: PlayedPit) {
  const pit = createPit(options);
  const simulation: Simulation =
    states === 'kept' ? pit : Object.create(pit, { keep: { value: undefined } });
  const run = new SimulationRun({
    simulation,
    options: {
      capacity: PIT_CAPACITY,
      seed: welcome.run.seed,
      setup: welcome.run.setup,
      dt: 1 / HZ,
      invalidPosePolicy: 'freeze',
    },
    events: new EventReporter(undefined),
  });
  await run.initialize();
  if (states === 'kept' && simulation.keep?.() === undefined) {
    throw new Error(NO_STATES);
  }
  const predicted = new PredictedRun(run, welcome);
  const corrections = new PoseCorrections();
  const { lanes, bodyLimit } = run.bodies;
  const current = { poses: new Float32Array(lanes.buffer), metas: lanes };
  const shown = new Float32Array(lanes.length);
  const shownLanes = { poses: shown, metas: new Int32Array(shown.buffer) };
  const ms: number[] = [];
  const elapsedMs: number[] = [];
  const stepsMs: number[] = [];
  const tickMs: number[] = [];
  /** Processor time of the same number of ticks from here, without anything else. */
  let used: KeptState | undefined;
  const measureSteps = (): number => {
    const state = pit.keep?.(used);
    if (state === undefined) throw new Error(NO_STATES);
    used = state;
    const here = { position: checkpointOf(run), state };
    const start = process.cpuUsage();
    for (let count = 0; count < REPEATED_TICKS; count++) run.runTick(1 / HZ);
    const { user, system } = process.cpuUsage(start);
    moveToKept(run, here);
    return (user + system) / 1000;
  };
  for (const [index, packet] of packets.entries()) {
    // As far ahead as a client is when a packet makes it repeat that many ticks.
    const ahead = packet.tick - TICKS_PER_PACKET + REPEATED_TICKS;
    while (predicted.tick < ahead) {
      const start = performance.now();
      predicted.advance(predicted.tick + 1);
      if (index >= WARM_UP) tickMs.push(performance.now() - start);
    }
    shown.set(current.poses);
    const before = predicted.counters.repeatedTicks;
    const startMs = performance.now();
    const startCpu = process.cpuUsage();
    const isRight = predicted.receive(packet) && predicted.advance(predicted.tick);
    corrections.note(shownLanes, current, bodyLimit);
    const { user, system } = process.cpuUsage(startCpu);
    const endMs = performance.now();
    if (!isRight) throw new Error(`the client differs from the room at tick ${packet.tick}`);
    const repeated = predicted.counters.repeatedTicks - before;
    if (repeated !== REPEATED_TICKS) throw new Error(`${repeated} ticks were repeated`);
    if (index < WARM_UP) continue;
    ms.push((user + system) / 1000);
    elapsedMs.push(endMs - startMs);
    stepsMs.push(measureSteps());
  }
  run.dispose();
  return { ms, elapsedMs, stepsMs, tickMs, counters: predicted.counters };
}
