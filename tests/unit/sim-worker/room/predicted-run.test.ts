import { describe, expect, test } from 'vitest';
import { encodeClientMessage } from '../../../../src/shared/network/client-messages.js';
import type { Action } from '../../../../src/shared/network/action-entries.js';
import { decodeRoomMessage } from '../../../../src/shared/network/room-messages.js';
import { Random } from '../../../../src/shared/recording/random.js';
import { EventReporter } from '../../../../src/sim-worker/events/event-reporter.js';
import { hashRun } from '../../../../src/sim-worker/run/journal.js';
import { SimulationRun } from '../../../../src/sim-worker/run/simulation-run.js';
import { PredictedRun } from '../../../../src/sim-worker/room/predicted-run.js';
import { RoomRun } from '../../../../src/sim-worker/room/room-run.js';
import { present } from '../../../fixtures/present.js';
import { SeatedToy, TOY_COMMANDS } from '../../../fixtures/seated-toy.js';
import { VirtualLink, type NetworkOptions } from '../../../fixtures/virtual-network.js';

const TICK_MS = 1000 / 60;
/** How long the room and everything on the network takes to come to rest, in ms. */
const REST_MS = 3000;

/** A client in virtual time. */
class VirtualClient {
  readonly seat: number;
  readonly up: VirtualLink;
  readonly down: VirtualLink;
  readonly #simulation: SeatedToy;
  readonly #random: Random;
  readonly #leadTicks: number;
  predicted: PredictedRun | undefined;
  /** Room hashes that differed. */
  desyncs = 0;
  repairs = 0;
  #packetTick = 0;
  #startMs = 0;
  maxLead = 0;

  constructor(seat: number, network: NetworkOptions, seed: number, simulation: SeatedToy) {
    this.seat = seat;
    this.up = new VirtualLink(network, seed);
    this.down = new VirtualLink(network, seed + 1);
    this.#random = new Random(seed + 2);
    this.#simulation = simulation;
    this.#leadTicks = Math.floor(this.#random.between(0, 12));
  }

  async receive(bytes: Uint8Array, nowMs: number): Promise<void> {
    const message = decodeRoomMessage(bytes, TOY_COMMANDS, this.#packetTick + 1);
    if (message.kind === 'welcome') {
      if (this.predicted !== undefined) {
        this.predicted.begin(message);
        this.repairs += 1;
      } else {
        const run = await runOf(this.#simulation);
        this.predicted = new PredictedRun(run, message);
        this.#startMs = nowMs - message.tick * TICK_MS;
      }
      this.#packetTick = message.packetTick;
    } else if (message.kind === 'packet') {
      this.#packetTick = message.tick;
      this.#check(this.predicted?.receive(message) ?? true, nowMs);
    }
  }

  /** @param isActing Whether the player does anything. */
  run(nowMs: number, isActing: boolean): void {
    const { predicted } = this;
    if (predicted === undefined) return;
    const now = Math.floor((nowMs - this.#startMs) / TICK_MS) + this.#leadTicks;
    const tick = Math.max(predicted.tick, Math.min(now, predicted.packetTick + 60));
    if (isActing && this.#random.next() < 0.3) {
      const action: Action = {
        kind: 'command',
        tick: Math.max(0, tick + 1 + Math.floor(this.#random.between(-3, 4))),
        name: this.#random.next() < 0.9 ? 'push' : 'jump',
        args: JSON.stringify([this.#random.between(-5, 5)]),
      };
      predicted.addOwn([action]);
      this.up.send(
        encodeClientMessage({ kind: 'actions', actions: [action] }, TOY_COMMANDS),
        nowMs,
      );
    }
    this.maxLead = Math.max(this.maxLead, tick - predicted.packetTick);
    this.#check(predicted.advance(tick), nowMs);
  }

  #check(isRight: boolean, nowMs: number): void {
    if (isRight) return;
    this.desyncs += 1;
    this.up.send(encodeClientMessage({ kind: 'state', mode: 'predict' }, TOY_COMMANDS), nowMs);
  }
}

async function runOf(simulation: SeatedToy): Promise<SimulationRun> {
  const run = new SimulationRun({
    simulation,
    options: { capacity: 64, seed: 1, setup: null, dt: 1 / 60, invalidPosePolicy: 'freeze' },
    hashRun,
    events: new EventReporter(undefined, 1000),
  });
  await run.initialize();
  return run;
}

/** Plays a random session, and returns how it ended. */
async function play(seed: number, drift?: () => number) {
  const random = new Random(seed);
  const network: NetworkOptions = {
    delayMs: random.between(0, 150),
    jitterMs: random.between(0, 100),
    loss: random.next() < 0.5 ? 0 : random.between(0, 0.1),
    isOrdered: true,
  };
  const clients: VirtualClient[] = [];
  const room = await RoomRun.open(
    new SeatedToy(),
    {
      capacity: 64,
      seed,
      hashEveryTicks: 60,
      ticksPerPacket: 1 + Math.floor(random.between(0, 3)),
    },
    {
      onPacket: (mode, packet) => {
        for (const { down } of clients) if (mode === 'predict') down.send(packet, nowMs);
      },
    },
  );
  let nowMs = 0;
  const playMs = 1500 + random.between(0, 1500);
  const count = 1 + Math.floor(random.between(0, 3));
  while (nowMs < playMs + REST_MS) {
    nowMs += TICK_MS / 2;
    // Most join at once, some late; some leave.
    if (clients.length < count && random.next() < (clients.length === 0 ? 1 : 0.02)) {
      const seat = clients.length;
      const client = new VirtualClient(seat, network, seed * 10 + seat, new SeatedToy(drift));
      room.join(seat, `player ${seat}`);
      client.down.send(room.welcome(seat, 'predict'), nowMs);
      clients.push(client);
    }
    for (const client of clients) {
      for (const bytes of client.up.receive(nowMs)) {
        const answer = room.receive(client.seat, bytes, nowMs);
        if (answer !== undefined) client.down.send(answer, nowMs);
      }
    }
    // A server that is busy now and then.
    if (random.next() > 0.05) room.advance(nowMs);
    for (const client of clients) {
      for (const bytes of client.down.receive(nowMs)) await client.receive(bytes, nowMs);
      client.run(nowMs, nowMs < playMs);
    }
  }
  return { room, clients };
}

describe('a predicted run', () => {
  test('has the hash of the room at every confirmed hash tick, whatever the network does', async () => {
    const total = { rollbacks: 0, repeatedTicks: 0, hashes: 0, late: 0 };
    for (let seed = 1; seed <= 100; seed++) {
      const { clients, room } = await play(seed);
      for (const { predicted, desyncs, seat } of clients) {
        expect({ seed, seat, desyncs }).toEqual({ seed, seat, desyncs: 0 });
        const { rollbacks, repeatedTicks, hashes } = present(predicted).counters;
        expect(hashes).toBeGreaterThan(1);
        total.rollbacks += rollbacks;
        total.repeatedTicks += repeatedTicks;
        total.hashes += hashes;
        total.late += room.countersOf(seat)?.late ?? 0;
      }
    }
    // What it is about has happened, often.
    expect(total.rollbacks).toBeGreaterThan(300);
    expect(total.late).toBeGreaterThan(300);
  });

  test('finds a simulation that computes something else, and continues with the state of the room', async () => {
    let calls = 0;
    const { clients } = await play(7, () => (++calls % 100 === 0 ? 1e-9 : 0));
    const wrong = clients.map(({ desyncs, repairs }) => ({ desyncs, repairs }));
    expect(wrong.every(({ desyncs, repairs }) => desyncs > 0 && repairs > 0)).toBe(true);
  });
});
