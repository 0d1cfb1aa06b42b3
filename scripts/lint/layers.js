/**
 * Who may import what. Each folder may import itself and what is in its list. Outside of `src`, only the entry points in
 * package.json may be imported from it, except for {@link INTERNALS}.
 */

/** The files of `src/sim-worker` that are meant for other folders of `src`. */
const WORKER = [
  'src/sim-worker/api',
  'src/sim-worker/run-simulation.ts',
  'src/sim-worker/run-locally.ts',
  'src/sim-worker/thread/host.ts',
];

/** The files of `src/render-main` that are meant for other folders of `src`. */
const PAGE = [
  'src/render-main/api',
  'src/render-main/connect.ts',
  'src/render-main/frame/frame.ts',
  'src/render-main/frame/frame-limiter.ts',
  'src/render-main/session/page-assets.ts',
  'src/render-main/session/replay.ts',
  'src/render-main/session/simulation-status.ts',
  'src/render-main/util',
];

/**
 * Folders, each with the folders and files that it may import besides its own subfolders. A file
 * belongs to the deepest one that contains it, and what may import a folder may import its
 * subfolders. `any`: everything.
 *
 * @type {Readonly<Record<string, 'any' | readonly string[]>>}
 */
export const LAYERS = {
  // The core knows no room.
  'src/shared': [],
  'src/sim-worker': ['src/shared'],
  'src/render-main': ['src/shared'],
  'src/inputs': ['src/shared'],
  'src/inspector': ['src/shared', ...PAGE],
  'src/offscreen': [
    'src/shared',
    ...PAGE,
    'src/inputs',
    // The worker that draws stands for the page: when it is hidden, how its clock differs, why it does not load.
    'src/render-main/session/pauses.ts',
    'src/render-main/worker/clock-alignment.ts',
    'src/render-main/worker/startup-errors.ts',
  ],
  'src/rapier': [
    'src/shared',
    ...WORKER,
    // The registry reads the lanes of all bodies in every tick, and names bodies in its errors.
    'src/sim-worker/bodies/body-registry.ts',
    'src/sim-worker/bodies/body-tag.ts',
  ],
  'src/world/shared': ['src/shared'],
  'src/world/worker': ['src/shared', ...WORKER, 'src/rapier', 'src/world/shared'],
  'src/world/page': [
    'src/shared',
    ...PAGE,
    'src/world/shared',
    // The page's own engine, and a world without a worker.
    'src/rapier',
    'src/world/worker',
  ],
  'src/three': [
    'src/shared',
    ...PAGE,
    'src/inputs',
    'src/world/shared',
    'src/world/page',
    // The time in renderers is one of the page's counters.
    'src/render-main/session/worker-counters.ts',
  ],
  'src/react': ['src/shared', ...PAGE, 'src/world/shared', 'src/world/page', 'src/three'],
  'src/rooms/shared': ['src/shared'],
  'src/rooms/run': ['src/shared', ...WORKER, 'src/rooms/shared'],
  'src/rooms/page': ['src/shared', ...PAGE, ...WORKER, 'src/rooms/shared', 'src/rooms/run'],
  'src/rooms/server': ['src/shared', ...WORKER, 'src/rooms/shared', 'src/rooms/run'],
  'src/vite': ['src/shared'],
  site: [],
  'demo/contract': ['src/shared'],
  'demo/simulation': ['src/sim-worker', 'src/rapier', 'src/shared', 'demo/contract'],
  'demo/cli': [
    'src/sim-worker',
    'src/rapier',
    'src/shared',
    'demo/contract',
    'demo/simulation',
    'scripts',
    'scripts/cli',
  ],
  'demo/page': [
    'src/render-main',
    'src/inputs',
    'src/inspector',
    'src/three',
    // A simulation on the page itself.
    'src/sim-worker',
    'src/shared',
    'demo/contract',
    'demo/simulation',
    'site',
  ],
  'lab/engine': ['src/shared'],
  'lab/real': ['lab/engine', 'src/shared'],
  'lab/cli': ['lab/engine', 'lab/real', 'src/shared', 'scripts', 'scripts/cli'],
  'lab/page': ['lab/engine', 'src/shared', 'site'],
  'bench/engine': ['src/shared'],
  bench: [
    'bench/engine',
    'src/render-main',
    'src/sim-worker',
    'src/shared',
    'src/rapier',
    'src/three',
    'src/react',
    'src/world/page',
    'src/world/worker',
    'src/vite',
    'scripts',
    'scripts/cli',
    'site',
  ],
  'scripts/cli': [],
  scripts: ['scripts/cli', 'src/vite'],
  create: ['scripts/cli'],
  templates: [],
  // By the package's name only, as an application does.
  'examples/stage': [],
  'examples/basic': ['examples/stage'],
  'examples/boxes': ['examples/stage'],
  'examples/character': ['examples/stage'],
  'examples/flag': ['examples/stage'],
  'examples/headset': ['examples/stage'],
  'examples/joints': ['examples/stage'],
  'examples/jolt': ['examples/stage'],
  'examples/town': ['examples/stage'],
  'examples/vehicle': ['examples/stage'],
  'examples/ecctrl': ['examples/stage'],
  'examples/pool': ['examples/stage'],
  // And the kit that the site's pages share.
  'examples/rooms': ['examples/stage', 'site'],
  // A command, as the others of the repository.
  'examples/rooms/server': ['examples/rooms', 'scripts', 'scripts/cli'],
  'examples/react': ['examples/stage', 'examples/town'],
  'examples/gallery': ['examples/react', 'site'],
  'examples/snippets': ['docs'],
  docs: ['templates'],
  'docs/.vitepress': ['scripts', 'src/vite'],
  tests: 'any',
  'bench/tests': 'any',
  'create/tests': 'any',
  'demo/tests': 'any',
  'lab/tests': 'any',
  'scripts/tests': 'any',
};

/**
 * Files of `src` that are no entry points, and the folders that may import them.
 *
 * @type {readonly { readonly by: string; readonly because: string; readonly files: readonly
 * string[] }[]}
 */
export const INTERNALS = [
  {
    by: 'bench/parts/overhead-simulation.ts',
    because: 'it reads how long the loop has slept, which is in the shared memory alone',
    files: ['src/shared/memory/buffer.ts', 'src/shared/memory/layout.ts'],
  },
  {
    by: 'demo/page',
    because:
      'the development server sends module by module, and worlds and glTF files are eighty of them',
    files: [
      'src/three/body-binding.ts',
      'src/three/measure-renderer.ts',
      'src/three/watch-context.ts',
    ],
  },
  {
    by: 'lab',
    because: "it has the library's schedule, and refuses what they refuse",
    files: [
      'src/shared/statistics/histogram.ts',
      'src/shared/util/limits.ts',
      'src/shared/time/metronome.ts',
      'src/shared/time/schedule.ts',
      'src/shared/util/options.ts',
      'src/shared/util/validate.ts',
    ],
  },
  {
    by: 'bench',
    because: 'it refuses what the library would refuse, in the same words',
    files: ['src/shared/util/validate.ts'],
  },
  {
    by: 'bench',
    because: 'its workers run in a host whose clock and turns it measures',
    files: ['src/sim-worker/thread/host.ts'],
  },
  {
    by: 'bench',
    because: 'an overloaded engine takes longer than an application waits',
    files: ['src/render-main/api/connect-options.ts'],
  },
  {
    by: 'bench/parts/rewind.ts',
    because: 'it takes the time of single ticks and of going back, without a worker and a clock',
    files: ['src/sim-worker/api/runs.ts'],
  },
  {
    by: 'bench/parts/kernel-cases.ts',
    because: 'it takes the time of the inner loops, which nothing else can call alone',
    files: [
      'src/shared/memory/create-buffer.ts',
      'src/shared/memory/layout.ts',
      'src/shared/memory/snapshot-reader.ts',
      'src/shared/time/schedule.ts',
      'src/sim-worker/bodies/body-registry.ts',
      'src/sim-worker/bodies/snapshot-writer.ts',
      'src/sim-worker/bodies/state-values.ts',
      'src/render-main/frame/interpolation.ts',
      'src/render-main/frame/timeline.ts',
    ],
  },
  {
    by: 'bench/runner',
    because:
      "it reads the worker's figures out of the shared memory, which a handle does not give out",
    files: [
      'src/shared/memory/layout.ts',
      'src/shared/statistics/histogram.ts',
      'src/render-main/session/handle.ts',
      'src/render-main/session/session.ts',
      'src/render-main/worker/worker-creation.ts',
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
  'src/render-main': ['comlink'],
  'src/inputs': [],
  'src/inspector': [],
  'src/offscreen': [],
  'src/rapier': [
    '@dimforge/rapier3d-simd-compat',
    '@dimforge/rapier3d-deterministic-compat',
    '@dimforge/rapier3d-compat',
  ],
  'src/world': ['comlink'],
  'src/three': ['three'],
  'src/react': ['react', '@react-three/fiber', 'three'],
  'src/rooms': [],
  'src/rooms/server': ['node:', '@colyseus/core'],
  'src/vite': ['node:', 'vite'],
  site: [],
  'examples/react/src/scenes': ['betwixt/react', 'react', '@react-three/fiber', 'three'],
  'examples/react/src/common': ['react', '@react-three/fiber', 'three'],
  'demo/contract': [],
  'demo/simulation': ['@dimforge/rapier3d-simd-compat'],
  'lab/engine': [],
  'bench/engine': [],
  'scripts/cli': ['node:'],
  create: ['node:'],
  'create/tests': ['node:', 'vitest'],
};
