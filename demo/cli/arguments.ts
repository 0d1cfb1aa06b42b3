/** The replay command's arguments, checked. */
import { onlyOne, parseFlags } from '../../scripts/cli/arguments.js';
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

export const HELP = `usage: npm run replay -- FILE [--from TICK] [--max-ticks N] [--json]

Replays a recording of the demo, without a page and as fast as possible, and compares its state hashes.

  --from TICK    starts at the file's last saved state up to that tick, instead of the beginning
  --max-ticks N  refuses a recording with more ticks to run. Default 20000000, 92 hours at 60 Hz
  --json         prints one JSON object
  --help, -h     prints this

Ctrl-C ends it between two ticks.

Exit codes: 0 all hashes are equal; 1 one differs; 2 wrong arguments, a file that is refused, a run that cannot continue,
or nothing to compare; 130 interrupted.
`;

const SEE_HELP = 'npm run replay -- --help says how it is used';

/** @returns Undefined when help is asked for. @throws RefusedError. */
export function readArguments(args: readonly string[]): ReplayArguments | undefined {
  const { values, positionals } = parseFlags(
    {
      args: [...args],
      options: {
        from: { type: 'string' },
        'max-ticks': { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
      strict: true,
    },
    SEE_HELP,
  );
  if (values.help === true) return undefined;
  const file = onlyOne('recording file', positionals, SEE_HELP);
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
