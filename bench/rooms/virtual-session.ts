/**
 * A random session in virtual time: a room, and clients that predict it over a network that delays, loses and reorders. Late
 * joins, leaves, and a server that is busy now and then are part of it.
 */
import type { Action } from '../../src/shared/network/action-entries.js';
import { encodeClientMessage } from '../../src/shared/network/client-messages.js';
import { decodeRoomMessage } from '../../src/shared/network/room-messages.js';
import { Random } from '../../src/shared/recording/random.js';
import { EventReporter } from '../../src/sim-worker/events/event-reporter.js';
import { PredictedRun, type PredictionCounters } from '../../src/sim-worker/room/predicted-run.js';
import { RoomRun } from '../../src/sim-worker/room/room-run.js';
import { SimulationRun } from '../../src/sim-worker/run/simulation-run.js';
import type { Simulation } from '../../src/sim-worker/index.js';
import { KeepingToy, SeatedToy, TOY_COMMANDS } from './seated-toy.js';
import { VirtualLink, type NetworkOptions } from './virtual-network.js';

const TICK_MS = 1000 / 60;
/** How long the room and everything on the network takes to come to rest, in ms. */
const REST_MS = 3000;

/** What a client has done. */
export interface ClientState {
  /** Undefined before the state of the room has arrived. */
  readonly counters: PredictionCounters | undefined;
  /** How often it has asked for the state of the room. */
  readonly asked: number;
  /** How often it has got it since. */
  readonly repairs: number;
}

/** A client, in this thread or another one. */
export interface SessionClient extends ClientState {
  /**
   * Receives messages, and runs up to a moment.
   *
   * @param isActing Whether the player does anything.
   * @returns What it sends.
   */
  turn(
    received: readonly Uint8Array[],
    nowMs: number,
    isActing: boolean,
  ): Promise<readonly Uint8Array[]>;
}

/** What is played. */
export interface SessionGame {
  /** The room's simulation, with the commands of the toy. */
  createSimulation(): Simulation;
  createClient(seed: number, random: Random): SessionClient;
}

/** A client in virtual time. */
export class VirtualClient implements SessionClient {
  readonly #simulation: Simulation;
  readonly #random: Random;
  readonly #leadTicks: number;
  #predicted: PredictedRun | undefined;
  asked = 0;
  repairs = 0;
  #packetTick = 0;
  #startMs = 0;
  #sent: Uint8Array[] = [];

  constructor(seed: number, simulation: Simulation) {
    this.#random = new Random(seed + 2);
    this.#simulation = simulation;
    this.#leadTicks = Math.floor(this.#random.between(0, 12));
  }

  get counters(): PredictionCounters | undefined {
    return this.#predicted?.counters;
  }

  async turn(received: readonly Uint8Array[], nowMs: number, isActing: boolean) {
    for (const bytes of received) await this.#receive(bytes, nowMs);
    this.#run(nowMs, isActing);
    const sent = this.#sent;
    this.#sent = [];
    return sent;
  }

  async #receive(bytes: Uint8Array, nowMs: number): Promise<void> {
    const message = decodeRoomMessage(bytes, TOY_COMMANDS, this.#packetTick + 1);
    if (message.kind === 'welcome') {
      if (this.#predicted !== undefined) {
        this.#predicted.begin(message);
        this.repairs += 1;
      } else {
        const run = await runOf(this.#simulation);
        this.#predicted = new PredictedRun(run, message);
        this.#startMs = nowMs - message.tick * TICK_MS;
      }
      this.#packetTick = message.packetTick;
    } else if (message.kind === 'packet') {
      this.#packetTick = message.tick;
      this.#check(this.#predicted?.receive(message) ?? true);
    }
  }

  #run(nowMs: number, isActing: boolean): void {
    const predicted = this.#predicted;
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
      this.#sent.push(encodeClientMessage({ kind: 'actions', actions: [action] }, TOY_COMMANDS));
    }
    this.#check(predicted.advance(tick));
  }

  #check(isRight: boolean): void {
    if (isRight) return;
    this.asked += 1;
    this.#sent.push(encodeClientMessage({ kind: 'state', mode: 'predict' }, TOY_COMMANDS));
  }
}

async function runOf(simulation: Simulation): Promise<SimulationRun> {
  const run = new SimulationRun({
    simulation,
    options: { capacity: 64, seed: 1, setup: null, dt: 1 / 60, invalidPosePolicy: 'freeze' },
    events: new EventReporter(undefined, 1000),
  });
  await run.initialize();
  return run;
}

/** A game with the toy. @param createToy Default: a right one, of which half keep states in memory. */
export const toyGame = (
  createToy = (random: Random): SeatedToy =>
    random.next() < 0.5 ? new SeatedToy() : new KeepingToy(),
): SessionGame => ({
  createSimulation: () => new SeatedToy(),
  createClient: (seed, random) => new VirtualClient(seed, createToy(random)),
});

/** A client and its connection. */
interface Seat {
  readonly seat: number;
  readonly client: SessionClient;
  readonly up: VirtualLink;
  readonly down: VirtualLink;
  isGone: boolean;
}

/** How a session ended: those who have left are among the clients. */
export interface PlayedSession {
  readonly clients: readonly (ClientState & { readonly isGone: boolean })[];
  /** Messages of clients that were late, also of those who have left. */
  readonly late: number;
}

/** Plays a random session. */
export async function playSession(seed: number, game = toyGame()): Promise<PlayedSession> {
  const random = new Random(seed);
  const down: NetworkOptions = {
    delayMs: random.between(0, 150),
    jitterMs: random.between(0, 100),
    loss: random.next() < 0.5 ? 0 : random.between(0, 0.1),
    isOrdered: true,
  };
  // What a client sends may also get lost, or be overtaken. Packets of a room rely on each other.
  const up = { ...down, isOrdered: random.next() < 0.5 };
  const seats: Seat[] = [];
  const room = await RoomRun.open(
    game.createSimulation(),
    {
      capacity: 64,
      seed,
      hashEveryTicks: 60,
      ticksPerPacket: 1 + Math.floor(random.between(0, 3)),
    },
    {
      onPacket: (mode, packet) => {
        if (mode !== 'predict') return;
        for (const { down: link, isGone } of seats) if (!isGone) link.send(packet, nowMs);
      },
    },
  );
  let nowMs = 0;
  let late = 0;
  const leave = (one: Seat): void => {
    late += room.countersOf(one.seat)?.late ?? 0;
    one.isGone = true;
    room.leave(one.seat);
  };
  const playMs = 1500 + random.between(0, 1500);
  const count = 1 + Math.floor(random.between(0, 3));
  while (nowMs < playMs + REST_MS) {
    nowMs += TICK_MS / 2;
    // Most join at once, some late; some leave.
    if (seats.length < count && random.next() < (seats.length === 0 ? 1 : 0.02)) {
      const seat = seats.length;
      const own = seed * 10 + seat;
      const links = { up: new VirtualLink(up, own), down: new VirtualLink(down, own + 1) };
      const client = game.createClient(own, random);
      room.join(seat, `player ${seat}`);
      links.down.send(room.welcome(seat, 'predict'), nowMs);
      seats.push({ seat, client, ...links, isGone: false });
    }
    for (const one of seats) {
      for (const bytes of one.up.receive(nowMs)) {
        if (one.isGone) continue;
        const answer = room.receive(one.seat, bytes, nowMs);
        if (answer !== undefined) one.down.send(answer, nowMs);
      }
      // The first one sees it.
      const mayLeave = one.seat > 0 && !one.isGone && one.client.counters !== undefined;
      if (mayLeave && random.next() < 0.0005) leave(one);
    }
    // A server that is busy now and then.
    if (random.next() > 0.05) room.advance(nowMs);
    for (const one of seats) {
      if (one.isGone) continue;
      const sent = await one.client.turn(one.down.receive(nowMs), nowMs, nowMs < playMs);
      for (const bytes of sent) one.up.send(bytes, nowMs);
    }
  }
  for (const { seat, isGone } of seats) if (!isGone) late += room.countersOf(seat)?.late ?? 0;
  room.dispose();
  const clients = seats.map(({ client, isGone }) => {
    const { counters, asked, repairs } = client;
    return { counters, asked, repairs, isGone };
  });
  return { clients, late };
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
 * @param onSession Called after each.
 */
export async function playSessions(
  seeds: Iterable<number>,
  onSession: (totals: SessionTotals) => void = () => {},
  game?: SessionGame,
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
    const { clients, late } = await playSession(seed, game);
    totals.sessions += 1;
    totals.late += late;
    for (const { counters } of clients) {
      if (counters === undefined) continue;
      const { rollbacks, repeatedTicks, hashes, desyncs } = counters;
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
