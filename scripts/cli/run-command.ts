/** A command as a process. */
import { parseFlags } from './arguments.js';
import { RefusedError } from './errors.js';
import { EXIT_CODES } from './exit-codes.js';

/**
 * Runs a command with the arguments of this process. A refusal becomes one line on stderr.
 *
 * @param name What the line begins with.
 * @param run Resolves to the exit code.
 * @returns The exit code.
 */
export async function runCommand(
  name: string,
  run: (args: readonly string[]) => number | Promise<number>,
): Promise<number> {
  // A reader that closes early (`| head`) is not a failure.
  process.stdout.on('error', () => {});
  try {
    return await run(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    return EXIT_CODES.refused;
  }
}

/** Ends this process if it was given arguments, of which its command has none. */
export async function requireNoArguments(name: string): Promise<void> {
  const code = await runCommand(name, (args) => {
    parseFlags({ args: [...args], options: {} });
    return EXIT_CODES.done;
  });
  if (code !== EXIT_CODES.done) process.exit(code);
}
