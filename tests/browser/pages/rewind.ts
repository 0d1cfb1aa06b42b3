/** A slider that shows a tick of the run, and notes what happens until it is shown, in order. */
import { connect, type Replay, type SimulationHandle } from '../../../src/render-main/index.js';
import type { simulation as boxes } from './rewind.worker.js';

type Commands = { add(at: number): number };
type Queries = { steps(): number };

/** From one input of the slider to the frame that shows its tick. */
export interface Answer {
  readonly tick: number;
  /** The newest state that the worker has kept up to it. */
  readonly keptTick: number;
  /** Ticks that were run again. */
  readonly steps: number;
  /** Ticks that frames showed after the worker had answered, up to the one sought. */
  readonly frames: readonly number[];
}

const rewind = {
  simulation: undefined as unknown as SimulationHandle<Commands, Record<never, never>, Queries>,
  replay: undefined as unknown as Replay,
  answers: [] as Answer[],

  async start(ticks: number): Promise<void> {
    rewind.simulation = (await connect<typeof boxes>(
      () => new Worker(new URL('./rewind.worker.ts', import.meta.url), { type: 'module' }),
      {
        startPaused: true,
        capacity: 64,
        display: { marginMs: 0 },
        recording: { rewindSeconds: 60, saveEverySeconds: 60, hashEveryTicks: 1 },
      },
    )) as unknown as typeof rewind.simulation;
    await rewind.simulation.step(ticks);
    rewind.replay = await rewind.simulation.openReplay(rewind.simulation.recording(), {
      tick: ticks,
    });
    const slider = document.querySelector('input') as HTMLInputElement;
    slider.max = String(ticks);
    slider.addEventListener('input', () => void rewind.seek(slider.valueAsNumber));
  },

  async seek(tick: number): Promise<void> {
    const { simulation, replay } = rewind;
    const before = await simulation.queries.steps();
    await replay.seek(tick);
    const frames: number[] = [];
    while (frames.at(-1) !== tick) {
      const stamp = await new Promise<number>(requestAnimationFrame);
      frames.push(simulation.sample(stamp).tick);
    }
    const steps = (await simulation.queries.steps()) - before;
    const keptTick = Math.max(
      0,
      ...(replay.recording.kept ?? []).map((mark) => mark.tick).filter((kept) => kept <= tick),
    );
    rewind.answers.push({ tick, keptTick, steps, frames });
  },
};

export type RewindPage = typeof rewind;

Object.assign(globalThis, { rewind });
