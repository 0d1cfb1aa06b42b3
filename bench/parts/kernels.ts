/** The inner loops. */
import { Worker } from 'node:worker_threads';
import { typescriptThread } from '../../scripts/typescript-thread.js';
import { connect, fromNodeWorker } from '../../src/render-main/index.js';
import type { Figure, FigureTable } from '../tables/figures.js';
import { attachAndDetach, updateObjects } from './binding-cases.js';
import {
  AWAKE,
  bytesPerFrame,
  drawValues,
  publishAll,
  publishAsleep,
  publishAwakeAmong,
  publishValues,
  sampleAll,
  samplePoses,
} from './kernel-cases.js';
import { measure, type Batch } from './measure.js';
import type { PartOptions } from './part.js';

const BODIES = 10_000;
const BATCHES = { whole: 200, quick: 20 };
/** How many an empty simulation runs in each of its turns. */
const TICKS = 10_000;

export async function measureKernels({ isQuick }: PartOptions): Promise<FigureTable[]> {
  const batches = isQuick ? BATCHES.quick : BATCHES.whole;
  const perBody = (what: string, batch: Batch, limit?: number): Figure =>
    measure({ what, unit: 'ns', ...(limit !== undefined && { limit }) }, batch, batches);
  const each = (what: string, batch: Batch, limit?: number): Figure =>
    measure({ what, unit: 'µs', ...(limit !== undefined && { limit }) }, batch, batches);
  const bodies: FigureTable = {
    title: `${BODIES} bodies, for each`,
    figures: [
      perBody('sample tumbling ones into matrices (slerp)', sampleAll(BODIES, 'tumbling'), 30),
      perBody('sample resting ones into matrices', sampleAll(BODIES, 'resting')),
      perBody('sample one pose at a time', samplePoses(BODIES)),
      perBody('write and publish, all awake', publishAll(BODIES), 15),
      perBody('publish, all asleep', publishAsleep(BODIES)),
      perBody('move attached objects, tumbling', updateObjects(BODIES, 'tumbling', 'scene')),
      perBody('move attached objects, resting', updateObjects(BODIES, 'resting', 'scene')),
      perBody('move them in a turned parent', updateObjects(BODIES, 'tumbling', 'parent')),
      perBody('detach and attach one of 100', attachAndDetach(100)),
      perBody('detach and attach one of 10,000', attachAndDetach(BODIES)),
    ],
  };
  const states: FigureTable = {
    title: 'a state or a frame',
    figures: [
      ...[0, 1000, BODIES].map((asleep) =>
        each(`write and publish ${AWAKE} bodies, ${asleep} asleep`, publishAwakeAmong(asleep)),
      ),
      ...[0, 10, 1000, 30_000].map((count) =>
        each(`write and publish ${count} values`, publishValues(count, true)),
      ),
      ...[10, 1000, 30_000].map((count) =>
        each(`publish ${count} values that do not change`, publishValues(count, false)),
      ),
      ...[10, 1000, 10_000, 30_000].map((count) =>
        each(
          `blend ${count} values in a frame`,
          drawValues(count),
          count === 10_000 ? 100 : undefined,
        ),
      ),
      { what: 'garbage of a frame', unit: 'bytes', ours: [bytesPerFrame(BODIES)] },
      await measureEmptyTicks(isQuick ? 2 : 5),
    ],
  };
  return [bodies, states];
}

/**
 * Steps a paused simulation by many ticks, one in each pass: the loop then never sleeps, and the time is that of its own work, the
 * publication, the statistics and a turn of the event loop.
 */
async function measureEmptyTicks(runs: number): Promise<Figure> {
  const script = new URL('./empty-world-node.worker.ts', import.meta.url);
  const simulation = await connect(() => fromNodeWorker(new Worker(script, typescriptThread)), {
    startPaused: true,
    maxCatchUpTicks: 1,
    capacity: 64,
  });
  await simulation.step(TICKS);
  const ours: number[] = [];
  for (let run = 0; run < runs; run++) {
    const startMs = performance.now();
    await simulation.step(TICKS);
    ours.push(((performance.now() - startMs) * 1000) / TICKS);
  }
  await simulation.dispose();
  return { what: 'a tick of an empty simulation, in Node', unit: 'µs', ours, limit: 30 };
}
