/** A page without a canvas: tests access the library through `globalThis.library`. */
import {
  connect,
  type ConnectOptions,
  type SimulationHandle,
  type SimulationStatus,
} from '../../../src/render-main/index.js';
import { gamepadSource, keyboardSource, pointerSource } from '../../../src/inputs/index.js';
import type { WorldOptions } from '../../../src/world/page/index.js';
import { encodeRecording } from '../../../src/shared/index.js';
import type { InputValues } from '../../../src/shared/input/tick-inputs.js';
import type { Toy, ToyEvents } from '../../fixtures/toy-simulation.js';

export type ToyHandle = SimulationHandle<
  NonNullable<Toy['commands']>,
  ToyEvents,
  NonNullable<Toy['queries']>
>;

const workers = {
  throws: () => new Worker(new URL('./throws.worker.ts', import.meta.url), { type: 'module' }),
  throwsAtLoad: () =>
    new Worker(new URL('./throws-at-load.worker.ts', import.meta.url), { type: 'module' }),
  missing: () => new Worker('/tests/browser/pages/there-is-no-such.worker.js', { type: 'module' }),
};

/** Loads the worker's side into the page: some tests do without. */
const byTransport = () => import('./by-transport.js');

let player: ReturnType<typeof setInterval> | undefined;

const library = {
  /** The simulation of the last start. */
  simulation: undefined as unknown as ToyHandle,
  /** The toy's worker that was created last. */
  worker: undefined as unknown as Worker,
  /** The simulation's statuses since then. */
  statuses: [] as SimulationStatus[],
  /** Calls that a test has made and checks later. */
  waiting: undefined as Promise<unknown> | undefined,
  /** Console messages that are neither a warning nor an error. */
  said: [] as string[],
  /** Inputs pushed so far: each has its number as its code. */
  pushed: 0,

  /** Starts the toy, over any transport. */
  async start(options: ConnectOptions = {}, tunables = {}): Promise<void> {
    const simulation = await (await byTransport()).connectToy(options, tunables);
    library.simulation = simulation;
    library.statuses = [];
    simulation.on('status', (status) => library.statuses.push(status));
  },

  /** The error that a start rejects with, in parts that can be passed to the test. */
  failureOf: (worker: keyof typeof workers, options?: ConnectOptions) =>
    connect(workers[worker], options).then(() => undefined, describeError),

  /** The same of a script at any address. */
  failureAt: (address: string, type: WorkerType = 'module') =>
    connect(() => new Worker(address, { type })).then(() => undefined, describeError),

  /** The same of a world, with the library's own worker. */
  async failureOfWorld(options?: WorldOptions) {
    const world = (await import('../../../src/world/page/index.js')).createWorld(options);
    const failure = await world.ready.then(() => undefined, describeError);
    await world.dispose();
    return failure;
  },

  /** Waits until a worker whose script throws has been reported, outside of the library. */
  throwAtLoad: (): Promise<void> =>
    new Promise((resolve) => {
      workers.throwsAtLoad().addEventListener('error', (event) => {
        event.preventDefault();
        resolve();
      });
    }),

  /** Draws, and measures the drawing; see by-transport.ts. */
  async measureFrames(options: ConnectOptions, settledFrames: number) {
    return (await byTransport()).measureFrames(options, settledFrames);
  },

  /** Replays a recording of one of the demo's scenes; see golden.ts. */
  async replay(build: string, file: string) {
    return (await import('./golden.js')).replayInWorker(build, file);
  },

  nextFrame: (): Promise<number> => new Promise(requestAnimationFrame),

  /** Waits until the simulation is in a state. */
  async reaches(state: SimulationHandle['state']): Promise<void> {
    while (library.simulation.state !== state) await library.nextFrame();
  },

  /** Waits until this many more ticks have run. */
  async moreTicks(count: number): Promise<void> {
    const end = library.simulation.stats().tick + count;
    while (library.simulation.stats().tick < end) await library.nextFrame();
  },

  /** How the clocks are aligned, repeated this many times. */
  async alignments(count: number) {
    const clocks = [];
    for (let time = 0; time < count; time++) {
      await library.simulation.pause();
      await library.simulation.resume();
      clocks.push(library.simulation.stats().clock);
    }
    return clocks;
  },

  /** Draws, has the keyboard as an input, and pushes a numbered input every few milliseconds. */
  play(): void {
    const { simulation } = library;
    keyboardSource(simulation.inputs);
    requestAnimationFrame(function draw(frameMs) {
      if (simulation.state !== 'disposed') simulation.sample(frameMs);
      requestAnimationFrame(draw);
    });
    const still = { kind: 'custom', device: 0, x: 0.01, y: 0, z: 0, w: 0 } as const;
    player = setInterval(() => {
      const isTaken = simulation.inputs.push({ ...still, code: library.pushed }, performance.now());
      if (!isTaken) throw new Error('the queue is full');
      library.pushed += 1;
    }, 5);
  },

  /** The fields of every input from the sources of `listen`. */
  notes: [] as (InputValues & { readonly stampMs: number })[],

  /** Sources on a pad of 200 × 100 pixels at (100, 100), above a field and a frame. */
  listen(): void {
    document.body.innerHTML = `
      <div id="pad" style="position: fixed; left: 100px; top: 100px; width: 200px; height: 100px"></div>
      <input style="position: fixed; top: 300px" /><iframe style="position: fixed; top: 400px"></iframe>`;
    const inputs = {
      push: (input: InputValues, stampMs: number) => library.notes.push({ ...input, stampMs }) > 0,
    };
    keyboardSource(inputs);
    pointerSource(inputs, { target: document.querySelector('#pad') as HTMLElement });
    gamepadSource(inputs).poll(performance.now());
  },

  /** Stops playing, lets ticks take the rest, and returns what was recorded. */
  async finish(): Promise<{ file: number[]; pushed: number; codes: number[] }> {
    clearInterval(player);
    await library.simulation.pause();
    await library.simulation.step(2);
    const recording = library.simulation.recording();
    const codes = recording.entries.flatMap((entry) =>
      entry.kind === 'input' && entry.input.kind === 'custom' ? [entry.input.code] : [],
    );
    return { file: [...encodeRecording(recording)], pushed: library.pushed, codes };
  },

  /** Kinds of statuses, except for how well the machine lets the worker keep up. */
  kinds(): string[] {
    return library.statuses
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'slow' && kind !== 'gap');
  },

  /** Blocks the page, as a long task does, until this many more ticks have run. */
  blockFor(ticks: number): void {
    const end = library.simulation.stats().tick + ticks;
    const endMs = performance.now() + 60_000;
    while (library.simulation.stats().tick < end) {
      if (performance.now() > endMs) throw new Error('waited a minute for ticks of the worker');
    }
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
