/**
 * `npm run bench:commands`: what a call of a command costs, in processor time of each thread, and
 * whether all of them arrive when a page makes a thousand per frame for a minute at 60 Hz.
 *
 * Each frame makes its calls, runs one tick, and waits for all answers. Nothing waits for a clock.
 */
import { cpus } from 'node:os';
import { Worker } from 'node:worker_threads';
import { connect, fromNodeWorker } from '../src/render-main/index.js';
import { typescriptThread } from '../scripts/typescript-thread.js';
import type { simulation as measured } from './commands-node.worker.js';
import { threadTimeMs } from './thread-time.js';

const CALLS = 1000;
const FRAMES = 300;
const WARM_UP_FRAMES = 60;
/** A minute at 60 Hz. */
const LONG_FRAMES = 3600;
const VALUES = [1, 2, 3, 4, 5, 6, 7, 8] as const;
/** 200 kB. */
const LARGE = new Float32Array(50_000).fill(1);

const open = (recording: { limitBytes: number } | false) =>
  connect<typeof measured>(
    () =>
      fromNodeWorker(
        new Worker(new URL('./commands-node.worker.ts', import.meta.url), { ...typescriptThread }),
      ),
    { startPaused: true, capacity: 1, recording },
  );
type Simulation = Awaited<ReturnType<typeof open>>;
type Call = (commands: Simulation['commands']) => Promise<unknown>;

const array = Float32Array.of(...VALUES);
const CASES: readonly (readonly [what: string, calls: number, call: Call])[] = [
  ['no arguments', CALLS, (commands) => commands.nothing()],
  ['eight numbers', CALLS, (commands) => commands.numbers(...VALUES)],
  ['an array of eight', CALLS, (commands) => commands.array(array)],
  ['the same in JSON', CALLS, (commands) => commands.arrayFirst(array, 0)],
  ['an array of 200 kB', 1, (commands) => commands.array(LARGE)],
];

/** @returns Processor time of this thread for the calls themselves, in ms. */
async function runFrame(simulation: Simulation, calls: number, call: Call): Promise<number> {
  const begun = threadTimeMs();
  const { commands } = simulation;
  const answers = Array.from({ length: calls }, () => call(commands));
  const calledMs = threadTimeMs() - begun;
  await simulation.step(1);
  await Promise.all(answers);
  return calledMs;
}

async function measure(calls: number, call: Call, isRecorded: boolean): Promise<string[]> {
  const simulation = await open(isRecorded && { limitBytes: 2 ** 30 });
  for (let frame = 0; frame < WARM_UP_FRAMES; frame++) await runFrame(simulation, calls, call);
  const before = await simulation.queries.progress();
  const begunMs = threadTimeMs();
  let calledMs = 0;
  for (let frame = 0; frame < FRAMES; frame++) {
    calledMs += await runFrame(simulation, calls, call);
  }
  const pageMs = threadTimeMs() - begunMs;
  const after = await simulation.queries.progress();
  const { recordingBytes } = simulation.stats();
  await simulation.dispose();
  const all = calls * FRAMES;
  const us = (ms: number): string => `${((ms / all) * 1000).toPrecision(2)} µs`;
  const bytes = recordingBytes / (calls * (FRAMES + WARM_UP_FRAMES));
  return [
    us(calledMs),
    us(pageMs),
    us(after.timeMs - before.timeMs),
    isRecorded ? `${Math.round(bytes)}` : '',
  ];
}

const megabytes = (): string => `${(process.memoryUsage().heapUsed / 1e6).toFixed(0)} MB`;

/** A minute of them: counts, and the memory that is left. */
async function runLong(): Promise<void> {
  const simulation = await open({ limitBytes: 2 ** 28 });
  const heaps: string[] = [];
  for (let frame = 0; frame < LONG_FRAMES; frame++) {
    await runFrame(simulation, CALLS, (commands) => commands.array(array));
    if ((frame + 1) % (LONG_FRAMES / 6) === 0) heaps.push(megabytes());
  }
  const { calls, sum } = await simulation.queries.progress();
  const { refusedInputs, recordingBytes, isRecordingFull } = simulation.stats();
  console.log(
    `\n${LONG_FRAMES} frames of ${CALLS} calls: ${calls} arrived, with a sum of ${sum} ` +
      `(${LONG_FRAMES * CALLS} and ${LONG_FRAMES * CALLS * 36} are all), ${refusedInputs} refused; ` +
      `a recording of ${(recordingBytes / 1e6).toFixed(0)} MB, ${isRecordingFull ? 'full' : 'not full'}; ` +
      `heap of both threads every ten seconds: ${heaps.join(', ')}`,
  );
  await simulation.dispose();
}

const [processor] = cpus();
console.log(
  `${processor?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}\n`,
);
const table = [['', '', 'page: the call', 'page, in all', 'worker', 'bytes recorded']];
for (const [what, calls, call] of CASES) {
  for (const isRecorded of [true, false]) {
    const name = isRecorded ? 'recorded' : 'not recorded';
    table.push([what, name, ...(await measure(calls, call, isRecorded))]);
  }
}
const widths = table[0]?.map((_, column) =>
  Math.max(...table.map((cells) => (cells[column] ?? '').length)),
);
for (const cells of table) {
  console.log(
    cells
      .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
await runLong();
process.exit(0);
