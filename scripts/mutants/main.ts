/**
 * Makes small faults in `src`, one at a time, and says which of them the tests of `npm test` that run in Vitest notice. What
 * none of them notices is either a fault that changes nothing, or a test that is missing.
 *
 * First it finds out which test files run which functions (kept in `build/mutants/reach`). Then each fault meets the files
 * that run its function, the most specific ones first, until one fails. Results are added to `build/mutants/results.jsonl`, so a
 * run that was stopped continues where it was. The fault is in the working copy while its tests run, and is taken back after.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { integer } from '../cli/arguments.js';
import { defineCommand, parseCommand } from '../cli/command.js';
import { runCommand } from '../cli/run-command.js';
import { type Change, changesIn } from './changes.js';
import type { Reach } from './reach.js';

interface Mutant extends Change {
  readonly file: string;
}

interface Result extends Mutant {
  readonly result: 'noticed' | 'hung' | 'missed';
  /** The number of test files that run the function. */
  readonly tests: number;
  readonly seconds: number;
}

const FOLDER = 'build/mutants';
const REACH = `${FOLDER}/reach`;
/** The heart of the library gets three times as many faults as the rest. */
const HEART = /\/(memory|time|frame|loop|run|bodies|recording)\//;
const PROJECTS = 'unit,tools,react,threads';
const COMMAND = defineCommand({
  name: 'test:mutants',
  about: `Makes small faults in src, one at a time, and says which of them no test of \`npm test\` that runs in Vitest notices. A run
that was stopped continues where it was.`,
  flags: {
    count: {
      value: 'N',
      about: 'how many faults are made, at least one in each folder of src (default 160)',
    },
    seed: { value: 'N', about: 'which ones (default 1)' },
    limit: {
      value: 'SECONDS',
      about: 'the longest time for the tests of one fault (default 300)',
    },
    projects: {
      value: 'NAMES',
      about: `those of Vitest whose tests are run (default ${PROJECTS})`,
    },
    files: {
      value: 'PATH',
      about: 'only faults in paths that begin with this (default src/)',
    },
  },
});

const keyOf = ({ file, start, after }: Mutant): string => `${file}:${start}:${after}`;

const describe = ({ file, line, before, after, result, tests, seconds }: Result): string =>
  `${result.padEnd(7)} ${file}:${line}  ${oneLine(before)} → ${oneLine(after)}  (${tests} files, ${seconds.toFixed(0)} s)`;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 60);

function readResults(): Result[] {
  const path = `${FOLDER}/results.jsonl`;
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Result);
}

/** The faults of a seed: one for each folder, and then more, by weight. */
function choose(count: number, seed: number): Mutant[] {
  const random = seededRandom(seed);
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file))
    .filter((file) => /\.tsx?$/.test(file) && !/development\/|\.d\.ts$/.test(file));
  const all = files
    .toSorted()
    .flatMap((file) =>
      changesIn(readFileSync(file, 'utf8'), file).map((change) => Object.assign(change, { file })),
    );
  // Drawn without replacement, by the weighted keys of Efraimidis and Spirakis (2006).
  const ranked = all
    .map((mutant) => ({ mutant, key: random() ** (HEART.test(mutant.file) ? 1 / 3 : 1) }))
    .toSorted((a, b) => b.key - a.key)
    .map(({ mutant }) => mutant);
  const first = new Map(ranked.toReversed().map((mutant) => [dirname(mutant.file), mutant]));
  return [...new Set([...first.values(), ...ranked])].slice(0, count);
}

async function findReach(projects: readonly string[]): Promise<void> {
  process.stdout.write('Finding out which tests run which functions…\n');
  await vitest(projects, { BETWIXT_REACH: REACH }, Infinity);
}

async function tryOut(
  mutant: Mutant,
  reaches: readonly Reach[],
  projects: readonly string[],
  limitSeconds: number,
): Promise<Result> {
  const startMs = performance.now();
  const [quick, rest] = testsOf(mutant, reaches, limitSeconds);
  const source = readFileSync(mutant.file, 'utf8');
  const restore = (): void => writeFileSync(mutant.file, source);
  const { start, before, after } = mutant;
  process.once('exit', restore);
  writeFileSync(mutant.file, source.slice(0, start) + after + source.slice(start + before.length));
  const run = async (tests: readonly Reach[]): Promise<Result['result']> => {
    if (tests.length === 0) return 'missed';
    const usual = tests.reduce((sum, { seconds }) => sum + seconds, 0);
    const args = [...projects, '--bail=1', ...tests.map(({ test }) => test)];
    // Twice, because a machine may be frozen for a while.
    const result = await vitest(args, {}, 60 + 5 * usual);
    return result === 'hung' ? vitest(args, {}, 60 + 5 * usual) : result;
  };
  try {
    const first = await run(quick);
    const result = first === 'missed' ? await run(rest) : first;
    const seconds = (performance.now() - startMs) / 1000;
    return { ...mutant, result, tests: quick.length + rest.length, seconds };
  } finally {
    restore();
    process.off('exit', restore);
  }
}

/** How much of the library a test file runs. */
const breadth = ({ functions }: Reach): number => Object.values(functions).flat().length;

/** The test files that run a mutant, the most specific ones first, as far as the time allows; some seconds of them apart. */
function testsOf({ file, within }: Mutant, reaches: readonly Reach[], limitSeconds: number) {
  const reaching = reaches.filter(({ functions }) => functions[file] !== undefined);
  const runs = ({ functions }: Reach): boolean =>
    within === undefined || functions[file]?.includes(within) === true;
  const running = reaching.filter(runs).toSorted((a, b) => breadth(a) - breadth(b));
  // Code in other threads is not seen from this one.
  const inThreads = /^src\/(shared|sim-worker|rapier|world|rooms|colyseus)\//.test(file)
    ? reaches.filter((one) => one.test.includes('/threads/') && !running.includes(one))
    : [];
  const quick: Reach[] = [];
  const rest: Reach[] = [];
  let seconds = 0;
  for (const reach of [...running, ...inThreads]) {
    if (seconds + reach.seconds > limitSeconds) continue;
    seconds += reach.seconds;
    (seconds < 15 ? quick : rest).push(reach);
  }
  return [quick, rest] as const;
}

/** Whether a test failed. It hung if it took longer than the limit. */
function vitest(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  limitSeconds: number,
): Promise<Result['result']> {
  return new Promise((resolve) => {
    const flags = ['run', '--reporter=dot', '--testTimeout=60000', '--hookTimeout=60000'];
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...flags, ...args], {
      env: { ...process.env, ...env },
      stdio: limitSeconds === Infinity ? 'inherit' : 'ignore',
      detached: true,
    });
    const end = (): void => void process.kill(-(child.pid ?? 0), 'SIGKILL');
    let hung = false;
    const timer =
      limitSeconds < Infinity &&
      setTimeout(() => {
        hung = true;
        end();
      }, limitSeconds * 1000);
    child.once('close', (code) => {
      if (timer) clearTimeout(timer);
      resolve(hung ? 'hung' : code === 0 ? 'missed' : 'noticed');
    });
  });
}

/** Tommy Ettinger's mulberry32. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

process.exitCode = await runCommand(COMMAND, async (args: readonly string[]) => {
  const { values } = parseCommand(COMMAND, args);
  const { files = 'src/' } = values;
  const projects = (values.projects ?? PROJECTS).split(',').map((name) => `--project=${name}`);
  const limitSeconds = integer('--limit', values.limit ?? '300', 1, 3600);
  if (!existsSync(REACH)) await findReach(projects);
  const reaches = readdirSync(REACH).map(
    (name) => JSON.parse(readFileSync(`${REACH}/${name}`, 'utf8')) as Reach,
  );
  const mutants = choose(
    integer('--count', values.count ?? '160', 1, 100_000),
    integer('--seed', values.seed ?? '1', 0, 2 ** 31),
  ).filter(({ file }) => file.startsWith(files));
  const results = readResults();
  for (const mutant of mutants) {
    if (results.some((result) => keyOf(result) === keyOf(mutant))) continue;
    const result = await tryOut(mutant, reaches, projects, limitSeconds);
    results.push(result);
    appendFileSync(`${FOLDER}/results.jsonl`, `${JSON.stringify(result)}\n`);
    process.stdout.write(`${describe(result)}\n`);
  }
  const ours = results.filter((result) => mutants.some((one) => keyOf(one) === keyOf(result)));
  const missed = ours.filter(({ result }) => result === 'missed');
  process.stdout.write(`\nMissed:\n${missed.map(describe).join('\n')}\n\n`);
  process.stdout.write(`${ours.length - missed.length} of ${ours.length} faults were noticed\n`);
  return 0;
});
