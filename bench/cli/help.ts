/** The arguments of the command, and its help. */
import { defineCommand } from '../../scripts/cli/command.js';
import { ENGINE_NAMES } from '../engines/bench-world.js';
import { DEFAULTS } from '../runner/settings.js';
import { SCENE_NAMES } from '../scenes/bench-scene.js';
import { SETTLE_TICKS } from '../worker/bench-setup.js';

export const BENCH = defineCommand({
  name: 'bench',
  about: `Measures how many bodies this device simulates, in a minute; or how long the steps of given numbers take.

  npm run bench
  npm run bench -- --bodies 500,1000 --scene heap,rain --tick-hz 60,240 --engine rapier-simd,cannon
  npm run bench -- --bodies 1000 --json after.json --compare before.json
  npm run bench -- --worker demo/simulation/sim.worker.ts`,
  flags: {
    bodies: {
      heading: 'Separate several values by commas',
      value: 'COUNTS',
      about: 'measures these numbers; without it, searches for the largest',
    },
    scene: {
      value: 'NAMES',
      about: `${SCENE_NAMES.join(', ')} (default ${DEFAULTS.scenes.join(',')})`,
    },
    'tick-hz': { value: 'RATES', about: `1 to 1000 (default ${DEFAULTS.tickRatesHz.join(',')})` },
    engine: {
      value: 'NAMES',
      about: `${ENGINE_NAMES.join(', ')} (default ${DEFAULTS.engines.join(',')})`,
    },
    runtime: {
      value: 'NAMES',
      about: `chromium, node: where the worker runs (default ${DEFAULTS.runtimes.join(',')})`,
    },
    worker: {
      value: 'FILE',
      about:
        'your own worker script, which calls runSimulation, instead of the scenes. With --bodies the setup is { bodies: N }, and ' +
        'init must create context.setup.bodies bodies',
    },
    capacity: {
      value: 'N',
      about:
        'capacity for the bodies of --worker (default 4096, as in connect; with --bodies enough for all)',
    },
    seed: { value: 'N', about: 'seed of everything random (default 1)' },
    seconds: {
      heading: 'With --bodies or --worker',
      value: 'S',
      about: `duration of each repeat (default ${DEFAULTS.seconds})`,
    },
    'warm-up': {
      value: 'S',
      about: `warm-up before each repeat (default ${DEFAULTS.warmUpSeconds}). Scenes settle for ${SETTLE_TICKS} ticks before it, so that bodies are at rest`,
    },
    repeats: {
      value: 'N',
      about: `each with a separate worker; their differences are the spread (default ${DEFAULTS.repeats})`,
    },
    json: { heading: 'Output', value: 'FILE', about: 'the result, for --compare and for scripts' },
    compare: { value: 'FILE', about: 'an earlier result to compare with' },
  },
  more: `Ctrl-C ends it after the current repeat and keeps the results so far; a second one ends it immediately.
Exit codes: 0; 1 when cases failed; 2 for wrong arguments; 130 after Ctrl-C.`,
});
