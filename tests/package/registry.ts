/**
 * A registry for npm in this process, for as long as a test runs. It has what is published to it, and all other packages of
 * the registry that npm is configured for; of betwixt and create-betwixt it has only what the test publishes.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../scripts/child-process.js';

export interface Registry {
  /** `http://127.0.0.1:PORT/`. */
  readonly url: string;
  /**
   * Variables for an npm that knows only this registry and may publish to it. Its cache is separate from the user's: only in an
   * empty one it is certain that our package is not from an earlier run.
   */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** A registry's description of a package. */
interface Packument {
  readonly name: string;
  readonly versions: Record<string, { readonly dist: { tarball: string } }>;
  /** Only in what npm publishes: the tarballs, in base64. */
  readonly _attachments?: Readonly<Record<string, { readonly data: string }>>;
}

/** Whatever the world has under these names, it is not asked for them. */
const OURS = ['betwixt', 'create-betwixt'];

/** @param folder An existing folder that the caller removes when the registry has stopped. */
export async function startRegistry(folder: string): Promise<Registry> {
  // By the environment, too: that of this process.
  const { stdout: configured } = await promisify(execFile)('npm', ['config', 'get', 'registry'], {
    cwd: repositoryRoot,
    shell: process.platform === 'win32',
  });
  const upstream = configured.trim().replace(/\/*$/, '/');
  /** By path. A tarball of the upstream is one that a packument has named. */
  const answers = new Map<string, Promise<Buffer>>();
  const tarballs = new Map<string, string>();
  let url = '';

  /** Tarballs are asked of this registry, too. */
  const withOwnTarballs = (packument: Packument): Buffer => {
    for (const { dist } of Object.values(packument.versions)) {
      const path = `/${packument.name}/-/${dist.tarball.split('/').at(-1)}`;
      tarballs.set(path, dist.tarball);
      dist.tarball = new URL(path, url).href;
    }
    return Buffer.from(JSON.stringify(packument));
  };
  const publish = async (path: string, request: IncomingMessage): Promise<Buffer> => {
    const { _attachments = {}, ...packument } = (await json(request)) as Packument;
    answers.set(path, Promise.resolve(withOwnTarballs(packument)));
    for (const [name, { data }] of Object.entries(_attachments)) {
      answers.set(`${path}/-/${name}`, Promise.resolve(Buffer.from(data, 'base64')));
    }
    return Buffer.from('{"ok":true}');
  };
  const ask = async (path: string): Promise<Buffer> => {
    const tarball = tarballs.get(path);
    const response = await fetch(tarball ?? new URL(path.slice(1).replace('/', '%2f'), upstream));
    if (!response.ok) throw new Error(`${response.status} ${path}`);
    return tarball === undefined
      ? withOwnTarballs((await response.json()) as Packument)
      : Buffer.from(await response.arrayBuffer());
  };
  const answer = (path: string): Promise<Buffer> => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    if (OURS.some((name) => path === `/${name}`)) throw new Error('it is not published yet');
    const asked = ask(path);
    answers.set(path, asked);
    // npm asks again.
    asked.catch(() => answers.delete(path));
    return asked;
  };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent((request.url ?? '').split('?')[0] ?? '');
    try {
      const body = request.method === 'PUT' ? await publish(path, request) : await answer(path);
      response.end(body);
    } catch (error) {
      response.writeHead(404).end(JSON.stringify({ error: String(error) }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/`;
  const userconfig = join(folder, 'npmrc');
  writeFileSync(
    userconfig,
    [
      `registry=${url}`,
      // Any: npm publishes nothing without one.
      `//127.0.0.1:${port}/:_authToken=publisher`,
      `cache=${join(folder, 'cache')}`,
      'noproxy=127.0.0.1',
      'audit=false',
      'fund=false',
      'update-notifier=false',
      // A user would see warnings, if they were not expected.
      'loglevel=warn',
    ].join('\n'),
  );
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, env: { npm_config_userconfig: userconfig }, stop };
}
