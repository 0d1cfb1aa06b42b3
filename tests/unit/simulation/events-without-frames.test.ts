/** Events for handlers that wait for no frame: none stays in the queue, although no frame reads it. */
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect, type ConnectOptions } from '../../../src/render-main/index.js';
import { loadReplays } from '../../../src/render-main/session/run-control.js';
import type { Simulation, SimulationContext } from '../../../src/sim-worker/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import {
  RESTART,
  connectScripted,
  type ScriptedSimulation,
} from '../../fixtures/scripted-simulation.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';

const NOW = { when: 'now' } as const;
const SAVED = { canSave: true };

// They load in real time, which takes an unknown number of turns.
beforeAll(() =>
  Promise.all([
    import('../../../src/render-main/session/worker-replacement.js'),
    import('../../../src/render-main/worker/worker-restarter.js'),
  ]),
);

const ATOMIC = ['load', 'store', 'exchange', 'compareExchange', 'add', 'or'] as const;

/**
 * Runs a function, and another one before each of its atomic operations: what a thread does to shared
 * memory may come between any two operations of another thread.
 *
 * @param before Called with how many operations there have been.
 * @returns How many there were.
 */
function interrupted(run: () => void, before: (operations: number) => void): number {
  let operations = 0;
  let isInterrupted = false;
  const spies = ATOMIC.map((name) => {
    const operate = Atomics[name] as (...args: unknown[]) => unknown;
    return vi.spyOn(Atomics, name).mockImplementation(((...args: unknown[]) => {
      if (!isInterrupted) {
        isInterrupted = true;
        before(operations);
        isInterrupted = false;
        operations += 1;
      }
      return operate(...args);
    }) as never);
  });
  try {
    run();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return operations;
}

test('an event is read, wherever the page is in its reading when the worker reports it', async () => {
  const { simulation, worker } = await connectScripted('local');
  let seen = 0;
  simulation.on('goal', () => (seen += 1), NOW);
  let reported = 0;
  let isPosted = false;
  const report = (): void => {
    worker.reportEvent('goal');
    reported += 1;
  };
  const endPass = (): void => {
    if (worker.takeEventNudge()) isPosted = true;
  };
  /** The page receives the worker's message, and reads. */
  const read = (before: (operations: number) => void = () => {}): number => {
    isPosted = false;
    return interrupted(() => worker.postEvents(), before);
  };
  report();
  endPass();
  const most = read();
  expect([seen, most > 5]).toEqual([1, true]);
  for (let reportAt = 0; reportAt <= most; reportAt++) {
    for (let endAt = reportAt; endAt <= most; endAt++) {
      report();
      endPass();
      const left = [
        { at: reportAt, run: report },
        { at: endAt, run: endPass },
      ];
      const work = (operations: number): void => {
        while (left[0] !== undefined && left[0].at <= operations) left.shift()?.run();
      };
      read(work);
      work(most);
      // If the page needs a message to read again, the worker has posted one.
      if (isPosted) read();
      expect({ reportAt, endAt, seen }).toEqual({ reportAt, endAt, seen: reported });
    }
  }
});

/** The end of a worker is seen by the page's clock. */
async function settle(scripted: ScriptedSimulation): Promise<void> {
  for (let count = 0; count < 6; count++) {
    await scripted.turns(6);
    scripted.clock.pass(10);
  }
}

/** A worker has run two ticks and begun a third, each with an event. */
async function inThirdTick(options: ConnectOptions = {}) {
  const scripted = await connectScripted('local', options, SAVED);
  const { simulation, worker } = scripted;
  const seen: unknown[] = [];
  simulation.on('goal', ({ tick }) => seen.push(tick), NOW);
  simulation.on('status', ({ kind }) => seen.push(kind));
  for (let tick = 1; tick <= 3; tick++) {
    worker.beginTick();
    worker.reportEvent('goal');
    if (tick < 3) worker.endTick();
  }
  await scripted.turns();
  expect(seen).toEqual([]);
  return { scripted, simulation, worker, seen };
}

describe('events of a pass that has not ended are read', () => {
  test('before another worker runs the tick again in which it failed', async () => {
    const { scripted, worker, seen } = await inThirdTick(RESTART);
    worker.die();
    await settle(scripted);
    expect(seen).toEqual(['restarting', 1, 2, 'restarted']);
    scripted.worker.beginTick();
    scripted.worker.reportEvent('goal');
    expect(scripted.worker.takeEventNudge()).toBe(true);
    scripted.worker.postEvents();
    expect(seen.slice(4)).toEqual([3]);
  });

  test('of a shown recording, before the run continues that it was shown instead of', async () => {
    const { scripted, simulation, worker, seen } = await inThirdTick(RESTART);
    worker.endTick();
    await scripted.turns();
    const recording = simulation.recording();
    await scripted.until(simulation.seek(1));
    await scripted.until(simulation.openReplay(recording, { tick: 2 }));
    worker.postEvents();
    expect(seen.splice(0)).toEqual([1, 2, 3]);
    // Of the recording, which does not run again.
    worker.beginTick();
    worker.reportEvent('goal');
    worker.die();
    await settle(scripted);
    expect(seen).toEqual(['restarting', 3, 'restarted', 'replay-stopped']);
    expect(simulation.stats().tick).toBe(1);
  });

  test('before the simulation has failed', async () => {
    const { scripted, worker, seen } = await inThirdTick();
    worker.die();
    await settle(scripted);
    expect(seen).toEqual([1, 2, 3, 'failed']);
  });

  test('before another worker takes over on demand', async () => {
    const { scripted, simulation, worker, seen } = await inThirdTick();
    worker.endTick();
    const replacing = simulation.replaceWorker();
    await settle(scripted);
    await replacing;
    expect(seen).toEqual([1, 2, 3, 'replaced']);
  });
});

describe('the end of all pairs is read', () => {
  test('when another worker runs after a failure', async () => {
    const { scripted, worker, seen } = await inScriptedSensor(RESTART);
    worker.die();
    await settle(scripted);
    expect(seen).toEqual(['restarting', 'restarted', 'leave']);
  });

  test('when another worker has taken over', async () => {
    const { scripted, simulation, seen } = await inScriptedSensor();
    const replacing = simulation.replaceWorker();
    await settle(scripted);
    await replacing;
    expect(seen).toEqual(['replaced', 'leave']);
  });

  test('before a seek has ended, and is not counted as an event', async () => {
    const { until, simulation, seen } = await inSensor();
    await until(simulation.seek(0));
    expect(seen.splice(0)).toEqual(['leave']);
    expect(simulation.stats().events).toBe(1);
    await until(simulation.step());
    expect(seen).toEqual(['enter']);
    expect(simulation.stats().events).toBe(2);
  });

  test('before a seek has failed, after which the run is where it was', async () => {
    const { until, simulation, seen } = await inSensor();
    await until(simulation.queries.throwAt(1));
    await expect(until(simulation.seek(1))).rejects.toThrow('a bad tick');
    expect([seen, simulation.stats().tick]).toEqual([['leave'], 3]);
  });

  test('before a state is restored', async () => {
    const { until, simulation, seen } = await inSensor();
    await until(simulation.restore(await until(simulation.save())));
    expect(seen).toEqual(['leave']);
  });

  test('before a recording is shown, moved in, and left by a tick that throws', async () => {
    const { until, simulation, seen } = await inSensor();
    const replay = await until(simulation.openReplay(simulation.recording()));
    expect(seen.splice(0)).toEqual(['leave']);
    await until(simulation.step(2));
    expect(seen.splice(0)).toEqual(['enter']);
    await until(replay.seek(1));
    expect(seen.splice(0)).toEqual(['leave']);
    await until(simulation.step());
    expect(seen.splice(0)).toEqual(['enter']);
    await until(simulation.queries.throwAt(3));
    await expect(until(simulation.step())).rejects.toThrow('the run was taken elsewhere');
    await until(simulation.queries.throwAt(Infinity));
    expect(seen).toEqual(['leave', 'replay-stopped']);
  });

  test('before a query has restarted a paused run', async () => {
    const { until, simulation, seen } = await inSensor();
    await until(simulation.queries.restart());
    expect([seen, simulation.stats().tick]).toEqual([['leave'], 0]);
  });
});

/** Of a scripted worker, something is in the sensor. */
async function inScriptedSensor(options: ConnectOptions = {}) {
  const scripted = await connectScripted('local', options, SAVED);
  const { simulation, worker } = scripted;
  const seen: unknown[] = [];
  simulation.on('sensor', ({ phase }) => seen.push(phase), NOW);
  simulation.on('status', ({ kind }) => seen.push(kind));
  worker.beginTick();
  worker.reportEnter();
  worker.endTick();
  worker.postEvents();
  await scripted.turns();
  expect(seen.splice(0)).toEqual(['enter']);
  return { scripted, simulation, worker, seen };
}

/** Something is in its sensor in each tick. */
function createEntered() {
  let context: SimulationContext;
  let run = Number.NaN;
  let throwsAt = Infinity;
  return {
    init: (given: SimulationContext) => void (context = given),
    step(_dt: number, tick: number) {
      if (tick === throwsAt) throw new Error('a bad tick');
      const { events } = context;
      if (events.run !== run) events.sensor(1, undefined, true, 0, 0, 0);
      run = events.run;
    },
    reset: () => {},
    save: () => Uint8Array.of(),
    restore: () => {},
    queries: {
      restart: () => context.restart(),
      throwAt: (tick: number) => void (throwsAt = tick),
    },
  } satisfies Simulation;
}

/** The third tick of a paused run is over, in the same thread as its page. */
async function inSensor() {
  const time = new VirtualTime();
  await loadReplays();
  const simulation = await connect<ReturnType<typeof createEntered>>(
    () => runLocally(createEntered()),
    { transport: 'local', capacity: 1, startPaused: true },
  );
  onTestFinished(() => time.until(simulation.dispose()));
  const seen: string[] = [];
  simulation.on('sensor', ({ phase }) => seen.push(phase), NOW);
  simulation.on('status', ({ kind }) => seen.push(kind));
  const until = <T>(call: Promise<T>): Promise<T> => time.until(call);
  await until(simulation.step(3));
  expect(seen.splice(0)).toEqual(['enter']);
  return { until, simulation, seen };
}
