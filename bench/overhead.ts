/**
 * `npm run bench:overhead`: what the worker's loop costs besides the simulation's step, in a Node
 * thread and in Chromium, what it costs in Chromium without a worker, and what publishing costs
 * with sleeping bodies.
 *
 * A figure over its limit is marked; the command does not fail, because a busy machine is not a
 * defect of the code.
 */
import { cpus } from 'node:os';
import { Worker } from 'node:worker_threads';
import { openBrowserSession } from '../scripts/browsers/browser-session.js';
import { typescriptThread } from '../scripts/typescript-thread.js';
import { fromNodeWorker } from '../src/render-main/index.js';
import { msText } from './engine/index.js';
import { measureOverhead, type Overhead, type OverheadRequest } from './overhead-passes.js';
import { AWAKE, measureSleepers, type Placement } from './overhead-sleepers.js';
import type {} from './page/automation.js';

const REPEATS = 5;
const REQUEST: OverheadRequest = { bodies: 1000, tickRateHz: 60, seconds: 5 };
/** Maximum own cost of the loop, as a share of the step. */
const LIMIT = 0.05;
/** Maximum cost of an empty tick. */
const EMPTY_LIMIT_US = 30;

const inNode = (): Promise<Overhead> =>
  measureOverhead(
    () =>
      fromNodeWorker(
        new Worker(new URL('./overhead-node.worker.ts', import.meta.url), { ...typescriptThread }),
      ),
    REQUEST,
  );

const [processor] = cpus();
console.log(
  `${processor?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`,
);
console.log(
  `a heap of ${REQUEST.bodies} at ${REQUEST.tickRateHz} Hz, ${REPEATS} × ${REQUEST.seconds} s\n`,
);
const { page, address, version, close } = await openBrowserSession();
try {
  await page.goto(`${address}/bench/page/automation.html`);
  await page.waitForFunction(() => 'bench' in globalThis);
  const inChromium = (): Promise<Overhead> =>
    page.evaluate((request) => bench.overhead(request), REQUEST);
  const [node, chromium]: [Overhead[], Overhead[]] = [[], []];
  // Alternating, so that other load affects both.
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    node.push(await inNode());
    chromium.push(await inChromium());
  }
  console.log(node[0]?.engineName ?? '');
  print([
    ['', 'step', 'own cost', 'of a step', 'publication', 'turn', 'late', 'of all steps'],
    overheadRow(`Node ${process.versions.node}`, node),
    overheadRow(`Chromium ${version.split('.')[0]}`, chromium),
  ]);
  const emptyUs = await page.evaluate(() => bench.emptyWorld());
  const verdict = emptyUs <= EMPTY_LIMIT_US ? 'within' : 'OVER';
  console.log(
    `\na tick of an empty world, with its turn, in Chromium: ${emptyUs.toPrecision(3)} µs, ${verdict} ${EMPTY_LIMIT_US} µs`,
  );
} finally {
  await close();
}
for (const placement of ['together', 'scattered'] as const) printSleepers(placement);
process.exit(0);

function overheadRow(name: string, repeats: readonly Overhead[]): string[] {
  const us = (read: (one: Overhead) => number): string =>
    `${(middle(repeats.map(read)) * 1000).toPrecision(3)} µs`;
  return [
    name,
    `${msText(middle(repeats.map(({ stepMs }) => stepMs)))} ms`,
    us(({ ownMs }) => ownMs),
    limited(repeats.map(({ share }) => share)),
    us(({ publishMs }) => publishMs),
    us(({ turnMs }) => turnMs),
    us(({ latenessMs }) => latenessMs),
    shares(repeats.map(({ meanShare }) => meanShare)),
  ];
}

function shares(values: readonly number[]): string {
  const range = `${percent(Math.min(...values))} to ${percent(Math.max(...values))}`;
  return `${percent(middle(values))} % (${range})`;
}

function limited(values: readonly number[]): string {
  return `${shares(values)} ${middle(values) <= LIMIT ? 'within' : 'OVER'}`;
}

function percent(share: number): string {
  return (share * 100).toFixed(2);
}

function printSleepers(placement: Placement): void {
  console.log(`\npublishing ${AWAKE} awake bodies, ${placement}`);
  print([
    ['sleeping', 'a publication', 'against none', 'quartiles'],
    ...measureSleepers(placement).map(({ sleepers, us, ratio: [low, median, high] }) => [
      String(sleepers),
      `${us.toPrecision(3)} µs`,
      median.toFixed(2),
      `${low.toFixed(2)} to ${high.toFixed(2)}`,
    ]),
  ]);
}

function print(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => (cells[column] ?? '').length)),
  );
  for (const cells of rows) {
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
