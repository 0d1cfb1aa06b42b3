/** Builds the application on one of the libraries, as Vite does for a production site, and serves it. */
import { readFileSync, readdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { betwixt, isolationHeaders } from '../../../src/vite/index.js';

export const SUBJECTS = ['rapier', 'betwixt', 'betwixt-without-queries'] as const;
export type SubjectName = (typeof SUBJECTS)[number];

const PAGE = fileURLToPath(new URL('.', import.meta.url));
const BUILT = fileURLToPath(new URL('../../../build/first-motion/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};
/** Bytes that a server with a limited rate sends in one go. */
const PIECE = 16_384;
const sleep = promisify(setTimeout);

/** A response, and when it was asked for and all of it sent, by the clock of the process. */
export interface ServedFile {
  readonly path: string;
  readonly bytes: number;
  readonly fromMs: number;
  untilMs: number;
}

export interface BuiltApp {
  readonly address: string;
  /** The files since the last call. */
  takeServed(): ServedFile[];
  close(): Promise<void>;
}

/** All that is built, by path. */
export async function buildApp(subject: SubjectName): Promise<ReadonlyMap<string, Buffer>> {
  const outDir = join(BUILT, subject);
  await build({
    configFile: false,
    root: PAGE,
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, target: 'esnext', chunkSizeWarningLimit: 5000 },
    plugins: [
      betwixt(),
      {
        name: 'subject',
        transformIndexHtml: {
          order: 'pre',
          handler: (html) => html.replace('SUBJECT', subject),
        },
      },
    ],
  });
  const paths = readdirSync(outDir, { recursive: true, encoding: 'utf8' });
  return new Map(
    paths
      .filter((path) => extname(path) in TYPES)
      .map((path) => [`/${path.replaceAll('\\', '/')}`, readFileSync(join(outDir, path))]),
  );
}

/**
 * The rate is the server's, because a browser's own limit is one for each thread. All responses share it.
 *
 * @param mbits Undefined: without a limit.
 */
export async function serveApp(
  files: ReadonlyMap<string, Buffer>,
  { mbits, isCompressed }: { readonly mbits: number | undefined; readonly isCompressed: boolean },
): Promise<BuiltApp> {
  const bodies = new Map(
    Array.from(files, ([path, body]) => [path, isCompressed ? gzipSync(body) : body]),
  );
  let served: ServedFile[] = [];
  let freeMs = 0;
  const send = async (response: ServerResponse, body: Buffer): Promise<void> => {
    if (mbits === undefined) return void response.end(body);
    for (let at = 0; at < body.length; at += PIECE) {
      const piece = body.subarray(at, at + PIECE);
      freeMs = Math.max(freeMs, performance.now()) + piece.length / (mbits * 125);
      await sleep(freeMs - performance.now());
      response.write(piece);
    }
    response.end();
  };
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    const body = bodies.get(path);
    if (body === undefined) return void response.writeHead(404).end();
    response.writeHead(200, {
      ...isolationHeaders(),
      'Content-Type': TYPES[extname(path)],
      'Content-Length': body.length,
      // As most hosts allow for files with a hash in their names.
      'Cache-Control': 'max-age=600',
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    });
    const file = { path, bytes: body.length, fromMs: performance.now(), untilMs: Number.NaN };
    served.push(file);
    void send(response, body).then(() => (file.untilMs = performance.now()));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    takeServed() {
      const taken = served;
      served = [];
      return taken;
    },
    async close() {
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
    },
  };
}
