/** The help text of the command. */
import { CONTESTANTS, CONTESTANT_NAMES } from '../engine/contestants.js';
import { QUICK, DEFAULTS } from './arguments.js';

const contestants = CONTESTANT_NAMES.map(
  (name) => `  ${name.padEnd(30)}${CONTESTANTS[name].about}`,
);

export const HELP = `Compares betwixt with alternatives: same engine, scene, step and frames, alternating.

  npm run bench:peers
  npm run bench:peers -- --bodies 400,1000 --hz 144 --repeats 5 --json peers.json
  npm run bench:peers -- --quick --contestants betwixt-cannon,cannon-worker-api

  --bodies COUNTS        boxes in the heap (default ${DEFAULTS.bodies.join(',')})
  --hz RATES             display rates; the page itself paces the frames (default ${DEFAULTS.displayHz.join(',')})
  --contestants NAMES    (default: all)
  --repeats N            runs of each, alternating; their differences are the spread (default ${DEFAULTS.repeats})
  --seconds S            duration of each run (default ${DEFAULTS.seconds})
  --warm-up S            warm-up before each run (default ${DEFAULTS.warmUpSeconds})
  --seed N               seed of the scene (default 1)
  --quick                ${QUICK.bodies.join(',')} bodies, ${QUICK.displayHz.join(',')} Hz, ${QUICK.repeats} × ${QUICK.seconds} s: rough figures
  --json FILE            the result, for scripts

Contestants:
${contestants.join('\n')}

Ctrl-C ends it after the current run and keeps the results so far; a second one ends it immediately.
Exit codes: 0; 1 when runs failed; 2 for wrong arguments; 130 after Ctrl-C.
`;
