/** The replay command's arguments, checked. */
import { onlyOne } from '../../scripts/cli/arguments.js';
import { defineCommand, parseCommand } from '../../scripts/cli/command.js';
import { RefusedError } from '../../scripts/cli/errors.js';

export interface ReplayArguments {
  readonly file: string;
  /** First tick of interest; undefined: the beginning of the recording. */
  readonly fromTick: number | undefined;
  /** Maximum number of ticks to run. */
  readonly maxTicks: number;
  readonly json: boolean;
}

/** 92 hours at 60 Hz. A file of 300 bytes can ask for any number of ticks. */
const DEFAULT_MAX_TICKS = 20_000_000;

export const REPLAY = defineCommand({
  name: 'replay',
  operands: 'FILE',
  about:
    'Replays a recording of the demo, without a page and as fast as possible, and compares its state hashes.',
  flags: {
    from: {
      value: 'TICK',
      about: "starts at the file's last saved state up to that tick, instead of the beginning",
    },
    'max-ticks': {
      value: 'N',
      about: `refuses a recording with more ticks to run (default ${DEFAULT_MAX_TICKS}, 92 hours at 60 Hz)`,
    },
    json: { about: 'prints one JSON object' },
  },
  more: `Ctrl-C ends it between two ticks.
Exit codes: 0 all hashes are equal; 1 one differs; 2 wrong arguments, a file that is refused, a run that cannot continue,
or nothing to compare; 130 interrupted.`,
});

/** @throws RefusedError. */
export function readArguments(args: readonly string[]): ReplayArguments {
  const { values, operands } = parseCommand(REPLAY, args);
  const file = onlyOne('recording file', operands);
  return {
    file,
    fromTick: readTicks('--from', values.from, 0),
    maxTicks: readTicks('--max-ticks', values['max-ticks'], 1) ?? DEFAULT_MAX_TICKS,
    json: values.json ?? false,
  };
}

function readTicks(name: string, text: string | undefined, min: number): number | undefined {
  if (text === undefined) return undefined;
  const ticks = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isSafeInteger(ticks) && ticks >= min) return ticks;
  throw new RefusedError(
    `${name} must be a whole number of ticks from ${min} on, but is "${text}"`,
  );
}
