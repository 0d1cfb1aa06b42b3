/** Builds a page with Vite and serves it as a host does that sends the headers for shared memory. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { isolationHeaders } from '../../src/vite/index.js';

export interface ServedApp {
  readonly address: string;
  /** By path, without a slash at the beginning. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  close(): void;
}

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.map': 'text/plain' };

/**
 * @param main The page's script.
 * @param mode Decides whether the library warns of mistakes.
 * @param others Files besides those of the build.
 */
export async function serveApp(
  main: URL,
  mode: 'production' | 'development',
  others: Readonly<Record<string, string>> = {},
): Promise<ServedApp> {
  const path = fileURLToPath(main);
  const script = basename(path).replace(/\.ts$/, '.js');
  const page = `<!doctype html><link rel="icon" href="data:," /><script type="module" src="/${script}"></script>`;
  const files = new Map<string, string | Uint8Array>([...Object.entries(others), ['', page]]);
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = mode;
  const result = (await build({
    root: fileURLToPath(new URL('.', main)),
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      write: false,
      sourcemap: true,
      target: 'esnext',
      modulePreload: false,
      chunkSizeWarningLimit: 5000,
      rolldownOptions: { input: path, output: { entryFileNames: '[name].js' } },
    },
  })) as Rolldown.RolldownOutput;
  if (before === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = before;
  for (const file of result.output) {
    files.set(file.fileName, file.type === 'chunk' ? file.code : file.source);
    if (file.type !== 'chunk' || file.map === null) continue;
    files.set(`${file.fileName}.map`, file.map.toString());
  }
  const server = createServer(({ url = '' }, response) => {
    const name = url.slice(1).split('?')[0] ?? '';
    const body = files.get(name);
    response.writeHead(body === undefined ? 404 : 200, {
      'Content-Type': TYPES[extname(name)] ?? 'text/html',
      ...isolationHeaders(),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    files,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
