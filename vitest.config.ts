/**
 * Which tests there are, and how each kind treats time. CONTRIBUTING.md says which test belongs where.
 *
 * - Pure (`unit`, `tools`, `react`): one thread, and frames and ticks that a test asks for. Nothing waits for a real clock.
 * - Patient (`threads`, `rooms`, `package`): real threads and processes. A test waits for what must come.
 * - `attack`: as many random cases as a given time allows.
 * - `real-time`: rates, latencies, the cost of waiting. Each measures first what the machine does without us.
 *
 * A limit is not how long a test may take: it ends a test that waits for what never comes, in a time that a person waits.
 */
import { defineConfig } from 'vitest/config';
import { ecctrlLibraries } from './examples/ecctrl/libraries.js';
import { peerScenes } from './examples/react/peer-scenes.js';
import { peerOnOurEngine } from './scripts/test/peer-on-our-engine.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const setupFiles = [
  'tests/fixtures/limited-shrinking.ts',
  'tests/fixtures/fresh-test.ts',
  'scripts/mutants/reach.ts',
];

const common = (limitMs: number) =>
  ({
    environment: 'node',
    globals: false,
    retry: 0,
    testTimeout: limitMs,
    hookTimeout: limitMs,
    setupFiles,
  }) as const;

/** Engines live for seconds here: optimising the WebAssembly of each takes more processor time than it saves. */
const quickWebAssembly: string[] = ['--liftoff-only'];

const pure = {
  ...common(30 * SECOND_MS),
  // By itself Vitest leaves one core alone, which on two is half of the machine.
  maxWorkers: '100%',
  // One load of the engines and the library for many files: a third of the time.
  isolate: false,
  execArgv: quickWebAssembly,
} as const;

const patient = {
  ...common(2 * MINUTE_MS),
  isolate: false,
  maxWorkers: 2,
  execArgv: quickWebAssembly,
  globalSetup: 'tests/threads/compile-workers.ts',
  // Projects with another number of workers are another group, which Vitest runs after the first.
  sequence: { groupOrder: 1 },
} as const;

/** Worlds behave alike over every transport: `npm test` tests them in one thread, and all tests over the other transports, too. */
const overTransports = (transport: 'shared' | 'transfer') => ({
  test: {
    ...patient,
    name: `transport-${transport}`,
    include: ['tests/unit/world/**/*.test.ts'],
    // A worker apart from the world computes them.
    exclude: ['tests/unit/world/pieces.test.ts'],
    provide: { transport },
  },
});

// Vitest starts the processes in which tests run by this path; `npm test -- arm64` names an emulated Node.
process.execPath = process.env['BETWIXT_TEST_NODE'] ?? process.execPath;

export default defineConfig({
  test: {
    // Code that was compiled once serves the next part and the next run, for as long as a file's contents are the same.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...pure,
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          provide: { transport: 'local' },
        },
      },
      {
        test: {
          ...pure,
          ...common(10 * MINUTE_MS),
          name: 'thorough',
          include: [
            'tests/react/drawn-trees.test.tsx',
            'tests/unit/shared/recording/single-bits.test.ts',
            'tests/unit/three/drawn-trees.test.ts',
            'tests/unit/world/characters-at-rest.test.ts',
          ],
          provide: { transport: 'local', isThorough: true },
          setupFiles: [...setupFiles, 'tests/react/load-engine.ts'],
        },
      },
      {
        test: {
          ...pure,
          name: 'tools',
          include: [
            '{bench,create,demo,lab,scripts,site}/tests/**/*.test.ts',
            'examples/*/tests/*.test.ts',
            'docs/snippets/{fountain,rooms}/*.test.ts',
          ],
        },
      },
      {
        test: {
          ...patient,
          name: 'threads',
          include: ['tests/threads/**/*.test.ts'],
          provide: { transport: 'shared' },
        },
      },
      {
        test: {
          ...patient,
          // Emulated, all takes twenty times as long.
          ...common(30 * MINUTE_MS),
          name: 'arm64',
          include: [
            'tests/threads/golden.test.ts',
            'tests/unit/shared/**/*.test.ts',
            'tests/unit/render-main/frame/interpolation.test.ts',
          ],
          provide: { transport: 'shared', processor: 'arm64' },
          // As applications run them: first compiled quickly, and then optimised.
          execArgv: [],
        },
      },
      overTransports('shared'),
      overTransports('transfer'),
      {
        test: {
          ...common(2 * MINUTE_MS),
          name: 'rooms',
          include: ['tests/rooms/**/*.test.ts'],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        plugins: [ecctrlLibraries(), peerScenes(), peerOnOurEngine()],
        test: {
          ...pure,
          name: 'react',
          // Components in Node: the engine runs in the same thread, and a test draws the frames.
          include: ['tests/react/**/*.test.tsx'],
          // With what is checked during development.
          env: { NODE_ENV: 'development' },
          // Imports of ecctrl are replaced.
          server: { deps: { inline: ['ecctrl', /\?our-engine$/] } },
          // Before fiber is loaded, which looks for it then.
          setupFiles: [...setupFiles, 'tests/react/hot-reload.ts', 'tests/react/load-engine.ts'],
        },
      },
      {
        test: {
          ...common(10 * MINUTE_MS),
          name: 'real-time',
          include: ['tests/real-time/**/*.test.ts'],
          provide: { transport: 'shared' },
          globalSetup: ['tests/threads/compile-workers.ts'],
          // Real-time tests watch the clock: nothing else runs at the same time.
          fileParallelism: false,
        },
      },
      {
        test: {
          ...common(24 * 60 * MINUTE_MS),
          name: 'attack',
          include: ['tests/attack/*.test.ts'],
          globalSetup: ['tests/threads/compile-workers.ts'],
          // Each lasts for a time in which it tries as much as it can, and some look at the memory in use.
          fileParallelism: false,
          execArgv: ['--expose-gc'],
        },
      },
      {
        test: {
          // Package tests install packages, and build and test whole apps.
          ...common(60 * MINUTE_MS),
          name: 'package',
          // The apps of the templates take longest; the others run at the same time.
          maxWorkers: '100%',
          include: ['tests/package/**/*.test.ts'],
          // The package is built once, for all of them.
          globalSetup: ['tests/package/build.ts'],
        },
      },
      {
        test: {
          ...common(60 * MINUTE_MS),
          name: 'bundlers',
          include: ['tests/bundlers/**/*.test.ts'],
          globalSetup: ['tests/package/build.ts'],
        },
      },
    ],
  },
});
