/** An app made from a template, as a user works with it: by commands in its folder. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';

const execute = promisify(execFile);

/** Runs a command to its end. All output is part of the error if it fails. */
export async function outputOf(
  folder: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  try {
    const { stdout, stderr } = await execute(command, [...args], {
      cwd: folder,
      env: { ...cleanEnvironment(), ...env },
      maxBuffer: 2 ** 26,
      // On Windows npm is a batch file, which only a shell starts.
      shell: process.platform === 'win32',
    });
    return { stdout: stripVTControlCharacters(stdout), stderr: stripVTControlCharacters(stderr) };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const said = stripVTControlCharacters(`${stdout}\n${stderr}`).trim();
    throw new Error(`${command} ${args.join(' ')}\n${said}`, { cause: error });
  }
}

/** The same. @returns Its standard output. */
export const runIn = async (...given: Parameters<typeof outputOf>): Promise<string> =>
  (await outputOf(...given)).stdout;

/** A server on its own port, until it is stopped. */
export interface RunningServer {
  readonly url: string;
  /** All that it has said so far. */
  output(): string;
  stop(): Promise<void>;
}

/**
 * Starts what `npm start` or `npm run preview` starts. Without npm, which would be one more process
 * to stop.
 *
 * @param args `[]` for the development server, `['preview']` for the built app.
 */
export function startVite(folder: string, args: readonly string[]): Promise<RunningServer> {
  const vite = 'node_modules/vite/bin/vite.js';
  return startServer(folder, [vite, ...args, '--host', '127.0.0.1', '--port', '0']);
}

/** Starts a script in Node, with its arguments, which prints the address at which it listens. */
export async function startServer(
  folder: string,
  command: readonly string[],
): Promise<RunningServer> {
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const keep = (text: Buffer): void => {
    said += stripVTControlCharacters(String(text));
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const output = (): string => said;
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill();
    await ended;
  };
  return { url: await addressOf(child, output), output, stop };
}

/** @param output All that the server has said so far. */
function addressOf(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const url = /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(output())?.[0];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('close', () =>
      reject(new Error(`the server ended before it printed an address:\n${output()}`)),
    );
  });
}

const OURS = /^(?:VITEST|VITE_|TEST$|NODE_ENV$|npm_)/i;

/**
 * Without the variables that the test runner and npm set for the repository: a user's shell has
 * none of them.
 */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name)));
}
