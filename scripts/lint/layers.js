/**
 * Who may import what. Each folder may import itself and the folders in its list. Outside of `src`, only the entry points in
 * package.json may be imported from it, except for {@link INTERNALS}.
 */

/**
 * Folders, each with those that it may import besides its own subfolders. A file belongs to the
 * deepest one that contains it, and what may import a folder may import its subfolders. `any`:
 * everything.
 *
 * @type {Readonly<Record<string, 'any' | readonly string[]>>}
 */
export const LAYERS = {
  'src/shared': [],
  'src/shared/development': [],
  'src/shared/util': [],
  'src/shared/memory': ['src/shared/util'],
  'src/shared/time': ['src/shared/memory', 'src/shared/util'],
  'src/shared/statistics': ['src/shared/memory', 'src/shared/util'],
  'src/shared/input': ['src/shared/memory', 'src/shared/util'],
  'src/shared/events': ['src/shared/memory', 'src/shared/util'],
  'src/shared/recording': ['src/shared/input', 'src/shared/memory', 'src/shared/util'],
  'src/shared/loops': ['src/shared/time', 'src/shared/util'],
  'src/shared/protocol': [
    'src/shared/loops',
    'src/shared/memory',
    'src/shared/recording',
    'src/shared/statistics',
    'src/shared/util',
  ],
  'src/shared/world': ['src/shared/input', 'src/shared/recording', 'src/shared/util'],
  'src/sim-worker': ['src/shared'],
  'src/sim-worker/api': ['src/shared'],
  'src/sim-worker/thread': ['src/shared'],
  'src/sim-worker/pacing': ['src/shared'],
  'src/sim-worker/bodies': ['src/shared', 'src/sim-worker/api'],
  'src/sim-worker/events': ['src/shared', 'src/sim-worker/api'],
  'src/sim-worker/run': [
    'src/shared',
    'src/sim-worker/api',
    'src/sim-worker/bodies',
    'src/sim-worker/events',
    'src/sim-worker/thread',
  ],
  'src/sim-worker/loop': [
    'src/shared',
    'src/sim-worker/api',
    'src/sim-worker/bodies',
    'src/sim-worker/events',
    'src/sim-worker/pacing',
    'src/sim-worker/run',
    'src/sim-worker/thread',
  ],
  'src/sim-worker/engines': [
    'src/shared',
    'src/sim-worker/api',
    'src/sim-worker/bodies',
    'src/sim-worker/run',
  ],
  'src/sim-worker/world': [
    'src/shared',
    'src/sim-worker',
    'src/sim-worker/api',
    'src/sim-worker/engines',
    'src/sim-worker/thread',
  ],
  'src/sim-worker/development': ['src/shared', 'src/sim-worker/engines'],
  'src/sim-worker/testing': [
    'src/shared',
    'src/sim-worker/api',
    'src/sim-worker/bodies',
    'src/sim-worker/events',
    'src/sim-worker/run',
  ],
  'src/render-main': ['src/shared'],
  'src/render-main/util': ['src/shared'],
  'src/render-main/inputs': ['src/shared'],
  'src/render-main/api': ['src/shared'],
  'src/render-main/frame': ['src/shared', 'src/render-main/api'],
  'src/render-main/three': [
    'src/shared',
    'src/render-main/api',
    'src/render-main/inputs',
    'src/render-main/world',
  ],
  'src/render-main/queues': ['src/shared', 'src/render-main/api', 'src/render-main/util'],
  'src/render-main/recording': ['src/shared', 'src/render-main/util'],
  'src/render-main/worker': [
    'src/shared',
    'src/render-main/api',
    'src/render-main/queues',
    'src/render-main/recording',
    'src/render-main/util',
  ],
  'src/render-main/development': [
    'src/shared',
    'src/render-main/api',
    'src/render-main/session',
    'src/render-main/worker',
  ],
  'src/render-main/session': [
    'src/shared',
    'src/render-main/api',
    'src/render-main/frame',
    'src/render-main/queues',
    'src/render-main/recording',
    'src/render-main/util',
    'src/render-main/worker',
  ],
  'src/render-main/world': [
    'src/shared',
    'src/render-main',
    'src/render-main/api',
    'src/render-main/frame',
    'src/render-main/util',
  ],
  'src/vite': [],
  'site/common': [],
  'demo/contract': ['src/shared'],
  'demo/simulation': ['src/sim-worker', 'src/shared', 'demo/contract'],
  'demo/cli': ['src/sim-worker', 'src/shared', 'demo/contract', 'demo/simulation', 'scripts/cli'],
  'demo/page': [
    'src/render-main',
    // A simulation on the page itself.
    'src/sim-worker',
    'src/shared',
    'demo/contract',
    'demo/simulation',
    'site/common',
  ],
  'lab/engine': ['src/shared'],
  'lab/real': ['lab/engine', 'src/shared'],
  'lab/cli': ['lab/engine', 'lab/real', 'src/shared', 'scripts', 'scripts/cli'],
  'lab/page': ['lab/engine', 'src/shared', 'site/common'],
  'bench/engine': [],
  'bench/report': ['bench/engine'],
  bench: [
    'bench/engine',
    'bench/report',
    'src/render-main',
    'src/sim-worker',
    'src/shared',
    'scripts',
    'scripts/cli',
    'site/common',
    // For measuring the rendering quality.
    'demo/page',
    'demo/contract',
  ],
  'scripts/cli': [],
  // The copy of TypeScript inside API Extractor; it is not a direct dependency.
  scripts: ['scripts/cli', 'src/vite', 'node_modules/@microsoft/api-extractor'],
  'node_modules/@microsoft/api-extractor': [],
  create: ['scripts/cli'],
  templates: [],
  // By the package's name only, as an application does.
  'examples/basic': [],
  'examples/boxes': [],
  'examples/character': [],
  'examples/instancing': [],
  'examples/joints': [],
  'examples/terrain': [],
  'examples/vehicle': [],
  'examples/pool': [],
  docs: ['templates'],
  tests: 'any',
};

/**
 * Files of `src` that are no entry points, and the folders that may import them.
 *
 * @type {readonly { readonly by: string; readonly because: string; readonly files: readonly
 * string[] }[]}
 */
export const INTERNALS = [
  {
    by: 'lab',
    because:
      "it runs the library's own loops and watchdog in virtual time, and refuses what they refuse",
    files: [
      'src/shared/statistics/histogram.ts',
      'src/shared/util/limits.ts',
      'src/shared/time/metronome.ts',
      'src/shared/time/schedule.ts',
      'src/shared/loops/option-checks.ts',
      'src/shared/loops/registry.ts',
      'src/shared/loops/stepper.ts',
      'src/shared/loops/worker-steppers.ts',
      'src/shared/util/known-keys.ts',
      'src/shared/util/validate.ts',
      'src/shared/statistics/watchdog.ts',
      'src/shared/statistics/watchdog-options.ts',
    ],
  },
  {
    by: 'bench/kernel-cases.ts',
    because: 'it takes the time of the inner loops',
    files: [
      'src/shared/memory/body-meta.ts',
      'src/shared/memory/create-buffer.ts',
      'src/render-main/frame/interpolation.ts',
      'src/shared/memory/layout.ts',
      'src/shared/time/schedule.ts',
      'src/shared/memory/snapshot-reader.ts',
      'src/sim-worker/bodies/snapshot-writer.ts',
      'src/render-main/frame/timeline.ts',
      'src/sim-worker/bodies/body-registry.ts',
    ],
  },
  {
    by: 'bench/overhead-sleepers.ts',
    because: 'it takes the time of publishing bodies that sleep, without a worker',
    files: [
      'src/shared/memory/body-meta.ts',
      'src/shared/memory/create-buffer.ts',
      'src/shared/time/schedule.ts',
      'src/shared/memory/snapshot-reader.ts',
      'src/sim-worker/bodies/snapshot-writer.ts',
      'src/sim-worker/bodies/body-registry.ts',
    ],
  },
  {
    by: 'bench/engines',
    because: "its adapters write poses where the library's own adapter of Rapier writes them",
    files: [
      'src/shared/memory/body-meta.ts',
      'src/shared/memory/layout.ts',
      'src/shared/recording/state-hash.ts',
      'src/shared/util/validate.ts',
      'src/sim-worker/bodies/body-registry.ts',
    ],
  },
  {
    by: 'bench/runner',
    because:
      "it reads the worker's figures out of the shared memory, which a handle does not give out",
    files: [
      'src/shared/statistics/histogram.ts',
      'src/shared/memory/layout.ts',
      'src/shared/recording/recording.ts',
      'src/shared/time/schedule.ts',
      'src/render-main/api/check-options.ts',
      'src/render-main/session/session.ts',
      'src/render-main/session/handle.ts',
      'src/render-main/worker/transport.ts',
    ],
  },
  {
    by: 'bench/scenes',
    because: 'it refuses what the library would refuse, in the same words',
    files: ['src/shared/util/validate.ts'],
  },
  {
    by: 'bench/overhead-simulation.ts',
    because: "it is run in a host of the benchmark's",
    files: ['src/sim-worker/thread/host.ts'],
  },
  {
    by: 'bench/overhead.worker.ts',
    because: "it is run in a host of the benchmark's",
    files: ['src/sim-worker/thread/host.ts'],
  },
  {
    by: 'bench/worker',
    because: 'each tick is reported through a queue in shared memory, as in the library',
    files: [
      'src/shared/memory/buffer.ts',
      'src/shared/memory/layout.ts',
      'src/shared/util/validate.ts',
      'src/sim-worker/thread/host.ts',
    ],
  },
];

/**
 * Folders that import only some packages; others are unrestricted. A file belongs to the deepest
 * one that contains it. `node:` means all of Node's own modules.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const PACKAGES = {
  'src/shared': [],
  'src/sim-worker': ['comlink'],
  'src/sim-worker/engines': [
    '@dimforge/rapier3d-simd-compat',
    '@dimforge/rapier3d-deterministic-compat',
    '@dimforge/rapier3d-compat',
  ],
  'src/render-main': ['comlink'],
  'src/render-main/three': ['three'],
  'src/vite': ['node:', 'vite'],
  'site/common': [],
  'demo/contract': [],
  'demo/simulation': ['@dimforge/rapier3d-simd-compat'],
  'lab/engine': [],
  'bench/engine': ['valibot'],
  'bench/report': [],
  'scripts/cli': ['node:'],
  create: ['node:'],
};
