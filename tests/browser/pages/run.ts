/**
 * A page without a canvas on which a run is played, broken and recorded: tests access it through
 * `globalThis.run`.
 */
import {
  connect,
  type ConnectOptions,
  type SimulationHandle,
  type SimulationStatus,
} from '../../../src/render-main/index.js';
import { keyboardSource, type InputSource } from '../../../src/render-main/inputs/index.js';
import { encodeRecording } from '../../../src/shared/index.js';
import type { Toy, ToyEvents } from '../../fixtures/toy-simulation.js';

type Run = SimulationHandle<NonNullable<Toy['commands']>, ToyEvents, NonNullable<Toy['queries']>>;

const run = {
  simulation: undefined as unknown as Run,
  statuses: [] as SimulationStatus[],
  /** Inputs pushed so far: each has its number as its code. */
  pushed: 0,
  refused: 0,
  keyboard: undefined as InputSource | undefined,
  /** Calls that a test has made and checks later. */
  waiting: undefined as Promise<unknown> | undefined,
  player: undefined as ReturnType<typeof setInterval> | undefined,

  async start(options: ConnectOptions): Promise<void> {
    run.simulation = await connect<Toy>(
      () => new Worker(new URL('./run.worker.ts', import.meta.url), { type: 'module' }),
      options,
    );
    run.simulation.on('status', (status) => run.statuses.push(status));
    const draw = (frameMs: number): void => {
      if (run.simulation.state !== 'disposed') run.simulation.sample(frameMs);
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  },

  /** Pushes a numbered input every few milliseconds until it is stopped. */
  play(): void {
    run.player = setInterval(() => {
      const input = {
        kind: 'custom',
        code: run.pushed,
        device: 0,
        x: 0.01,
        y: 0,
        z: 0,
        w: 0,
      } as const;
      if (run.simulation.inputs.push(input, performance.now())) run.pushed += 1;
      else run.refused += 1;
    }, 5);
  },

  listen(): void {
    run.keyboard = keyboardSource(run.simulation.inputs);
  },

  /** Stops playing, lets ticks take the rest, and returns what was recorded. */
  async finish(): Promise<{ file: number[]; pushed: number; refused: number; codes: number[] }> {
    clearInterval(run.player);
    await run.simulation.pause();
    await run.simulation.step(2);
    const recording = run.simulation.recording();
    const codes = recording.entries.flatMap((entry) =>
      entry.kind === 'input' && entry.input.kind === 'custom' ? [entry.input.code] : [],
    );
    const { pushed, refused } = run;
    return { file: [...encodeRecording(recording)], pushed, refused, codes };
  },

  /** Kinds of events, except for how well the machine lets the worker keep up. */
  kinds(): string[] {
    return run.statuses
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'watchdog' && kind !== 'gap');
  },
};

declare global {
  var run: RunPage;
}
export type RunPage = typeof run;
globalThis.run = run;
