/** The arguments of the lab's command, and its help. */
import { defineCommand } from '../../scripts/cli/command.js';
import { STEPPER_KINDS } from '../engine/loops/registry.js';
import { STEPPER_INFO } from '../engine/loops/stepper-info.js';
import { COLUMN_LEGEND } from './legend.js';
import { STEPPER_FLAGS } from './stepper-flags.js';
import { WATCHDOG_FLAGS } from './watchdog-flags.js';

const steppers = STEPPER_KINDS.map(
  (kind) => `  ${kind.padEnd(17)} ${STEPPER_INFO[kind].rule}`,
).join('\n');

const columnWidth = Math.max(...COLUMN_LEGEND.map(([name]) => name.length));
const columns = COLUMN_LEGEND.map(
  ([name, meaning]) => `  ${name.padEnd(columnWidth)}  ${meaning}`,
).join('\n');

export const LAB = defineCommand({
  name: 'lab',
  about: `Runs game loops in virtual time and compares them.

  npm run lab -- --stepper all
  npm run lab -- --stepper fixed --tick-hz 50 --display-hz 60 --hitch 4000:500 --json

Steppers:
${steppers}`,
  flags: {
    stepper: { value: 'NAMES', about: 'names of them with commas between, or all (default all)' },
    seconds: {
      heading: 'Scenario, the same for all',
      value: 'S',
      about: 'virtual time to run, up to 86400 (default 10)',
    },
    'tick-hz': {
      value: 'HZ',
      about:
        "updates a second (default: the stepper's own; 60 when there are several); refresh-multiple and bounded-variable have " +
        'no rate and ignore it',
    },
    'max-steps': {
      value: 'N',
      about: 'maximum updates a frame, for steppers with such a limit; or none',
    },
    'display-hz': { value: 'HZ', about: 'refreshes of the display a second (default 60)' },
    vsync: {
      value: 'on|off',
      about:
        'whether drawing waits for the display (default on); without it, most loops need a frame cost or a frame limit: all ' +
        'leaves out loops that would never end',
    },
    'stamp-noise-ms': { value: 'MS', about: "the loop's clock is off by up to this (default 0)" },
    'update-ms': {
      value: 'COST',
      about:
        'cost of an update in ms (default 0): 2, or 1:3 (uniform), or 2~8 with a median of 2 and one in a hundred above 8',
    },
    'frame-ms': { value: 'COST', about: 'cost of drawing a frame (default 0)' },
    'refresh-ms': { value: 'COST', about: 'cost of a refresh of the counters (default 0)' },
    'wake-late-ms': { value: 'COST', about: 'how late a sleep ends (default 0)' },
    'machine-speed': { value: 'X', about: 'divides the costs (default 1)' },
    hitch: {
      value: 'AT:DURATION',
      isRepeatable: true,
      about: 'the machine freezes at AT ms for DURATION ms; repeatable',
    },
    'render-hz': { value: 'HZ', about: 'frame limit; the render rate of rate-groups' },
    'skip-repeats': { about: 'do not draw a frame that would show the same as the last' },
    input: {
      value: 'sliced|polled',
      about: 'updates take the input up to their due time, or all of it (sliced)',
    },
    seed: { value: 'N', about: 'seed of everything random (default 1)' },
    ...STEPPER_FLAGS.flags,
    ...WATCHDOG_FLAGS,
    json: { heading: 'Output', about: 'an array with an object for each stepper' },
    trace: {
      value: 'FILE',
      about: 'every pass, update, frame, sleep and wait, one JSON object a line',
    },
  },
  more: `Columns of the table:
${columns}`,
});
