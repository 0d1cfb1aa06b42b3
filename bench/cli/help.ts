/** The help text of the command. */
import { ENGINE_NAMES } from '../engines/bench-world.js';
import { DEFAULTS } from '../runner/settings.js';
import { SCENE_NAMES } from '../scenes/bench-scene.js';
import { SETTLE_TICKS } from '../worker/bench-setup.js';

export const HELP = `Measures how many bodies this device simulates, in a minute; or how long the steps of given numbers take.

  npm run bench
  npm run bench -- --bodies 500,1000 --scene heap,rain --tick-hz 60,240 --engine rapier-simd,cannon
  npm run bench -- --bodies 1000 --json after.json --compare before.json
  npm run bench -- --worker demo/simulation/sim.worker.ts

Separate several values by commas:
  --bodies COUNTS     measures these numbers; without it, searches for the largest
  --scene NAMES       ${SCENE_NAMES.join(', ')} (default ${DEFAULTS.scenes.join(',')})
  --tick-hz RATES     1 to 1000 (default ${DEFAULTS.tickRatesHz.join(',')})
  --engine NAMES      ${ENGINE_NAMES.join(', ')}
                      (default ${DEFAULTS.engines.join(',')})
  --runtime NAMES     chromium, node: where the worker runs (default ${DEFAULTS.runtimes.join(',')})
  --worker FILE       your own worker script, which calls runSimulation, instead of the scenes. With --bodies
                      the setup is { bodies: N }, and init must create context.setup.bodies bodies
  --capacity N        capacity for the bodies of --worker (default 4096, as in connect; with --bodies enough for all)
  --seed N            seed of everything random (default 1)

With --bodies or --worker:
  --seconds S         duration of each repeat (default ${DEFAULTS.seconds})
  --warm-up S         warm-up before each repeat (default ${DEFAULTS.warmUpSeconds})
  --repeats N         each with a separate worker; their differences are the spread (default ${DEFAULTS.repeats})
                      Scenes settle for ${SETTLE_TICKS} ticks before the warm-up, so that bodies are at rest.

Output:
  --json FILE         the result, for --compare and for scripts
  --compare FILE      an earlier result to compare with

Ctrl-C ends it after the current repeat and keeps the results so far; a second one ends it immediately.
Exit codes: 0; 1 when cases failed; 2 for wrong arguments; 130 after Ctrl-C.
`;
