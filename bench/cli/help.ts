/** The help text of the command. */
import { ENGINE_NAMES } from '../engines/bench-world.js';
import { QUICK, DEFAULTS } from '../runner/settings.js';
import { SCENE_NAMES } from '../scenes/bench-scene.js';

export const HELP = `Measures how much of its tick budget a simulation takes, and how many bodies fit.

  npm run bench
  npm run bench -- --scene heap,rain --bodies 500,1000 --tick-hz 60,240 --engine rapier-simd,cannon
  npm run bench -- --quick --json after.json --compare before.json
  npm run bench -- --worker demo/simulation/sim.worker.ts

What is measured; separate several values by commas:
  --scene NAMES       ${SCENE_NAMES.join(', ')} (default ${DEFAULTS.scenes.join(',')})
  --bodies COUNTS     (default ${DEFAULTS.bodies.join(',')})
  --tick-hz RATES     1 to 1000 (default ${DEFAULTS.tickRatesHz.join(',')})
  --engine NAMES      ${ENGINE_NAMES.join(', ')}
                      (default ${DEFAULTS.engines.join(',')})
  --runtime NAMES     chromium, node: where the worker runs (default ${DEFAULTS.runtimes.join(',')})
  --worker FILE       your own worker script, which calls runSimulation, instead of the scenes. With --bodies
                      the setup is { bodies: N }, and init must create context.setup.bodies bodies. A case
                      with another number of bodies fails, and reports that number
  --capacity N        capacity for the bodies of --worker (default 4096, as in connect; with --bodies enough for all)
  --no-headroom       do not search for the maximum number of bodies within the budget
  --seed N            seed of everything random (default 1)

How:
  --seconds S         duration of each repeat (default ${DEFAULTS.seconds})
  --warm-up S         warm-up before each repeat (default ${DEFAULTS.warmUpSeconds})
  --repeats N         each with a separate worker; their differences are the spread (default ${DEFAULTS.repeats})
                      Scenes settle for ${DEFAULTS.settleTicks} ticks before the warm-up, so that bodies are at rest.
  --quick             a minute and a half: ${QUICK.tickRatesHz.join(',')} Hz, ${QUICK.seconds} s after ${QUICK.warmUpSeconds} s, rough figures

Output:
  --json FILE         the result, for --compare and for scripts
  --html FILE         verdicts, bars and figures as a page, one file
  --compare FILE      an earlier result to compare with

Ctrl-C ends it after the current repeat and keeps the results so far; a second one ends it immediately.
Exit codes: 0; 1 when cases failed; 2 for wrong arguments; 130 after Ctrl-C.
`;
