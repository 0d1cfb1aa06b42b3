/** A server of Colyseus with rooms of the pit, a separate process: it gets the pit's motion and answers the messages of `room-load.ts`. */
import { performance } from 'node:perf_hooks';
import { matchMaker, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SimulationRoom } from '../../src/colyseus/server/index.js';
import { processSchedule } from '../../src/colyseus/server/process-schedule.js';
import type { ScheduledRoom } from '../../src/colyseus/server/room-schedule.js';
import type { Simulation } from '../../src/sim-worker/index.js';
import type { LoadRequest, LoadReport } from './room-load.js';
import { createPit, PIT_CAPACITY, type PitMotion } from './pit.js';

const HZ = 60;
const motion = process.argv[2] as PitMotion;

/** What the rooms have done since the last message. */
let stepMs = 0;
let droppedBefore = 0;
const rooms: PitRoom[] = [];

class PitRoom extends SimulationRoom {
  override simulationOptions = { tickRateHz: HZ, capacity: PIT_CAPACITY };
  override autoDispose = false;
  /** How long after it was due each step began, in ms. */
  lateness: number[] = [];
  #scheduled: ScheduledRoom | undefined;

  override createSimulation(): Simulation {
    rooms.push(this);
    const pit = createPit({ build: 'simd', motion });
    const step: Simulation['step'] = (dt, tick, inputs) => {
      const startMs = performance.now();
      // It has the due time of the tick that runs.
      if (this.#scheduled !== undefined) this.lateness.push(startMs - this.#scheduled.nextDueMs);
      pit.step(dt, tick, inputs);
      stepMs += performance.now() - startMs;
    };
    return Object.create(pit, { step: { value: step } }) as Simulation;
  }

  override async onCreate(options: unknown): Promise<void> {
    const add = processSchedule.add.bind(processSchedule);
    processSchedule.add = (room) => {
      this.#scheduled = room;
      add(room);
    };
    // Rooms are opened in sequence.
    await super.onCreate(options);
    processSchedule.add = add;
  }
}

const transport = new WebSocketTransport({ pingInterval: 0 });
const server = new Server({ transport, greet: false, gracefullyShutdown: false });
server.define('pit', PitRoom);
await server.listen(0, '127.0.0.1');
const { port } = (transport.server as HttpServer).address() as AddressInfo;
send({ kind: 'listening', url: `ws://127.0.0.1:${port}` });

let cpu = process.cpuUsage();
let sinceMs = performance.now();

process.on('message', (message: LoadRequest) => {
  if (message.kind === 'open') {
    void matchMaker.createRoom('pit', {}).then(({ roomId }) => send({ kind: 'opened', roomId }));
  } else if (message.kind === 'begin') begin();
  else sendReport();
});

function begin(): void {
  for (const room of rooms) room.lateness = [];
  droppedBefore = droppedTicks();
  stepMs = 0;
  cpu = process.cpuUsage();
  sinceMs = performance.now();
}

function sendReport(): void {
  const elapsedMs = performance.now() - sinceMs;
  const { user, system } = process.cpuUsage(cpu);
  const ticks = rooms.reduce((sum, { lateness }) => sum + lateness.length, 0);
  send({
    kind: 'report',
    elapsedMs,
    cpuMs: (user + system) / 1000,
    stepMs,
    ticks,
    droppedTicks: droppedTicks() - droppedBefore,
    latenessMs: rooms.flatMap(({ lateness }) => lateness),
  });
}

const droppedTicks = (): number => rooms.reduce((sum, { stats }) => sum + stats.droppedTicks, 0);

function send(message: LoadReport): void {
  process.send?.(message);
}
