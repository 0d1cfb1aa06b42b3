/**
 * There are three kinds of tests, one per folder:
 *
 * 1. free of time (`unit`, `scenes`): scripted clocks, counts and sequences. tests/unit/repository/kinds-of-tests.test.ts sees to it that
 *    none of them looks at a real clock or waits for one.
 * 2. patient (`threads`, `package`): real threads and processes, which wait for what must come, however long that takes. A
 *    machine that freezes for five seconds at any moment breaks none.
 * 3. real-time (`real-time`): rates, latencies, the cost of waiting. Each measures first what the machine does without
 *    us, and is skipped where that is not enough.
 *
 * So no limit here says how long anything may take: limits are minutes, and guard against what never ends.
 */
import { defineConfig } from 'vitest/config';
import { withoutWarnings } from './scripts/test/without-warnings.js';

const MINUTE_MS = 60_000;
const setupFiles = ['tests/fixtures/limited-shrinking.ts'];
const common = {
  environment: 'node',
  globals: false,
  retry: 0,
  testTimeout: 10 * MINUTE_MS,
  hookTimeout: 10 * MINUTE_MS,
  setupFiles,
} as const;

/** No threads and no time that passes: `unit` is short, `scenes` runs the demo's scenes in their engines for minutes of ticks. */
const pureProjects = ['unit', 'scenes'].map((name) => ({
  resolve: withoutWarnings,
  test: {
    ...common,
    name,
    // By itself Vitest leaves one core alone, which on two is half of the machine.
    maxWorkers: '100%',
    // One load of the engines and the library for many files: a third of the time.
    isolate: false,
    // The examples are scenes that bring their own tests, and so is the simulation in docs/rooms.md.
    include: [
      `tests/${name}/**/*.test.ts`,
      ...(name === 'scenes' ? ['examples/*/tests/*.test.ts', 'docs/snippets/rooms/*.test.ts'] : []),
    ],
  },
}));

/** How a simulation behaves, whatever carries its states: one suite, over every transport. */
const behaviour = [
  'bodies',
  'array-commands',
  'assets',
  'collisions',
  'commands',
  'determinism',
  'events',
  'history',
  'inputs',
  'invalid-poses',
  'pausing',
  'drawn-poses',
  'replacement',
  'repetition',
  'one-way',
  'mesh-physics',
  'world-helper',
  'world',
  'world-characters',
  'world-systems',
  'world-vehicles',
  'world-queries',
  'world-probes',
  'world-asking',
  'world-edits',
  'world-queue',
  'world-restore',
  'world-run',
  'world-shapes',
  'world-events',
];

/** What only a worker can do: fail, hang, be replaced. */
const workerLife = [
  'application-proxy',
  'asset-order',
  'disposal',
  'recovery',
  'withdrawn-calls',
  'worker-failures',
];

const filesOf = (names: readonly string[]): string[] =>
  names.map((name) => `tests/threads/${name}.test.ts`);

const threadProjects = (
  [
    { name: 'threads', transport: 'shared', include: ['tests/threads/**/*.test.ts'] },
    {
      name: 'threads-transfer',
      transport: 'transfer',
      include: filesOf([...behaviour, ...workerLife]),
    },
    { name: 'threads-local', transport: 'local', include: filesOf(behaviour) },
  ] as const
).map(({ name, transport, include }) => ({
  resolve: withoutWarnings,
  test: {
    ...common,
    name,
    include: [...include],
    provide: { transport },
    globalSetup: ['tests/threads/compile-workers.ts'],
    // As above.
    isolate: false,
    // They mostly wait, and none of them minds the others: more than there are cores.
    maxWorkers: 4,
  },
}));

export default defineConfig({
  test: {
    // What was compiled once serves the next part and the next run, for as long as a file's contents are the same.
    experimental: { fsModuleCache: true },
    projects: [
      ...pureProjects,
      ...threadProjects,
      {
        resolve: withoutWarnings,
        test: {
          ...common,
          name: 'react',
          // Components in Node: the engine runs in the same thread, and a test draws the frames.
          include: ['tests/react/**/*.test.tsx'],
          // Before fiber is loaded, which looks for it then.
          setupFiles: [...setupFiles, 'tests/react/hot-reload.ts'],
          // Each file has its own fiber, which has one frame loop for all canvases: a frame that one file asks
          // for and never gets would keep the canvases of the next file waiting.
          isolate: true,
          // As the threads, which run in the same call.
          maxWorkers: 4,
        },
      },
      {
        resolve: withoutWarnings,
        test: {
          ...common,
          name: 'real-time',
          include: ['tests/real-time/**/*.test.ts'],
          provide: { transport: 'shared' },
          globalSetup: ['tests/threads/compile-workers.ts'],
          // They watch the clock: nothing else runs at the same time.
          fileParallelism: false,
        },
      },
      {
        test: {
          ...common,
          // They install packages, and build and test whole apps.
          testTimeout: 60 * MINUTE_MS,
          hookTimeout: 60 * MINUTE_MS,
          name: 'package',
          // As above. The apps of the templates take longest; the others run at the same time.
          maxWorkers: '100%',
          include: ['tests/package/**/*.test.ts'],
          // The package is built once, for all of them.
          globalSetup: ['tests/package/build.ts'],
        },
      },
    ],
  },
});
