/**
 * A process that runs rooms. `npm run rooms` starts it, so that nothing else, such as building the page, delays a tick.
 * Its argument is a {@link RoomProcessSettings} as JSON. It sends its port when it listens, and ends with its parent.
 */
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { SumoRoom } from './sumo-room.js';

export interface RoomProcessSettings {
  readonly recordings?: string;
}

/** What the process sends to its parent. */
export interface RoomProcessMessage {
  readonly port: number;
}

const { recordings } = JSON.parse(process.argv[2] ?? '{}') as RoomProcessSettings;
const transport = new WebSocketTransport();
const server = new Server({ transport, greet: false });
server.define('sumo', recordings === undefined ? SumoRoom : recordingIn(recordings));
// Only the parent connects to it, for the browsers.
await server.listen(0, '127.0.0.1');
const { port } = (transport.server as HttpServer).address() as AddressInfo;
process.send?.({ port } satisfies RoomProcessMessage);
// Also if it was killed.
process.once('disconnect', () => void server.gracefullyShutdown(true));

function recordingIn(folder: string): typeof SumoRoom {
  return class extends SumoRoom {
    constructor() {
      super();
      this.simulationOptions = { ...this.simulationOptions, recording: { folder } };
    }
  };
}
