/** Serves the page, and passes what it sends to the rooms on to their processes: there is one address for everything. */
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { betwixt } from 'betwixt/vite';
import { createLogger, createServer, type Logger, type ProxyOptions } from 'vite';
import { RefusedError } from '../../../scripts/cli/errors.js';
import type { RoomProcessMessage } from './room-process.js';

const example = fileURLToPath(new URL('..', import.meta.url));
const repository = fileURLToPath(new URL('../../..', import.meta.url));

export interface PageServer {
  /** What to open in a browser. */
  readonly url: string;
  close(): Promise<void>;
}

/** Where the page finds a process of rooms, by its index. */
export const pathOfProcess = (index: number): string => `/rooms/${index}`;

/**
 * @param processes Those of rooms. The page begins with the first.
 * @throws RefusedError if the port is in use.
 */
export async function startPageServer(
  { port, host }: { readonly port: number; readonly host: string },
  processes: readonly RoomProcessMessage[],
): Promise<PageServer> {
  const server = await createServer({
    configFile: false,
    root: example,
    // A page under that address is there or not.
    appType: 'mpa',
    // A test has an empty one, as there is after an installation.
    cacheDir: process.env['BETWIXT_ROOMS_CACHE'] ?? `${repository}node_modules/.vite-rooms`,
    clearScreen: false,
    customLogger: errorsOf(createLogger('error')),
    plugins: [betwixt()],
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
      proxy: proxyTo(processes),
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

/** Without those of connections that a page has closed. */
const errorsOf = (logger: Logger): Logger => ({
  ...logger,
  error(message, options) {
    if (!message.includes('ws proxy')) logger.error(message, options);
  },
});

/**
 * A process is asked for a room by its index, and may name a room of another one. A client connects to that room under the address that
 * it asked, with the id of the other process.
 */
function proxyTo(processes: readonly RoomProcessMessage[]): Record<string, ProxyOptions> {
  const entries = processes.flatMap(({ port, processId }, index): [string, ProxyOptions][] => {
    const options: ProxyOptions = {
      target: `http://127.0.0.1:${port}`,
      ws: true,
      rewrite: (path) => path.replace(/^\/rooms\/\d+/, ''),
    };
    return [
      [`^/rooms/\\d+/${processId}/`, options],
      [`^${pathOfProcess(index)}/`, options],
    ];
  });
  // The first that fits is taken.
  return Object.fromEntries(entries.toSorted(([a], [b]) => b.length - a.length));
}
