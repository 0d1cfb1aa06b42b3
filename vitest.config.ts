import { defineConfig } from 'vitest/config';

/** No threads and no time that passes: `unit` is short, `scenes` runs the demo's scenes in their engines for minutes of ticks. */
const pureProjects = ['unit', 'scenes'].map((name) => ({
  test: {
    name,
    // By itself Vitest leaves one core alone, which on two is half of the machine.
    maxWorkers: '100%',
    // One load of the engines and the library for many files: a third of the time.
    isolate: false,
    include: [`tests/${name}/**/*.test.ts`],
    environment: 'node' as const,
    globals: false,
    retry: 0,
    // Minutes are for a busy machine: how long something takes is not what is tested.
    testTimeout: 60_000,
  },
}));

/** How a simulation behaves, whatever carries its states: one suite, over every transport. */
const behaviour = [
  'commands',
  'determinism',
  'events',
  'history',
  'inputs',
  'invalid-poses',
  'pausing',
  'pictures',
];

/** What only a worker can do: fail, hang, be replaced. */
const workerLife = ['disposal', 'recovery', 'withdrawn-calls', 'worker-failures'];

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
  test: {
    name,
    include: [...include],
    provide: { transport },
    environment: 'node',
    globals: false,
    retry: 0,
    globalSetup: ['tests/threads/compile-workers.ts'],
    // These tests start threads of their own and watch the clock, but mostly wait: three files at a time, on any machine.
    maxWorkers: 3,
    // As above.
    testTimeout: 120_000,
  },
}));

export default defineConfig({
  test: {
    projects: [
      ...pureProjects,
      ...threadProjects,
      {
        test: {
          name: 'package',
          // As above. The apps of the templates take longest; what else there is runs beside them.
          maxWorkers: '100%',
          include: ['tests/package/**/*.test.ts'],
          environment: 'node',
          globals: false,
          retry: 0,
          // The package is built once, for all of them.
          globalSetup: ['tests/package/build.ts'],
          // Compilers and bundlers run here, on a machine that may be busy.
          testTimeout: 120_000,
        },
      },
    ],
  },
});
