/** A command as a process. */
import { helpOf, type Command } from './command.js';
import { RefusedError } from './errors.js';
import { EXIT_CODES } from './exit-codes.js';

/**
 * Runs a command with the arguments of this process, or prints its help. A refusal becomes one line on stderr.
 *
 * @param run Resolves to the exit code.
 * @returns The exit code.
 */
export async function runCommand(
  command: Command,
  run: (args: readonly string[]) => number | Promise<number>,
): Promise<number> {
  // A reader that closes early (`| head`) is not a failure.
  process.stdout.on('error', () => {});
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(helpOf(command));
    return EXIT_CODES.done;
  }
  try {
    return await run(args);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    process.stderr.write(`${command.name}: ${error.message}\n`);
    return EXIT_CODES.refused;
  }
}
