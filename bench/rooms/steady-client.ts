/**
 * A client that predicts the stirred pit for minutes: does it drop ticks? Its clock is virtual, and each tick moves it by the
 * processor time that it took. The schedule, and what it drops, are those of the worker's loop.
 */
import { Random } from '../../src/shared/recording/random.js';
import { CONTROL_LENGTH } from '../../src/shared/memory/layout.js';
import { DEFAULT_MAX_CATCH_UP_TICKS, Schedule } from '../../src/shared/time/schedule.js';
import { EventReporter } from '../../src/sim-worker/events/event-reporter.js';
import { Pacer } from '../../src/sim-worker/loop/pacer.js';
import { PredictedRun } from '../../src/sim-worker/room/predicted-run.js';
import { SimulationRun } from '../../src/sim-worker/run/simulation-run.js';
import { percentilesOf, type Spread } from './percentiles.js';
import { HZ, playPit } from './played-pit.js';
import { createPit, PIT_CAPACITY } from './pit.js';
import { VirtualLink, type NetworkOptions } from './virtual-network.js';

/** What seven others do: two things a second each. */
const HITS_PER_SECOND = 14;
/** How far ahead of the room the client is: what an action takes to it, and some more. */
const LEAD_MS = 80;

export interface SteadyClient {
  readonly seconds: number;
  readonly rollbacks: number;
  readonly repeatedTicks: number;
  readonly ticks: number;
  readonly droppedTicks: number;
  /** Processor time of a tick, with all that it repeats. */
  readonly tickMs: Spread;
  readonly hashes: number;
  readonly desyncs: number;
}

/** @param slowness How many times as long a tick takes as it does, for tests. Default 1. */
export async function runSteadyClient(
  network: NetworkOptions,
  seconds: number,
  slowness = 1,
): Promise<SteadyClient> {
  const random = new Random(9);
  const { welcome, packets } = await playPit(
    { build: 'simd' },
    seconds * HZ,
    () => random.next() < HITS_PER_SECOND / HZ,
  );
  const startMs = (welcome.tick * 1000) / HZ;
  const link = new VirtualLink(network, 4);
  let sent = 0;
  /** A packet is sent when its tick has run. Each is known by its index. */
  const send = (nowMs: number): void => {
    for (;;) {
      const sentMs = ((packets[sent]?.tick ?? Infinity) * 1000) / HZ - startMs;
      if (sentMs > nowMs) return;
      link.send(Uint8Array.of(sent & 0xff, sent >> 8), sentMs);
      sent += 1;
    }
  };
  const run = new SimulationRun({
    simulation: createPit({ build: 'simd' }),
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
  const predicted = new PredictedRun(run, welcome);
  const schedule = new Schedule(HZ);
  schedule.resume(0);
  const pacer = new Pacer(schedule, DEFAULT_MAX_CATCH_UP_TICKS, new Int32Array(CONTROL_LENGTH));
  const leadTicks = Math.round((LEAD_MS * HZ) / 1000);
  const tickMs: number[] = [];
  let [nowMs, ticks, droppedTicks] = [0, 0, 0];
  while (nowMs < seconds * 1000 - LEAD_MS) {
    pacer.begin(nowMs, nowMs);
    droppedTicks += pacer.takeDroppedTicks();
    while (pacer.next() !== undefined) {
      send(nowMs);
      const arrived = link.receive(nowMs);
      const start = process.cpuUsage();
      for (const [low = 0, high = 0] of arrived) {
        const packet = packets[low + 256 * high];
        if (packet !== undefined) predicted.receive(packet);
      }
      predicted.advance(welcome.tick + pacer.lastTick + droppedTicks + leadTicks);
      const { user, system } = process.cpuUsage(start);
      tickMs.push((user + system) / 1000);
      nowMs += ((user + system) / 1000) * slowness;
      ticks += 1;
    }
    nowMs = Math.max(nowMs, pacer.nextDueMs);
  }
  // Those that the last tick was in the way of.
  pacer.begin(nowMs, nowMs);
  droppedTicks += pacer.takeDroppedTicks();
  run.dispose();
  const { rollbacks, repeatedTicks, hashes, desyncs } = predicted.counters;
  return {
    seconds,
    rollbacks,
    repeatedTicks,
    ticks,
    droppedTicks,
    tickMs: percentilesOf(tickMs),
    hashes,
    desyncs,
  };
}
