import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('..', import.meta.url));

/** How long an interrupted child may tidy up before it is told that this is enough. */
const graceMs = 5_000;

/** Exit code of a command that was not started because of an interruption. */
const interruptedExitCode = 130;

let running: ChildProcess | undefined;
let interrupted = false;

/**
 * Runs a command in the repository's root with its output passed through, and resolves to its
 * exit code (or to 1 if a signal ended it). One command runs at a time, and none any more after
 * an interruption.
 *
 * The child leads a process group of its own. So a Ctrl-C in the terminal reaches only this
 * process, which hands it on once: test runners take a second one as "stop without tidying up".
 */
export async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  if (interrupted) return interruptedExitCode;
  const child = spawn(command, args, {
    cwd: repositoryRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  });
  running = child;
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
  } finally {
    running = undefined;
  }
}

export function isInterrupted(): boolean {
  return interrupted;
}

/** Asks the running command to stop, as Ctrl-C would, insists on it, and starts no other. */
export function interrupt(): void {
  // A terminal, npm and tsx may each deliver the same Ctrl-C.
  if (interrupted) return;
  interrupted = true;
  const child = running;
  if (child === undefined) return;
  child.kill('SIGINT');
  setTimeout(() => child.kill('SIGINT'), graceMs).unref();
  setTimeout(() => child.kill('SIGKILL'), 2 * graceMs).unref();
}
