import { Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { SimulationRoom } from 'betwixt/colyseus/server';
import { createGame } from './simulation.js';

class GameRoom extends SimulationRoom {
  override maxClients = 8;
  override simulationOptions = { tickRateHz: 60, values: 8, recording: { folder: 'recordings' } };

  override createSimulation() {
    return createGame();
  }

  // The value that `join` gets after the seat. The options are the client's, and may be anything.
  override joinData(_client: unknown, options: unknown) {
    return String((options as { name?: unknown } | undefined)?.name ?? 'someone').slice(0, 20);
  }
}

const server = new Server({ transport: new WebSocketTransport() });
server.define('game', GameRoom);
await server.listen(2567);
