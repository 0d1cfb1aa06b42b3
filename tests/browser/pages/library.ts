/** A page without a canvas: tests access the library through `globalThis.library`. */
import { releaseProxy, wrap } from 'comlink';
import {
  connect,
  type ConnectOptions,
  type SimulationHandle,
} from '../../../src/render-main/index.js';
import { encodeRecording } from '../../../src/shared/index.js';
import type { RunHandle } from './by-transport.js';
import { PATIENT } from '../patient.js';
import type { ToyCommands, ToyQueries } from './toy-commands.js';

export type Toy = SimulationHandle<ToyCommands, Record<never, never>, ToyQueries>;

const workers = {
  toy: () =>
    new Worker(new URL('./toy.worker.ts', import.meta.url), { type: 'module', name: 'toy' }),
  throwsInInit: () =>
    new Worker(new URL('./toy.worker.ts', import.meta.url), {
      type: 'module',
      name: 'throws-in-init',
    }),
  throwsAtLoad: () =>
    new Worker(new URL('./throws-at-load.worker.ts', import.meta.url), { type: 'module' }),
  missing: () => new Worker('/tests/browser/pages/there-is-no-such.worker.js', { type: 'module' }),
  withProxy: () =>
    new Worker(new URL('./with-proxy.worker.ts', import.meta.url), { type: 'module' }),
  silent: () => new Worker(new URL('./silent.worker.ts', import.meta.url), { type: 'module' }),
};

const connectTo = (worker: keyof typeof workers, options?: ConnectOptions): Promise<Toy> =>
  connect<{ commands: ToyCommands; queries: ToyQueries }>(workers[worker], options);

/** Loads the worker's side into the page: most tests do without. */
const byTransport = () => import('./by-transport.js');

const newestTick = (): number => library.simulation?.stats().tick ?? 0;

const library = {
  /** The simulation of the last `start`. */
  simulation: undefined as Toy | undefined,

  async start(worker: keyof typeof workers, options?: ConnectOptions): Promise<void> {
    library.simulation = await connectTo(worker, { ...PATIENT, ...options });
  },

  /**
   * As `start`, with a worker that the page has its own Comlink proxy to, and has called before.
   * The proxy is released.
   *
   * @returns The proxy's answers, before and after the start.
   */
  async startBesideProxy(options: ConnectOptions): Promise<number[]> {
    const worker = workers.withProxy();
    const own = wrap<{ double(value: number): number }>(worker);
    const answers = [await own.double(21)];
    library.simulation = await connect<{ commands: ToyCommands; queries: ToyQueries }>(
      () => worker,
      { ...PATIENT, ...options },
    );
    answers.push(await own.double(4));
    own[releaseProxy]();
    return answers;
  },

  /** How the clocks of the last `start` are aligned, repeated this many times. */
  async alignments(count: number) {
    const { simulation } = library;
    const clocks = [];
    for (let time = 0; time < count; time++) {
      await simulation?.pause();
      await simulation?.resume();
      const clock = simulation?.stats().clock;
      if (clock !== undefined) clocks.push(clock);
    }
    return clocks;
  },

  /** As `start`, without the doorbell: a worker that is not rung for its messages. */
  async startWithoutDoorbell(options?: ConnectOptions): Promise<void> {
    const notify = Atomics.notify;
    const add = Atomics.add;
    Atomics.notify = () => 0;
    Atomics.add = ((words: Int32Array, index: number, value: number) =>
      // The clock's pings are counted in the same way and have to continue.
      index === 16 ? Atomics.load(words, index) : add(words, index, value)) as typeof Atomics.add;
    library.restoreDoorbell = () => {
      Atomics.notify = notify;
      Atomics.add = add;
    };
    await library.start('toy', options);
  },
  restoreDoorbell: () => {},

  /** The error that `start` rejects with, in parts that can be passed to the test. */
  async failureOf(worker: keyof typeof workers, options?: unknown) {
    try {
      library.simulation = await connectTo(worker, options as ConnectOptions);
    } catch (error) {
      return describeError(error);
    }
    return undefined;
  },

  /** The run of the last `startRun`. */
  run: undefined as unknown as RunHandle,

  async startRun(options: ConnectOptions): Promise<RunHandle> {
    library.run = await (await byTransport()).connectRun(options);
    return library.run;
  },

  /** Draws, and measures the drawing; see by-transport.ts. */
  async measureFlight(options: ConnectOptions, settledFrames: number) {
    return (await byTransport()).measureFlight(options, settledFrames);
  },

  nextFrame: (): Promise<number> => new Promise(requestAnimationFrame),

  /** Waits until the simulation of the last `start` is in a state. */
  async reaches(state: SimulationHandle['state']): Promise<void> {
    while (library.simulation?.state !== state) await library.nextFrame();
  },

  /** As if another tab was shown, or this one again. */
  setHidden(isHidden: boolean): void {
    Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  },

  /** Waits until this many more ticks of the last `start` have run. */
  async moreTicks(count: number): Promise<void> {
    const end = newestTick() + count;
    while (newestTick() < end) await library.nextFrame();
  },
  encodeRecording,

  /** Console messages that are neither a warning nor an error. */
  said: [] as string[],

  /**
   * Blocks the page, as a long task does. @returns How many ticks the worker has run in that time.
   */
  block(durationMs: number): number {
    const before = newestTick();
    const endMs = performance.now() + durationMs;
    while (performance.now() < endMs);
    return newestTick() - before;
  },

  /** Round trips of a control call, in ms, each at another moment of the tick. */
  async controlLatenciesMs(calls: number): Promise<number[]> {
    const latenciesMs: number[] = [];
    for (let call = 0; call < calls; call++) {
      await new Promise((resolve) => setTimeout(resolve, 7 + (call % 5) * 13));
      const startMs = performance.now();
      await library.simulation?.queries.echo(call);
      latenciesMs.push(performance.now() - startMs);
    }
    return latenciesMs;
  },
  describeError,
};

function describeError(error: unknown) {
  if (!(error instanceof Error)) return { name: 'not an error', message: String(error) };
  const { name, message } = error;
  const stage = 'stage' in error ? error.stage : undefined;
  const workerStack = 'workerStack' in error ? error.workerStack : undefined;
  return { name, message, stage, workerStack };
}

declare global {
  var library: typeof libraryType;
}
const libraryType = library;
globalThis.library = library;

const { info } = console;
console.info = (...parts: unknown[]): void => {
  library.said.push(parts.map(String).join(' '));
  info(...parts);
};
