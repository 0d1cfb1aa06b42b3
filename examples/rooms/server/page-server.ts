/** Serves the page, and passes what it sends to the rooms on to their processes: there is one address for everything. */
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { betwixt } from 'betwixt/vite';
import type { Server } from 'node:http';
import { createLogger, createServer } from 'vite';
import { RefusedError } from '../../../scripts/cli/errors.js';
import { forwardConnections, forwardQuestions } from './forwarding.js';
import type { RoomProcesses } from './room-processes.js';

const example = fileURLToPath(new URL('..', import.meta.url));
const repository = fileURLToPath(new URL('../../..', import.meta.url));

export interface PageServer {
  /** What to open in a browser. */
  readonly url: string;
  close(): Promise<void>;
}

/** @throws RefusedError if the port is in use. */
export async function startPageServer(
  { port, host }: { readonly port: number; readonly host: string },
  processes: RoomProcesses,
): Promise<PageServer> {
  const portsFor = (path: string): readonly number[] => processes.portsFor(path);
  const server = await createServer({
    configFile: false,
    root: example,
    // A page under that address is there or not.
    appType: 'mpa',
    // A test has an empty one, as there is after an installation.
    cacheDir: process.env['BETWIXT_ROOMS_CACHE'] ?? `${repository}node_modules/.vite-rooms`,
    clearScreen: false,
    customLogger: createLogger('error'),
    plugins: [
      betwixt(),
      {
        name: 'rooms',
        configureServer(vite) {
          vite.middlewares.use(forwardQuestions(portsFor));
          forwardConnections(vite.httpServer as Server, portsFor);
        },
      },
    ],
    worker: { format: 'es' },
    build: { target: 'esnext' },
    server: {
      port,
      host,
      // A number that was asked for is in a link that someone has.
      strictPort: true,
      fs: { allow: [repository] },
      // Colyseus says which other pages may ask for a room.
      cors: false,
    },
  });
  try {
    await server.listen();
  } catch (error) {
    await server.close();
    if (!/port \d+ is already in use/i.test(String(error))) throw error;
    throw new RefusedError(`the port ${port} is in use: --port 0 takes one that is free`);
  }
  const address = server.httpServer?.address() as AddressInfo;
  return {
    url: `http://${host === '0.0.0.0' ? 'localhost' : host}:${address.port}/`,
    close: () => server.close(),
  };
}
