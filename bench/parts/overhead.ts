/** The worker's loop besides the step, in a Node thread and in Chromium. */
import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { openBrowserSession } from '../../scripts/browsers/browser-session.js';
import { compileForNode } from '../../scripts/test/compile-for-node.js';
import { fromNodeWorker } from '../../src/render-main/index.js';
import type {} from '../page/automation.js';
import { alternately, tableOf, type FigureTable, type Metric } from '../tables/figures.js';
import { measurePasses, type Overhead, type OverheadRequest } from './overhead-passes.js';
import type { PartOptions } from './part.js';

const TURNS = 5;
const REQUEST: OverheadRequest = { bodies: 1000, tickRateHz: 60, seconds: 10 };

const METRICS: readonly Metric<Overhead>[] = [
  { what: 'step', unit: 'ms', of: ({ stepMs }) => stepMs },
  { what: 'own cost of a tick', unit: 'µs', of: ({ ownMs }) => ownMs * 1000 },
  { what: 'own cost, of all steps', unit: '%', of: ({ ownPercent }) => ownPercent, limit: 2 },
  { what: 'publication', unit: 'µs', of: ({ publishMs }) => publishMs * 1000 },
  { what: 'late', unit: 'µs', of: ({ latenessMs }) => latenessMs * 1000 },
  { what: 'a query', unit: 'ms', of: ({ answerMs }) => answerMs, limit: 0.2 },
];

export async function measureOverhead({ isQuick }: PartOptions): Promise<FigureTable[]> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  // In the repository, so that the engine is found; of this process, so that two can measure.
  const outDir = `${root}build/overhead.${process.pid}`;
  await compileForNode({
    outDir,
    scripts: { worker: 'bench/parts/overhead-node.worker.ts' },
    minify: true,
  });
  const { page, address, version, close } = await openBrowserSession();
  try {
    await page.goto(`${address}/bench/page/automation.html`);
    await page.waitForFunction(() => 'bench' in globalThis);
    const inNode = (request: OverheadRequest): Promise<Overhead> =>
      measurePasses(
        () => fromNodeWorker(new Worker(pathToFileURL(`${outDir}/worker.js`))),
        request,
      );
    const inChromium = (request: OverheadRequest): Promise<Overhead> =>
      page.evaluate((given) => bench.overhead(given), request);
    const request = isQuick ? { ...REQUEST, seconds: 1 } : REQUEST;
    const measured = await alternately([inNode, inChromium], isQuick ? 1 : TURNS, (measure) =>
      measure(request),
    );
    const names = [`Node ${process.versions.node}`, `Chromium ${version.split('.')[0]}`];
    return measured.map((turns, index) => {
      const title = `a heap of ${REQUEST.bodies} at ${REQUEST.tickRateHz} Hz, ${names[index]}`;
      return tableOf({ title }, [turns], METRICS);
    });
  } finally {
    await close();
    rmSync(outDir, { recursive: true, force: true });
  }
}
