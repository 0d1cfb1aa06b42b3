/** The command's arguments, checked: which loops to run, in which scenario. */
import { parseCommand } from '../../scripts/cli/command.js';
import { RefusedError } from '../../scripts/cli/errors.js';
import type { WatchdogOptions } from '../engine/watchdog.js';
import {
  DEFAULT_SCENARIO,
  type Cost,
  type Hitch,
  type Scenario,
  type StepperSettings,
} from '../engine/index.js';
import { STEPPER_KINDS, type StepperKind } from '../engine/loops/registry.js';
import { LAB } from './lab-command.js';
import { STEPPER_FLAGS } from './stepper-flags.js';
import { cost, checkedStepCap, hitch, number, onOff } from './values.js';
import { readWatchdogFlags } from './watchdog-flags.js';

export interface LabArguments {
  readonly kinds: readonly StepperKind[];
  /** Not named explicitly: loops that cannot run are left out. */
  readonly isAll: boolean;
  readonly settings: StepperSettings;
  readonly scenario: Partial<Scenario>;
  readonly watchdog: WatchdogOptions;
  readonly json: boolean;
  /** File to write the trace to. */
  readonly trace: string | undefined;
}

/** Instead of names. */
const ALL = 'all';

/**
 * Reads the arguments.
 *
 * @throws RefusedError with one line that says what is wrong. Ranges are checked by the engine, whose
 *   messages {@link flagsInMessage} puts into the terms of the command.
 */
export function readArguments(args: readonly string[]): LabArguments {
  const { values } = parseCommand(LAB, args);
  const stepper = values.stepper ?? ALL;
  const kinds = readKinds(stepper);
  return {
    kinds,
    isAll: stepper === ALL,
    settings: {
      ...optional('tickHz', values['tick-hz'], (text) => number('--tick-hz', text)),
      ...optional('maxSteps', values['max-steps'], (text) => checkedStepCap('--max-steps', text)),
      options: readStepperFlags(kinds, values),
    },
    scenario: readScenario(values),
    watchdog: readWatchdogFlags(values),
    json: values.json ?? false,
    trace: values.trace,
  };
}

type Values = ReturnType<typeof parseCommand<typeof LAB.flags>>['values'];

function readKinds(text: string): readonly StepperKind[] {
  if (text === ALL) return STEPPER_KINDS;
  const kinds = text.split(',').map((name) => {
    const kind = STEPPER_KINDS.find((known) => known === name);
    if (kind === undefined) {
      const known = STEPPER_KINDS.join(', ');
      throw new RefusedError(`--stepper must be all or of ${known}, but is "${name}"`);
    }
    return kind;
  });
  return [...new Set(kinds)];
}

function readScenario(values: Values): Partial<Scenario> {
  const seconds = optional('seconds', values.seconds, numberOf('--seconds'));
  const hitches: Hitch[] = (values.hitch ?? []).map((text) => hitch(text));
  refuseLateHitches(hitches, seconds.seconds ?? DEFAULT_SCENARIO.seconds);
  const input = values.input;
  if (input !== undefined && input !== 'sliced' && input !== 'polled') {
    throw new RefusedError(`--input must be sliced or polled, but is "${input}"`);
  }
  return {
    ...seconds,
    ...optional('displayHz', values['display-hz'], numberOf('--display-hz')),
    ...optional('vsync', values.vsync, (text) => onOff('--vsync', text)),
    ...optional('stampNoiseMs', values['stamp-noise-ms'], numberOf('--stamp-noise-ms')),
    ...optional('updateMs', values['update-ms'], costOf('--update-ms')),
    ...optional('frameMs', values['frame-ms'], costOf('--frame-ms')),
    ...optional('refreshMs', values['refresh-ms'], costOf('--refresh-ms')),
    ...optional('wakeLateMs', values['wake-late-ms'], costOf('--wake-late-ms')),
    ...optional('machineSpeed', values['machine-speed'], numberOf('--machine-speed')),
    ...optional('renderHz', values['render-hz'], numberOf('--render-hz')),
    ...optional('seed', values.seed, numberOf('--seed')),
    ...(values['skip-repeats'] === undefined ? {} : { skipRepeats: values['skip-repeats'] }),
    ...(input === undefined ? {} : { input }),
    hitches,
  };
}

/** Refused, because a hitch that never happens would look as if the loops handled it well. */
function refuseLateHitches(hitches: readonly Hitch[], seconds: number): void {
  const late = hitches.find(({ atMs }) => atMs >= seconds * 1000);
  // The engine checks the range.
  if (late === undefined || seconds <= 0) return;
  const endMs = seconds * 1000;
  throw new RefusedError(
    `--hitch must begin before the run ends at ${endMs} ms, and begins at ${late.atMs} ms: ` +
      'choose an earlier time or more --seconds',
  );
}

const numberOf =
  (flag: string) =>
  (text: string): number =>
    number(flag, text);

const costOf =
  (flag: string) =>
  (text: string): Cost =>
    cost(flag, text);

/** Each flag goes to the steppers that have it; it is an error if none has. */
function readStepperFlags(
  kinds: readonly StepperKind[],
  values: Readonly<Record<string, unknown>>,
): Partial<Record<StepperKind, Readonly<Record<string, unknown>>>> {
  const options: Partial<Record<StepperKind, Record<string, unknown>>> = {};
  for (const { flag, name, of, read } of STEPPER_FLAGS.list) {
    const value = values[flag];
    if (value === undefined) continue;
    const takers = kinds.filter((kind) => of.includes(kind));
    if (takers.length === 0) {
      throw new RefusedError(
        `--${flag} is an option of ${of.join(' and ')}, not of ${kinds.join(', ')}`,
      );
    }
    for (const kind of takers)
      options[kind] = { ...options[kind], [name]: read(`--${flag}`, value) };
  }
  return options;
}

/** A property; none if there is no text for it. */
function optional<Name extends string, T>(
  name: Name,
  text: string | undefined,
  read: (text: string) => T,
): { readonly [Key in Name]?: T } {
  return (text === undefined ? {} : { [name]: read(text) }) as { readonly [Key in Name]?: T };
}
