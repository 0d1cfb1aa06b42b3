/** Events for handlers that wait for no frame: none stays in the queue, although no frame reads it. */
import { expect, test, vi } from 'vitest';
import { WorkerFailedError, type ConnectOptions } from '../../../src/render-main/index.js';
import type { Simulation, SimulationContext } from '../../../src/sim-worker/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { LoopWords } from '../../../src/sim-worker/loop/loop-parts.js';
import { RESTART } from '../../fixtures/faulty-toy.js';
import { present } from '../../fixtures/present.js';
import { takeTurn } from '../../fixtures/scripted-host.js';
import { TappedWorker, isOfType } from '../../fixtures/tapped-worker.js';
import { connectLocally } from '../../fixtures/virtual-time.js';

const NOW = { when: 'now' } as const;
const isEvents = isOfType('betwixt:events');

type Goals = { goal: number };

/** Something is in its sensor in each tick, and each tick has an event. */
function createEventful(contexts: SimulationContext<Goals>[], throwsOnceAt: { tick: number }) {
  let context: SimulationContext<Goals>;
  let run = Number.NaN;
  let throwsAt = Infinity;
  return {
    events: {} as Goals,
    init(given: SimulationContext<Goals>) {
      context = given;
      contexts.push(given);
    },
    step(_dt: number, tick: number) {
      const { events } = context;
      events.emit('goal', tick);
      if (events.run !== run) events.sensor(1, undefined, true, 0, 0, 0);
      run = events.run;
      if (tick === throwsAt) throw new Error('a bad tick');
      if (tick !== throwsOnceAt.tick) return;
      throwsOnceAt.tick = Infinity;
      throw new Error('a tick that fails once');
    },
    reset: () => {},
    save: () => Uint8Array.of(),
    restore: () => {},
    queries: {
      restart: () => context.restart(),
      throwAt: (tick: number) => void (throwsAt = tick),
    },
  } satisfies Simulation<Record<never, never>, Goals>;
}

/** Paused at its start; what its page receives, of one kind of events. */
async function connected(of: 'goal' | 'sensor', options: ConnectOptions = {}) {
  const contexts: SimulationContext<Goals>[] = [];
  const throwsOnceAt = { tick: Infinity };
  const workers: TappedWorker[] = [];
  /** Whether the next workers post no message about events: the page has to look by itself. */
  const next = { isMute: false };
  const { time, simulation } = await connectLocally<ReturnType<typeof createEventful>>(
    () => {
      const worker = new TappedWorker(runLocally(createEventful(contexts, throwsOnceAt)), true);
      if (next.isMute) worker.leaveOut(isEvents);
      workers.push(worker);
      return worker;
    },
    { startPaused: true, ...options },
  );
  const seen: unknown[] = [];
  if (of === 'goal') simulation.on('goal', ({ value }) => seen.push(value), NOW);
  else simulation.on('sensor', ({ phase }) => seen.push(phase), NOW);
  simulation.on('status', ({ kind }) => {
    if (kind !== 'jumped') seen.push(kind);
  });
  const until = <T>(call: Promise<T>): Promise<T> => time.until(call);
  const restarts = async (): Promise<void> => {
    while (simulation.state === 'restarting') await time.pass(10);
  };
  const worker = workers[0] as TappedWorker;
  return { time, until, restarts, simulation, seen, worker, contexts, throwsOnceAt, next };
}

const ATOMIC = ['load', 'store', 'exchange', 'compareExchange', 'add', 'or'] as const;

/**
 * Runs a function before each atomic operation of the page, while it handles a message: what a thread
 * does to shared memory may come between any two operations of another thread.
 *
 * @param before Called with how many operations there have been.
 * @returns How many there were.
 */
async function interrupted(run: () => void, before: (operations: number) => void): Promise<number> {
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
    for (let turn = 0; turn < 2; turn++) await takeTurn();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return operations;
}

test('an event is read, wherever the page is in its reading when the worker reports it', async () => {
  const { seen, worker, contexts, until, simulation } = await connected('goal');
  await until(simulation.step());
  seen.length = 0;
  const [context] = contexts;
  const words = new LoopWords(present(worker.views).control);
  let reported = 0;
  let isPosted = false;
  const report = (): void => {
    context?.events.emit('goal', 0);
    reported += 1;
  };
  const endPass = (): void => {
    if (words.takeEventNudge()) isPosted = true;
  };
  /** The page receives the worker's message, and reads. */
  const read = (before: (operations: number) => void = () => {}): Promise<number> => {
    isPosted = false;
    return interrupted(() => worker.post('page', { type: 'betwixt:events' }), before);
  };
  report();
  endPass();
  const most = await read();
  expect([seen.length, most > 5]).toEqual([1, true]);
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
      await read(work);
      work(most);
      // If the page needs a message to read again, the worker has posted one.
      if (isPosted) await read();
      expect({ reportAt, endAt, seen: seen.length }).toEqual({ reportAt, endAt, seen: reported });
    }
  }
});

test('events of a pass that fails are read before another worker runs the failing tick again', async () => {
  const { until, restarts, simulation, seen, throwsOnceAt } = await connected('goal', RESTART);
  throwsOnceAt.tick = 3;
  await expect(until(simulation.step(3))).rejects.toThrow('fails once');
  await restarts();
  expect(seen).toEqual(['restarting', 1, 2, 'restarted']);
  await until(simulation.step());
  expect(seen.slice(4)).toEqual([3]);
});

test('events of a shown recording are read before the run continues that it was shown instead of', async () => {
  const { until, restarts, simulation, seen, worker } = await connected('goal', RESTART);
  await until(simulation.step(4));
  const recording = simulation.recording();
  await until(simulation.seek(1));
  await until(simulation.openReplay(recording, { tick: 2 }));
  expect(seen.splice(0)).toEqual([1, 2, 3, 4]);
  worker.dieOf(isEvents);
  await expect(until(simulation.step())).rejects.toBeInstanceOf(WorkerFailedError);
  await restarts();
  expect(seen).toEqual(['restarting', 3, 'restarted', 'replay-stopped']);
  expect(simulation.stats().tick).toBe(1);
});

test('events of a pass that fails are read before the simulation has failed', async () => {
  const { until, simulation, seen, throwsOnceAt } = await connected('goal');
  throwsOnceAt.tick = 3;
  await expect(until(simulation.step(3))).rejects.toThrow('fails once');
  expect(seen).toEqual([1, 2, 3, 'failed']);
});

test('events of a pass that has not ended are read before another worker takes over', async () => {
  const { until, simulation, seen, worker } = await connected('goal');
  worker.leaveOut(isEvents);
  await until(simulation.step(3));
  expect(seen).toEqual([]);
  await until(simulation.replaceWorker());
  expect(seen).toEqual([1, 2, 3, 'replaced']);
});

/** The third tick of a paused run is over. */
async function inSensor(options: ConnectOptions = {}) {
  const entered = await connected('sensor', options);
  await entered.until(entered.simulation.step(3));
  expect(entered.seen.splice(0)).toEqual(['enter']);
  return entered;
}

test('the end of all pairs is read when another worker runs after a failure', async () => {
  const { time, restarts, seen, worker, next } = await inSensor(RESTART);
  next.isMute = true;
  worker.die();
  await time.pass(100);
  await restarts();
  expect(seen).toEqual(['restarting', 'restarted', 'leave']);
});

test('the end of all pairs is read when another worker has taken over', async () => {
  const { until, simulation, seen, next } = await inSensor();
  next.isMute = true;
  await until(simulation.replaceWorker());
  expect(seen).toEqual(['replaced', 'leave']);
});

test('the end of all pairs is read before a seek has ended, and is not counted as an event', async () => {
  const { until, simulation, seen } = await inSensor();
  const { events } = simulation.stats();
  await until(simulation.seek(0));
  expect(seen.splice(0)).toEqual(['leave']);
  expect(simulation.stats().events).toBe(events);
  await until(simulation.step());
  expect(seen).toEqual(['enter']);
  expect(simulation.stats().events).toBe(events + 2);
});

test('the end of all pairs is read before a seek has failed, after which the run is where it was', async () => {
  const { until, simulation, seen } = await inSensor();
  await until(simulation.queries.throwAt(1));
  await expect(until(simulation.seek(1))).rejects.toThrow('a bad tick');
  expect([seen, simulation.stats().tick]).toEqual([['leave'], 3]);
});

test('the end of all pairs is read before a state is restored', async () => {
  const { until, simulation, seen } = await inSensor();
  await until(simulation.restore(await until(simulation.save())));
  expect(seen).toEqual(['leave']);
});

test('the end of all pairs is read before a recording is shown, moved in, and left by a tick that throws', async () => {
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

test('the end of all pairs is read before a query has restarted a paused run', async () => {
  const { until, simulation, seen } = await inSensor();
  await until(simulation.queries.restart());
  expect([seen, simulation.stats().tick]).toEqual([['leave'], 0]);
});
