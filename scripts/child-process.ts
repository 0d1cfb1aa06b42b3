import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('..', import.meta.url));

/** How long an interrupted child may clean up before it is killed. */
const graceMs = 5_000;

/** Exit code of a command that was not started because of an interruption. */
const interruptedExitCode = 130;

const running = new Set<ChildProcess>();
let interrupted = false;

export interface RunOptions {
  /** Environment variables in addition to this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Niceness of the command and its children, 0 to 19. Default 0. */
  readonly niceness?: number;
  /** Receives the command's output, in pieces. Default: this process's own output. */
  readonly onOutput?: (text: string) => void;
  /** Receives what a Node process sends with `process.send`. */
  readonly onMessage?: (message: unknown) => void;
}

/**
 * Runs a command in the repository's root and resolves to its exit code, or to 1 if a signal ended
 * it. Starts no command after an interruption.
 *
 * The child leads a separate process group. So a Ctrl-C in the terminal reaches only this process,
 * which passes it on once: test runners take a second one as "stop without cleaning up".
 */
export async function run(
  command: string,
  args: readonly string[],
  { env = {}, niceness = 0, onOutput, onMessage }: RunOptions = {},
): Promise<number> {
  if (interrupted) return interruptedExitCode;
  const output = onOutput === undefined ? 'inherit' : 'pipe';
  const child = spawn(command, args, {
    cwd: repositoryRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output, ...(onMessage === undefined ? [] : (['ipc'] as const))],
    detached: process.platform !== 'win32',
  });
  if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => onOutput?.(text));
  }
  if (onMessage !== undefined) child.on('message', onMessage);
  running.add(child);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
  } finally {
    running.delete(child);
  }
}

/** Runs npm, which is a batch file on Windows: by the script that runs this command, if npm started it. */
export function runNpm(args: readonly string[], options: RunOptions = {}): Promise<number> {
  const script = process.env.npm_execpath;
  return script === undefined
    ? run('npm', args, options)
    : run(process.execPath, [script, ...args], options);
}

export function isInterrupted(): boolean {
  return interrupted;
}

/**
 * Asks the running commands to stop, as Ctrl-C would, kills them if necessary, and starts no other.
 */
export function interrupt(): void {
  // A terminal, npm and tsx may each deliver the same Ctrl-C.
  if (interrupted) return;
  interrupted = true;
  for (const child of running) {
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGINT'), graceMs).unref();
    setTimeout(() => child.kill('SIGKILL'), 2 * graceMs).unref();
  }
}
