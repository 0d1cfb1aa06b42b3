/** The help text of the command. */
import { STEPPER_KINDS } from '../engine/loops/registry.js';
import { STEPPER_INFO } from '../engine/loops/stepper-info.js';
import { COLUMN_LEGEND } from './legend.js';

const steppers = STEPPER_KINDS.map(
  (kind) => `  ${kind.padEnd(17)} ${STEPPER_INFO[kind].rule}`,
).join('\n');

const columnWidth = Math.max(...COLUMN_LEGEND.map(([name]) => name.length));
const columns = COLUMN_LEGEND.map(
  ([name, meaning]) => `  ${name.padEnd(columnWidth)}  ${meaning}`,
).join('\n');

export const HELP = `Runs game loops in virtual time and compares them.

  npm run lab -- --stepper all
  npm run lab -- --stepper fixed --tick-hz 50 --display-hz 60 --hitch 4000:500 --json

Steppers (--stepper NAME, NAME,NAME… or all; default all):
${steppers}

Scenario, the same for all:
  --seconds S            virtual time to run, up to 86400 (default 10)
  --tick-hz HZ           updates a second (default: the stepper's own; 60 when there are several)
                         refresh-multiple and bounded-variable have no rate and ignore it
  --max-steps N          maximum updates a frame, for steppers with such a limit; or none
  --display-hz HZ        refreshes of the display a second (default 60)
  --vsync on|off         whether drawing waits for the display (default on); without it, most loops need
                         a frame cost or a frame limit: all leaves out loops that would never end
  --stamp-noise-ms MS    the loop's clock is off by up to this (default 0)
  --update-ms COST       cost of an update in ms (default 0): 2, or 1:3 (uniform), or 2~8 with
                         a median of 2 and one in a hundred above 8
  --frame-ms COST        cost of drawing a frame (default 0)
  --refresh-ms COST      cost of a refresh of the counters (default 0)
  --wake-late-ms COST    how late a sleep ends (default 0)
  --machine-speed X      divides the costs (default 1)
  --hitch AT:DURATION    the machine freezes at AT ms for DURATION ms; repeatable
  --render-hz HZ         frame limit; the render rate of rate-groups
  --skip-repeats         do not draw a frame that would show the same as the last
  --input sliced|polled  updates take the input up to their due time, or all of it (sliced)
  --seed N               seed of everything random (default 1)

Options of steppers:
  variable               --clamp-ratio 0.75:1.5
  frame-skip             --max-frame-skip 10
  fixed-predict          --max-frame-skip 5
  fixed                  --max-frame-ms 250  --no-interpolate
  refresh-multiple       --assumed-hz 60 (default: the display's)  --max-intervals 4
                         --threshold-ms 100  --overload slow-down|pass-through
  rate-groups            --refresh-hz 4  --poll-ms 1  --interpolate
  bounded-variable       --max-dt-ms 20  --remainder  --max-lag-ms 5

Watchdog, which evaluates the updates that a frame needs:
  --watchdog-slow-updates N      slow above N (default 5)
  --watchdog-critical-updates N  critical above N (default 20)
  --watchdog-critical-frames N   unresponsive after N critical frames in a row (default 5),
  --watchdog-window-ms MS        or within this time (default 10000)

Output:
  --json                 an array with an object for each stepper
  --trace FILE           every pass, update, frame, sleep and wait, one JSON object a line

Columns of the table:
${columns}
`;
