/**
 * A registry for npm on this machine, for as long as a test runs. It has what is published to it, and all other packages of
 * the registry that npm is configured for; of betwixt and create-betwixt it has only what the test publishes.
 */
import { execFile, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../scripts/child-process.js';

export interface Registry {
  /** `http://127.0.0.1:PORT/`. */
  readonly url: string;
  /**
   * Variables for an npm that knows only this registry and may publish to it. Its cache is separate from the user's: only in an
   * empty one it is certain that a package of ours is not one from an earlier run.
   */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** @param folder An existing folder that the caller removes when the registry has stopped. */
export async function startRegistry(folder: string): Promise<Registry> {
  // By the environment, too: that of this process.
  const { stdout: configured } = await promisify(execFile)('npm', ['config', 'get', 'registry'], {
    cwd: repositoryRoot,
    shell: process.platform === 'win32',
  });
  const server = fork(
    fileURLToPath(new URL('registry-server.ts', import.meta.url)),
    [folder, configured.trim()],
    {
      cwd: repositoryRoot,
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  let said = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on('data', (text: Buffer) => (said += String(text)));
  }
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    server.once('message', (message) => resolve(Number(message)));
    void ended.then(() => reject(new Error(`the registry ended before it listened:\n${said}`)));
  });
  const url = `http://127.0.0.1:${port}/`;
  const userconfig = join(folder, 'npmrc');
  writeFileSync(
    userconfig,
    [
      `registry=${url}`,
      `//127.0.0.1:${port}/:_authToken=${await signUp(url)}`,
      `cache=${join(folder, 'cache')}`,
      'noproxy=127.0.0.1',
      'audit=false',
      'fund=false',
      'update-notifier=false',
      // What a user would see, if it were not expected.
      'loglevel=warn',
    ].join('\n'),
  );
  const stop = async (): Promise<void> => {
    if (server.connected) server.disconnect();
    await ended;
  };
  return { url, env: { npm_config_userconfig: userconfig }, stop };
}

/** Publishing needs a user, and reading none. @returns The token of a new user. */
async function signUp(url: string): Promise<string> {
  const name = 'publisher';
  const response = await fetch(`${url}-/user/org.couchdb.user:${name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password: crypto.randomUUID() }),
  });
  const { token } = (await response.json()) as { readonly token?: string };
  if (token === undefined) throw new Error(`the registry accepts no user: ${response.status}`);
  return token;
}
