/** The process of a command that compares. */
import { RefusedError } from '../../scripts/cli/errors.js';
import { EXIT_CODES } from '../../scripts/cli/exit-codes.js';
import { runCommand } from '../../scripts/cli/run-command.js';

/**
 * A signal that Ctrl-C aborts. The handlers stay installed until the process ends: npm and tsx may each deliver the same
 * Ctrl-C.
 */
export function listenForInterruption(): AbortSignal {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => interruption.abort());
  }
  return interruption.signal;
}

/** As `runCommand`, but unexpected errors also exit with 2: exit code 1 means that something differs. */
export function runComparison(
  name: string,
  run: (args: readonly string[]) => Promise<number>,
): Promise<number> {
  return runCommand(name, async (args) => {
    try {
      return await run(args);
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      process.stderr.write(`${name}: ${describe(error)}\n`);
      return EXIT_CODES.refused;
    }
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
