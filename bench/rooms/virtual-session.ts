/**
 * A random session in virtual time: a room, and clients that predict it over a network that delays, loses and reorders. Late
 * joins, leaves, and a server that is busy now and then are part of it.
 */
import type { Action } from '../../src/shared/network/action-entries.js';
import { encodeClientMessage } from '../../src/shared/network/client-messages.js';
import { decodeRoomMessage } from '../../src/shared/network/room-messages.js';
import { Random } from '../../src/shared/recording/random.js';
import { EventReporter } from '../../src/sim-worker/events/event-reporter.js';
import { PredictedRun } from '../../src/sim-worker/room/predicted-run.js';
import { RoomRun } from '../../src/sim-worker/room/room-run.js';
import { hashRun } from '../../src/sim-worker/run/journal.js';
import { SimulationRun } from '../../src/sim-worker/run/simulation-run.js';
import { KeepingToy, SeatedToy, TOY_COMMANDS } from './seated-toy.js';
import { VirtualLink, type NetworkOptions } from './virtual-network.js';

const TICK_MS = 1000 / 60;
/** How long the room and everything on the network takes to come to rest, in ms. */
const REST_MS = 3000;

/** A client in virtual time. */
export class VirtualClient {
  readonly seat: number;
  readonly up: VirtualLink;
  readonly down: VirtualLink;
  readonly #simulation: SeatedToy;
  readonly #random: Random;
  readonly #leadTicks: number;
  predicted: PredictedRun | undefined;
  /** How often it has asked for the state of the room. */
  asked = 0;
  /** How often it has got it since. */
  repairs = 0;
  isGone = false;
  #packetTick = 0;
  #startMs = 0;

  constructor(
    seat: number,
    network: Readonly<Record<'up' | 'down', NetworkOptions>>,
    seed: number,
    simulation: SeatedToy,
  ) {
    this.seat = seat;
    this.up = new VirtualLink(network.up, seed);
    this.down = new VirtualLink(network.down, seed + 1);
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
    this.#check(predicted.advance(tick), nowMs);
  }

  #check(isRight: boolean, nowMs: number): void {
    if (isRight) return;
    this.asked += 1;
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

/** How a session ended: those who have left are among the clients. */
export interface PlayedSession {
  readonly room: RoomRun;
  readonly clients: readonly VirtualClient[];
  /** Messages of clients that were late, also of those who have left. */
  readonly late: number;
}

/**
 * Plays a random session.
 *
 * @param createToy The simulation of a client. Default: a right one, of which half keep states in memory.
 */
export async function playSession(
  seed: number,
  createToy: (random: Random) => SeatedToy = (random) =>
    random.next() < 0.5 ? new SeatedToy() : new KeepingToy(),
): Promise<PlayedSession> {
  const random = new Random(seed);
  const down: NetworkOptions = {
    delayMs: random.between(0, 150),
    jitterMs: random.between(0, 100),
    loss: random.next() < 0.5 ? 0 : random.between(0, 0.1),
    isOrdered: true,
  };
  // What a client sends may also get lost, or be overtaken. Packets of a room rely on each other.
  const network = { down, up: { ...down, isOrdered: random.next() < 0.5 } };
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
        if (mode !== 'predict') return;
        for (const { down: link, isGone } of clients) if (!isGone) link.send(packet, nowMs);
      },
    },
  );
  let nowMs = 0;
  let late = 0;
  const leave = (client: VirtualClient): void => {
    late += room.countersOf(client.seat)?.late ?? 0;
    client.isGone = true;
    room.leave(client.seat);
  };
  const playMs = 1500 + random.between(0, 1500);
  const count = 1 + Math.floor(random.between(0, 3));
  while (nowMs < playMs + REST_MS) {
    nowMs += TICK_MS / 2;
    // Most join at once, some late; some leave.
    if (clients.length < count && random.next() < (clients.length === 0 ? 1 : 0.02)) {
      const seat = clients.length;
      const client = new VirtualClient(seat, network, seed * 10 + seat, createToy(random));
      room.join(seat, `player ${seat}`);
      client.down.send(room.welcome(seat, 'predict'), nowMs);
      clients.push(client);
    }
    for (const client of clients) {
      for (const bytes of client.up.receive(nowMs)) {
        if (client.isGone) continue;
        const answer = room.receive(client.seat, bytes, nowMs);
        if (answer !== undefined) client.down.send(answer, nowMs);
      }
      // The first one sees it.
      const mayLeave = client.seat > 0 && !client.isGone && client.predicted !== undefined;
      if (mayLeave && random.next() < 0.0005) leave(client);
    }
    // A server that is busy now and then.
    if (random.next() > 0.05) room.advance(nowMs);
    for (const client of clients) {
      if (client.isGone) continue;
      for (const bytes of client.down.receive(nowMs)) await client.receive(bytes, nowMs);
      client.run(nowMs, nowMs < playMs);
    }
  }
  for (const { seat, isGone } of clients) if (!isGone) late += room.countersOf(seat)?.late ?? 0;
  return { room, clients, late };
}

/** What many sessions had, in all. */
export interface SessionTotals {
  sessions: number;
  clients: number;
  rollbacks: number;
  repeatedTicks: number;
  late: number;
  /** Hashes of the room that clients have compared with theirs. */
  hashes: number;
  /** Of those: that differed. */
  desyncs: number;
}

/**
 * Plays sessions and adds up what they had.
 *
 * @param createToy See {@link playSession}.
 * @param onSession Called after each.
 */
export async function playSessions(
  seeds: Iterable<number>,
  onSession: (totals: SessionTotals) => void = () => {},
  createToy?: (random: Random) => SeatedToy,
): Promise<SessionTotals> {
  const totals: SessionTotals = {
    sessions: 0,
    clients: 0,
    rollbacks: 0,
    repeatedTicks: 0,
    late: 0,
    hashes: 0,
    desyncs: 0,
  };
  for (const seed of seeds) {
    const { clients, late } = await playSession(seed, createToy);
    totals.sessions += 1;
    totals.late += late;
    for (const { predicted } of clients) {
      if (predicted === undefined) continue;
      const { rollbacks, repeatedTicks, hashes, desyncs } = predicted.counters;
      totals.clients += 1;
      totals.rollbacks += rollbacks;
      totals.repeatedTicks += repeatedTicks;
      totals.hashes += hashes;
      totals.desyncs += desyncs;
    }
    onSession(totals);
  }
  return totals;
}
