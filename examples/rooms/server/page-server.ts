/**
 * Serves the page, and passes what it sends under `/rooms/` on to the processes of rooms: there is one address for everything.
 */
import { betwixt } from 'betwixt/vite';
import { type Server, Agent, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createLogger, createServer } from 'vite';
import type { RoomProcesses } from './room-processes.js';
import { RefusedError } from '../../../scripts/cli/errors.js';
import { markOnPages } from '../../../scripts/site/mark.js';

const example = fileURLToPath(new URL('..', import.meta.url));
const repository = fileURLToPath(new URL('../../..', import.meta.url));

export interface PageServer {
  /** The address to open in a browser. */
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
      markOnPages(),
      {
        name: 'rooms',
        configureServer(vite) {
          vite.middlewares.use(forwardRequests(portsFor));
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

/** The ports of the processes that may answer for a path, the best first. */
type PortsFor = (path: string) => readonly number[];

const PREFIX = /^\/rooms\/\d+(?=\/)/;
/** Requests are short. */
const MAX_BODY_BYTES = 1 << 16;
/** Connections are not kept: the process may have ended since. */
const agent = new Agent({ keepAlive: false });

/** Passes a request on, until a process answers. Calls `next` for other paths. */
const forwardRequests =
  (portsFor: PortsFor) =>
  (incoming: IncomingMessage, answer: ServerResponse, next: () => void): void => {
    const { url = '' } = incoming;
    if (!PREFIX.test(url)) {
      next();
      return;
    }
    const fail = (status: number): void => {
      if (!answer.headersSent) answer.writeHead(status);
      answer.end();
    };
    bodyOf(incoming)
      .then(async (body) => {
        for (const port of portsFor(url)) {
          const reply = await ask(port, incoming, body).catch(() => undefined);
          if (reply === undefined) continue;
          answer.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.pipe(answer);
          return;
        }
        fail(502);
      })
      .catch(() => fail(413));
  };

/** Connects a page to its room. */
function forwardConnections(server: Server, portsFor: PortsFor): void {
  server.on(
    'upgrade',
    ({ url = '', rawHeaders }: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (!PREFIX.test(url)) return;
      const [port] = portsFor(url);
      if (port === undefined) {
        socket.destroy();
        return;
      }
      const room = connect(port, '127.0.0.1', () => {
        const headers = rawHeaders.map((text, index) => text + (index % 2 === 0 ? ': ' : '\r\n'));
        room.write(`GET ${url.replace(PREFIX, '')} HTTP/1.1\r\n${headers.join('')}\r\n`);
        room.write(head);
        room.pipe(socket).pipe(room);
      });
      const end = (): void => {
        room.destroy();
        socket.destroy();
      };
      for (const side of [room, socket]) side.on('error', end).on('close', end);
    },
  );
}

const ask = (port: number, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { method, headers, url = '' } = incoming;
    const path = url.replace(PREFIX, '');
    request({ host: '127.0.0.1', port, method, path, headers, agent }, resolve)
      .on('error', reject)
      .end(body);
  });

/** @throws Error if it is too long. */
async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('it is too long');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
