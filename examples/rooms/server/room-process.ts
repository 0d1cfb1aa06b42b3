/**
 * A process that runs rooms. `npm run rooms` starts it, so that nothing else, such as building the page, delays a tick.
 * Its argument is a {@link RoomProcessSettings} as JSON. It sends its port when it listens, and ends with its parent.
 */
import { matchMaker, Server, type ServerOptions } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import type { SimulationRoomOptions } from 'betwixt/colyseus/server';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SumoRoom } from './sumo-room.js';

export interface RoomProcessSettings {
  readonly recordings?: string;
  readonly keepSeconds?: number;
  /** See `RoomsArguments`. */
  readonly redis?: string;
}

/** For how long rooms may finish, in ms. */
const LONGEST_END_MS = 10_000;

/** The message of the process to its parent. */
export interface RoomProcessMessage {
  readonly port: number;
  /** By which Colyseus knows the process: the path of its connections begins with it. */
  readonly processId: string;
}

type Log = Pick<Console, 'debug' | 'error' | 'info' | 'trace' | 'warn'>;

/** Most errors that are logged in a window, and its length in ms. */
const MOST_LINES = 10;
const WINDOW_MS = 10_000;

/**
 * The log of a server to which anyone may send anything. For each message that it cannot read, Colyseus logs the stack of the
 * error as text: here only its first line, and only some of the errors that come at the same time.
 *
 * @param now A clock, in ms.
 */
function shortLog(log: Log = console, now: () => number = Date.now): Log {
  let startMs = Number.NEGATIVE_INFINITY;
  let lines = 0;
  const error = (...parts: readonly unknown[]): void => {
    const nowMs = now();
    if (nowMs - startMs >= WINDOW_MS) {
      if (lines > MOST_LINES) log.error(`(${lines - MOST_LINES} more errors)`);
      startMs = nowMs;
      lines = 0;
    }
    lines += 1;
    if (lines > MOST_LINES) return;
    // Error objects are errors of the room, which its author needs in full.
    log.error(...parts.map((part) => (typeof part === 'string' ? part.split('\n', 1)[0] : part)));
  };
  return {
    debug: (...parts) => log.debug(...parts),
    info: (...parts) => log.info(...parts),
    trace: (...parts) => log.trace(...parts),
    warn: (...parts) => log.warn(...parts),
    error,
  };
}

const {
  recordings,
  redis,
  keepSeconds = 10,
} = JSON.parse(process.argv[2] ?? '{}') as RoomProcessSettings;
const transport = new WebSocketTransport();
const server = new Server({
  transport,
  greet: false,
  logger: shortLog(),
  ...(await sharedOver(redis)),
});
server.define(
  'sumo',
  roomWith({
    reconnectSeconds: keepSeconds,
    ...(recordings !== undefined && { recording: { folder: recordings } }),
  }),
);
// Only the parent connects to it, for the browsers.
await server.listen(0, '127.0.0.1');
const { port } = (transport.server as HttpServer).address() as AddressInfo;
process.send?.({ port, processId: matchMaker.processId } satisfies RoomProcessMessage);
// Also if it was killed.
process.once('disconnect', () => {
  void server.gracefullyShutdown(true);
  // Redis may not answer any longer. What was recorded is recovered later.
  setTimeout(() => process.exit(1), LONGEST_END_MS).unref();
});

/** The options with which processes find each other's rooms. */
async function sharedOver(address: string | undefined): Promise<Partial<ServerOptions>> {
  if (address === undefined) return {};
  const [{ RedisDriver }, { RedisPresence }] = await Promise.all([
    import('@colyseus/redis-driver'),
    import('@colyseus/redis-presence'),
  ]);
  const presence = new RedisPresence(address);
  return {
    driver: new RedisDriver(address),
    presence,
    // In turn. Colyseus would compare numbers of rooms, which a process tells the others up to a second late.
    async selectProcessIdToCreateRoom() {
      const turn = await presence.incr('betwixt:rooms');
      const processes = await matchMaker.stats.fetchAll();
      const ids = processes.map(({ processId }) => processId).toSorted();
      return ids[turn % ids.length] ?? matchMaker.processId;
    },
  };
}

function roomWith(options: SimulationRoomOptions): typeof SumoRoom {
  return class extends SumoRoom {
    constructor() {
      super();
      this.simulationOptions = { ...this.simulationOptions, ...options };
    }
  };
}
