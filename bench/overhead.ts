/**
 * `npm run bench:overhead`: what the worker's loop costs besides the simulation's step, in a Node
 * thread and in Chromium, what it costs in Chromium without a worker, and what publishing costs
 * with sleeping bodies.
 *
 * A figure over its limit is marked; the command does not fail, because a busy machine is not a
 * defect of the code.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { openBrowserSession } from '../scripts/browsers/browser-session.js';
import { requireNoArguments } from '../scripts/cli/run-command.js';
import { printTable } from '../scripts/cli/table.js';
import { compileForNode } from '../scripts/test/compile-for-node.js';
import { fromNodeWorker } from '../src/render-main/index.js';
import { msText } from './engine/index.js';
import {
  measureOverhead,
  type Echo,
  type Overhead,
  type OverheadRequest,
} from './overhead-passes.js';
import { AWAKE, measureSleepers, type Placement } from './overhead-sleepers.js';
import type {} from './page/automation.js';

const REPEATS = 5;
const REQUEST: OverheadRequest = { bodies: 1000, tickRateHz: 60, seconds: 4, turnsPerSecond: 2 };
/** For comparison: a turn of the event loop after each tick. */
const EACH_TICK: OverheadRequest = { ...REQUEST, turnsPerSecond: REQUEST.tickRateHz };
/** Maximum own cost of the loop, as a share of all steps. */
const LIMIT = 0.02;
/** Maximum median time until a call is answered. */
const ANSWER_LIMIT_MS = 0.2;
/** Maximum cost of an empty tick. */
const EMPTY_LIMIT_US = 30;

interface Variant {
  readonly name: string;
  readonly measure: (request: OverheadRequest) => Promise<Overhead>;
  readonly request: OverheadRequest;
  readonly repeats: Overhead[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
/** In the repository, so that the engine is found; of this process, so that two can measure. */
const outDir = `${root}build/overhead.${process.pid}`;

const inNode = (request: OverheadRequest): Promise<Overhead> =>
  measureOverhead(
    () => fromNodeWorker(new Worker(pathToFileURL(`${outDir}/worker.js`))),
    createEcho,
    request,
  );

function createEcho(): Echo {
  const worker = new Worker(
    "const { parentPort } = require('node:worker_threads'); parentPort.on('message', () => parentPort.postMessage(0))",
    { eval: true },
  );
  return {
    async ask() {
      worker.postMessage(0);
      await once(worker, 'message');
    },
    end: () => worker.terminate(),
  };
}

await requireNoArguments('bench:overhead');
const [processor] = cpus();
console.log(
  `${processor?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`,
);
console.log(
  `a heap of ${REQUEST.bodies} at ${REQUEST.tickRateHz} Hz, ${REPEATS} × ${REQUEST.seconds} s\n`,
);
await compileForNode({
  outDir,
  scripts: { worker: 'bench/overhead-node.worker.ts' },
  minify: true,
});
const { page, address, version, close } = await openBrowserSession();
try {
  await page.goto(`${address}/bench/page/automation.html`);
  await page.waitForFunction(() => 'bench' in globalThis);
  const inChromium = (request: OverheadRequest): Promise<Overhead> =>
    page.evaluate((given) => bench.overhead(given), request);
  const chromiumName = `Chromium ${version.split('.')[0]}`;
  const variants: readonly Variant[] = [
    { name: `Node ${process.versions.node}`, measure: inNode, request: REQUEST, repeats: [] },
    { name: '  a turn after each tick', measure: inNode, request: EACH_TICK, repeats: [] },
    { name: chromiumName, measure: inChromium, request: REQUEST, repeats: [] },
    { name: '  a turn after each tick', measure: inChromium, request: EACH_TICK, repeats: [] },
  ];
  // Alternating, so that other load affects all of them.
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const { measure, request, repeats } of variants) repeats.push(await measure(request));
  }
  console.log(variants[0]?.repeats[0]?.engineName ?? '');
  printTable([
    [
      '',
      'step',
      'own cost',
      'of a step',
      'publication',
      'turn',
      'late',
      'a call',
      'an echo',
      'of all steps',
    ],
    ...variants.map(({ name, repeats, request }) =>
      overheadRow(name, repeats, request === REQUEST),
    ),
  ]);
  const emptyUs = await page.evaluate(() => bench.emptyWorld());
  const verdict = emptyUs <= EMPTY_LIMIT_US ? 'within' : 'OVER';
  console.log(
    `\na tick of an empty world, with its turn, in Chromium: ${emptyUs.toPrecision(3)} µs, ${verdict} ${EMPTY_LIMIT_US} µs`,
  );
} finally {
  await close();
  rmSync(outDir, { recursive: true, force: true });
}
for (const placement of ['together', 'scattered'] as const) printSleepers(placement);
process.exit(0);

/** @param isLimited Whether the figures are compared with the limits. */
function overheadRow(name: string, repeats: readonly Overhead[], isLimited: boolean): string[] {
  const us = (read: (one: Overhead) => number): string =>
    `${(middle(repeats.map(read)) * 1000).toPrecision(3)} µs`;
  const verdict = (value: number, limit: number): string => {
    if (!isLimited) return '';
    return value <= limit ? ' within' : ' OVER';
  };
  const all = repeats.map(({ meanShare }) => meanShare);
  const answerMs = middle(repeats.map(({ answerMs: one }) => one));
  return [
    name,
    `${msText(middle(repeats.map(({ stepMs }) => stepMs)))} ms`,
    us(({ ownMs }) => ownMs),
    shares(repeats.map(({ share }) => share)),
    us(({ publishMs }) => publishMs),
    us(({ turnMs }) => turnMs),
    us(({ latenessMs }) => latenessMs),
    `${answerMs.toPrecision(2)} ms${verdict(answerMs, ANSWER_LIMIT_MS)}`,
    `${middle(repeats.map(({ echoMs }) => echoMs)).toPrecision(2)} ms`,
    shares(all) + verdict(middle(all), LIMIT),
  ];
}

function shares(values: readonly number[]): string {
  const range = `${percent(Math.min(...values))} to ${percent(Math.max(...values))}`;
  return `${percent(middle(values))} % (${range})`;
}

function percent(share: number): string {
  return (share * 100).toFixed(2);
}

function printSleepers(placement: Placement): void {
  console.log(`\npublishing ${AWAKE} awake bodies, ${placement}`);
  printTable([
    ['sleeping', 'a publication', 'against none', 'quartiles'],
    ...measureSleepers(placement).map(({ sleepers, us, ratio: [low, median, high] }) => [
      String(sleepers),
      `${us.toPrecision(3)} µs`,
      median.toFixed(2),
      `${low.toFixed(2)} to ${high.toFixed(2)}`,
    ]),
  ]);
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
