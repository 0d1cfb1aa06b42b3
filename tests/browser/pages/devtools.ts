/** A simulation whose page and worker keep what they draw in the performance panel: tests use `globalThis.tracked`. */
import { stamps, type Stamp } from './stamp-spy.js';
import { connect, type ConnectOptions } from '../../../src/render-main/index.js';
import type { simulation } from './devtools.worker.js';

const tracked = {
  simulation: undefined as unknown as Awaited<ReturnType<typeof start>>,
  async start(options: ConnectOptions): Promise<void> {
    tracked.simulation = await start(options);
    const draw = (frameMs: number): void => {
      tracked.simulation.sample(frameMs);
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  },
  /** What page and worker have drawn since the last call. */
  async take(): Promise<{ readonly page: readonly Stamp[]; readonly worker: readonly Stamp[] }> {
    return { worker: await tracked.simulation.queries.takeStamps(), page: stamps.splice(0) };
  },
  push(): void {
    const input = { kind: 'custom', code: 1, device: 0, x: 0, y: 0, z: 0, w: 0 } as const;
    tracked.simulation.inputs.push(input, performance.now());
  },
};

function start(options: ConnectOptions) {
  return connect<typeof simulation>(
    () => new Worker(new URL('./devtools.worker.ts', import.meta.url), { type: 'module' }),
    options,
  );
}

type TrackedPage = typeof tracked;

declare global {
  var tracked: TrackedPage;
}

globalThis.tracked = tracked;
