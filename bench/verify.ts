/**
 * `npm run bench:verify`: how many ticks `npm run verify` replays in a second, with one thread and with one for each
 * processor, alternately. Starting the threads is part of it. Next to it, what the bare machine gives: a loop without
 * memory, in as many threads.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DEFAULT_LIMITS } from '../demo/cli/verify/arguments.js';
import { ThreadPool } from '../demo/cli/verify/thread-pool.js';
import { createDemoSimulation } from '../demo/simulation/demo-simulation.js';
import { encodeRecording } from '../src/shared/index.js';
import { runTicks } from '../src/sim-worker/testing/index.js';

const RECORDINGS = 48;
/** A minute at 60 Hz. */
const TICKS = 3600;
const BODIES = 100;
const ROUNDS = 3;
/** A second or two. */
const BARE_LOOP = 'let sum = 0; for (let i = 0; i < 1e9; i++) sum += Math.sqrt(i); sum';
const COUNTS = [1, availableParallelism()];

const folder = mkdtempSync(join(tmpdir(), 'bench-verify-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const paths: string[] = [];
for (let seed = 1; seed <= RECORDINGS; seed++) {
  const { recording } = await runTicks(createDemoSimulation('simd'), {
    ticks: TICKS,
    seed,
    setup: { name: 'heap', bodies: BODIES, seed },
    hashEveryTicks: 60,
  });
  const path = join(folder, `${seed}.btwr`);
  writeFileSync(path, encodeRecording(recording));
  paths.push(path);
}

const rates = COUNTS.map((): number[] => []);
const bareRates = COUNTS.map((): number[] => []);
for (let round = 0; round < ROUNDS; round++) {
  for (const [index, count] of COUNTS.entries()) {
    rates[index]?.push(await ticksPerSecond(count));
    bareRates[index]?.push(await loopsPerSecond(count));
  }
}
console.log(`${RECORDINGS} recordings of a heap of ${BODIES} bodies, ${TICKS} ticks each:`);
for (const [index, count] of COUNTS.entries()) {
  const rate = Math.round(median(rates[index] ?? [])).toLocaleString('en');
  console.log(
    `threads: ${count}, ${rate} ticks/s, ${timesOne(rates, index)} times one thread ` +
      `(a bare loop: ${timesOne(bareRates, index)})`,
  );
}

/** Of the same round: a machine that is busy for a while is so for both. */
function timesOne(all: readonly (readonly number[])[], index: number): string {
  const [ones = [], some = []] = [all[0], all[index]];
  return median(some.map((rate, round) => rate / (ones[round] ?? Number.NaN))).toFixed(2);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

async function ticksPerSecond(count: number): Promise<number> {
  const pool = new ThreadPool(count, {
    ...DEFAULT_LIMITS,
    simulation: new URL('../demo/cli/demo-recording.ts', import.meta.url).href,
    after: () => () => {},
  });
  const startMs = performance.now();
  await pool.run(paths, (index, { verdict }) => {
    if (verdict !== 'identical') throw new Error(`${paths[index]}: ${verdict}`);
  });
  return pool.ticks / ((performance.now() - startMs) / 1000);
}

async function loopsPerSecond(count: number): Promise<number> {
  const startMs = performance.now();
  const loops = Array.from({ length: count }, () =>
    once(new Worker(BARE_LOOP, { eval: true }), 'exit'),
  );
  await Promise.all(loops);
  return count / ((performance.now() - startMs) / 1000);
}
