/** The verify command's arguments, checked. */
import { availableParallelism } from 'node:os';
import { integer, number, onlyOne, parseFlags } from '../../../scripts/cli/arguments.js';
import { DEFAULT_MAX_TICKS, JSON_AND_HELP } from '../arguments.js';

export interface VerifyArguments {
  readonly folder: string;
  /** File of the module that makes simulations; undefined: the demo's. */
  readonly simulation: string | undefined;
  readonly threads: number;
  readonly maxTicks: number;
  readonly maxBytes: number;
  /** Of JavaScript's heap in one thread, in MiB. */
  readonly maxHeapMiB: number;
  /** Seconds that a file may take. */
  readonly timeoutSeconds: number;
  readonly json: boolean;
}

const MAX_THREADS = 256;
export const DEFAULT_LIMITS = {
  maxTicks: DEFAULT_MAX_TICKS,
  /** A recording holds 64 MiB by default. Above that is the rest of its file. */
  maxBytes: 65 * 2 ** 20,
  maxHeapMiB: 2048,
  timeoutSeconds: 600,
} as const;
const DAY_SECONDS = 86_400;

export const HELP = `usage: npm run verify -- FOLDER [--simulation FILE] [--threads N] [--timeout SECONDS] [--max-ticks N]
                               [--max-bytes N] [--max-heap MIB] [--json]

Replays all recordings (.btwr) in a folder and its subfolders, without a page, in threads, and compares their state
hashes. The files may be hostile: each is refused, or ends, within the limits below. Symbolic links are not followed.

  --simulation FILE  a module with a function createSimulation(recording, path), which returns a new simulation, or a
                     promise of one, and throws to refuse the recording. Default: the simulation of the demo
  --threads N        recordings that are replayed at the same time. Default: one for each processor
  --timeout SECONDS  the longest that a file may take, 0.1 to 86400. Then its thread is ended. Default 600
  --max-ticks N      refuses recordings with more ticks to run. Default 20000000, 92 hours at 60 Hz
  --max-bytes N      refuses larger files, without reading them. Default 68157440: 65 MiB
  --max-heap MIB     JavaScript memory of a thread. A thread that needs more is ended. Default 2048
  --json             prints one JSON object
  --help, -h         prints this

Ctrl-C ends it, and prints what is done.

Exit codes: 0 all recordings are identical; 1 at least one differs; 2 wrong arguments, no recording, or none differs but
at least one was refused, has nothing to compare, took too long or crashed; 130 interrupted.
`;

const SEE_HELP = 'npm run verify -- --help says how it is used';

/** @returns Undefined when help is asked for. @throws RefusedError. */
export function readArguments(args: readonly string[]): VerifyArguments | undefined {
  const { values, positionals } = parseFlags(
    {
      args: [...args],
      options: {
        simulation: { type: 'string' },
        threads: { type: 'string' },
        timeout: { type: 'string' },
        'max-ticks': { type: 'string' },
        'max-bytes': { type: 'string' },
        'max-heap': { type: 'string' },
        ...JSON_AND_HELP,
      },
      allowPositionals: true,
      strict: true,
    },
    SEE_HELP,
  );
  if (values.help === true) return undefined;
  const folder = onlyOne('folder', positionals, SEE_HELP);
  const whole = (
    name: 'threads' | 'max-ticks' | 'max-bytes' | 'max-heap',
    low: number,
    high: number,
    otherwise: number,
  ): number => integer(`--${name}`, values[name] ?? String(otherwise), low, high);
  return {
    folder,
    simulation: values.simulation,
    threads: whole('threads', 1, MAX_THREADS, Math.min(MAX_THREADS, availableParallelism())),
    // Threads count their ticks in 32 bits.
    maxTicks: whole('max-ticks', 1, 2 ** 32 - 1, DEFAULT_LIMITS.maxTicks),
    maxBytes: whole('max-bytes', 1, 2 ** 31 - 1, DEFAULT_LIMITS.maxBytes),
    maxHeapMiB: whole('max-heap', 64, 2 ** 20, DEFAULT_LIMITS.maxHeapMiB),
    timeoutSeconds: number(
      '--timeout',
      values.timeout ?? String(DEFAULT_LIMITS.timeoutSeconds),
      0.1,
      DAY_SECONDS,
    ),
    json: values.json ?? false,
  };
}
