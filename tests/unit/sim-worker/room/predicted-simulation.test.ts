import { describe, expect, test } from 'vitest';
import { ConfirmedPoses } from '../../../../src/colyseus/client/confirmed-poses.js';
import { EVENT_RECORD, ReadEventRecord } from '../../../../src/shared/events/event-record.js';
import {
  decodeRoomMessage,
  type EventEntry,
  type RoomWelcome,
} from '../../../../src/shared/network/room-messages.js';
import { PredictedSimulation } from '../../../../src/sim-worker/room/predicted-simulation.js';
import {
  bytesOfText,
  CONFIRMED_COMMAND,
  MESSAGE_COMMAND,
  PREDICTION_EVENTS,
  SKIP_COMMAND,
  type ConfirmedLanes,
  type PredictionState,
} from '../../../../src/sim-worker/room/prediction-names.js';
import { RoomRun } from '../../../../src/sim-worker/room/room-run.js';
import { SentEvents } from '../../../../src/sim-worker/room/sent-events.js';
import { SimulationRun } from '../../../../src/sim-worker/run/simulation-run.js';
import { present } from '../../../fixtures/present.js';
import type { SimulationContext } from '../../../../src/sim-worker/index.js';
import { SeatedToy } from '../../../../bench/rooms/seated-toy.js';
import { VirtualLink } from '../../../../bench/rooms/virtual-network.js';

const TICK_MS = 1000 / 60;
/** When pages skip ticks, to be ahead of the room. */
const SKIP_TICK = 30;

/** A client whose page is this class. */
class PredictingPage {
  readonly seat: number;
  readonly up: VirtualLink;
  readonly down: VirtualLink;
  readonly events = new SentEvents();
  readonly run: SimulationRun;
  state: PredictionState | undefined;
  reported: string[] = [];
  readonly confirmed = new ConfirmedPoses();
  /** Messages of the errors with which own commands were refused. */
  refused: string[] = [];

  static async open(
    seat: number,
    welcome: Uint8Array,
    toy: SeatedToy,
    delayMs: number,
  ): Promise<PredictingPage> {
    const page = new PredictingPage(seat, welcome, toy, delayMs);
    await page.run.initialize();
    return page;
  }

  private constructor(seat: number, welcome: Uint8Array, toy: SeatedToy, delayMs: number) {
    const network = { delayMs, jitterMs: 20, loss: 0, isOrdered: true };
    this.seat = seat;
    this.up = new VirtualLink(network, seat);
    this.down = new VirtualLink(network, seat + 100);
    const { run, valueCount, tickRateHz } = decodeRoomMessage(
      welcome,
      [],
      0,
    ) as unknown as RoomWelcome;
    this.run = new SimulationRun({
      simulation: new PredictedSimulation(toy),
      options: {
        capacity: run.capacity,
        seed: run.seed,
        setup: run.setup,
        valueCount,
        dt: 1 / tickRateHz,
        invalidPosePolicy: 'freeze',
      },
      events: this.events.reporter,
      onCommand: (_, outcome) => {
        if ('error' in outcome) this.refused.push((outcome.error as Error).message);
      },
    });
  }

  /** @param own Commands of the player. */
  tick(nowMs: number, own: readonly OwnCommand[] = []): void {
    const received = this.down
      .receive(nowMs)
      .map((data) => ({ name: MESSAGE_COMMAND, call: 0, args: `[${data.length},0]`, data }));
    const commands = [
      ...received,
      ...own.map((command) => ({ data: undefined, ...command, call: 0 })),
    ];
    this.run.runTick(1 / 60, { inputs: [], commands });
    this.events.collect();
    for (const entry of this.events.take() ?? []) this.#take(entry, nowMs);
  }

  get xs(): number[] {
    return this.run.bodies.ids().map((id) => this.run.bodies.pose(id)?.x ?? Number.NaN);
  }

  #take({ type, words }: EventEntry, nowMs: number): void {
    if (type !== EVENT_RECORD.user) return;
    const record = new ReadEventRecord();
    record.reserve(words.length);
    record.words.set(words);
    const name = record.nameOf(type);
    const { value } = record.toEvent(type, words.length) as { value: unknown } as { value: never };
    if (name === PREDICTION_EVENTS.send) {
      this.up.send(bytesOfText(value), nowMs);
    } else if (name === PREDICTION_EVENTS.state) this.state = value;
    else if (name === PREDICTION_EVENTS.confirmed) {
      const { from, slots, lanes } = value as ConfirmedLanes;
      this.confirmed.set(from, slots, bytesOfText(lanes).buffer);
    } else this.reported.push(name);
  }
}

/** Bodies that one event has no room for. */
const CROWD = 9000;

class CrowdedToy extends SeatedToy {
  override init(context: SimulationContext): void {
    super.init(context);
    for (let x = 0; x < CROWD; x++) {
      context.bodies.spawn({ x, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
    }
  }
}

interface OwnCommand {
  readonly name: string;
  readonly args: string;
  readonly data?: Uint8Array;
}

/**
 * @param play What a player does in a tick.
 * @param delayMs Of the network, one way.
 * @returns By how far bodies have moved from one tick to the next: `jumps` that of the other player, `own` one's own in ticks in which
 *   the player did something.
 */
async function playTogether(
  ticks: number,
  play: (page: PredictingPage, tick: number) => readonly OwnCommand[],
  { createToy = () => new SeatedToy(), capacity = 64, delayMs = 40 } = {},
) {
  const pages: PredictingPage[] = [];
  let nowMs = 0;
  const room = await RoomRun.open(
    createToy(),
    { capacity, values: 1 },
    {
      onPacket: (mode, packet) => {
        if (mode === 'predict') for (const { down } of pages) down.send(packet, nowMs);
      },
    },
  );
  for (let seat = 0; seat < 2; seat++) {
    room.join(seat, `player ${seat}`);
    room.advance(nowMs + (seat + 1) * 2.5 * TICK_MS);
    const welcome = room.welcome(seat, 'predict');
    const page = await PredictingPage.open(seat, welcome, createToy(), delayMs);
    page.down.send(welcome, nowMs);
    pages.push(page);
  }
  const jumps: number[] = [];
  const own: number[] = [];
  // A page begins as late as its welcome came. Then it is ahead of the room, by more than actions take.
  const leadTicks = Math.ceil((2 * delayMs + 100) / TICK_MS);
  for (let tick = 6; tick <= ticks; tick++) {
    nowMs = tick * TICK_MS;
    for (const page of pages) {
      for (const bytes of page.up.receive(nowMs)) {
        const answer = room.receive(page.seat, bytes, nowMs);
        if (answer !== undefined) page.down.send(answer, nowMs);
      }
    }
    room.advance(nowMs + 0.1);
    for (const page of pages) {
      const before = page.xs;
      const skip = tick === SKIP_TICK ? [{ name: SKIP_COMMAND, args: `[${leadTicks}]` }] : [];
      const actions = play(page, tick);
      page.tick(nowMs, [...skip, ...actions]);
      for (const [seat, x] of page.xs.entries()) {
        const moved = Math.abs(x - (before[seat] ?? x));
        if (seat !== page.seat) jumps.push(moved);
        else if (actions.length > 0) own.push(moved);
      }
    }
  }
  return { room, pages, jumps, own };
}

describe('a predicted simulation', () => {
  test.each([40, 300])(
    'shows its own actions in the next tick, and hides corrections by those of others, with a delay of %i ms',
    async (delayMs) => {
      const shift: OwnCommand = { name: 'shift', args: '[0.5]' };
      const { pages, jumps, own, room } = await playTogether(
        900,
        (page, tick) => (tick > 30 && tick < 430 && tick % 20 === 7 * page.seat ? [shift] : []),
        { delayMs },
      );
      for (const page of pages) {
        const state = present(page.state);
        expect(state.rollbacks).toBeGreaterThan(15);
        expect(state.hashes).toBeGreaterThan(8);
        expect(state.desyncs).toBe(0);
        expect(state.tick).toBeGreaterThan(room.tick);
        expect(room.countersOf(page.seat)?.late).toBe(0);
        expect(state.confirmedTick).toBeLessThanOrEqual(room.tick);
        expect(page.run.bodies.tag(present(page.run.bodies.ids()[0]))).toEqual({
          seat: 0,
          name: 'player 0',
        });
        expect(room.countersOf(page.seat)?.actions).toBe(20);
      }
      // The other player is shifted by 0.5 at once. The picture moves there, at 15 % per tick at most.
      expect(Math.max(...jumps)).toBeLessThan(0.25);
      expect(own.length).toBeGreaterThan(30);
      expect(Math.min(...own)).toBeGreaterThan(0.4);
    },
  );

  test('reports each event once', async () => {
    const push: OwnCommand = { name: 'push', args: '[6]' };
    const { pages } = await playTogether(600, (_, tick) => (tick % 10 === 0 ? [push] : []));
    const [first = 0, second = 0] = pages.map(({ reported }) => reported.length);
    expect(first).toBeGreaterThan(0);
    // Events of predictions that did not come true differ.
    expect(Math.abs(first - second)).toBeLessThan(5);
  });

  test('continues after an action that is too large for its room', async () => {
    const push: OwnCommand = { name: 'push', args: JSON.stringify([1, 'n'.repeat(100_000)]) };
    const { pages, room } = await playTogether(90, (page, tick) =>
      tick === 30 && page.seat === 1 ? [push] : [],
    );
    expect(room.countersOf(1)).toMatchObject({ actions: 0, flooded: 1 });
    expect(pages[1]?.state?.tick).toBeGreaterThan(room.tick);
  });

  test('refuses an action that no message has room for, whatever its bytes are, and sends others apart', async () => {
    // As JSON in an event, a zero would take six bytes.
    const [small, large, larger] = [60_000, 131_072, 300_000].map((length) => {
      return { name: 'push', args: '[1]', data: new Uint8Array(length) };
    }) as [OwnCommand, OwnCommand, OwnCommand];
    const { pages, room } = await playTogether(90, (page, tick) => {
      if (page.seat !== 1) return [];
      if (tick === 30) return [larger, large];
      return tick === 40 || tick === 42 ? [small, small, small] : [];
    });
    const [, page] = pages;
    expect(page?.refused).toEqual([
      'the command "push" was refused: it takes 300013 bytes, and a message to the room has at most 131072',
      'the command "push" was refused: it takes 131085 bytes, and a message to the room has at most 131072',
    ]);
    // Of each three, the message with the first was within what the room takes in a second, or none.
    expect(room.countersOf(1)?.flooded).toBeGreaterThan(0);
    expect(room.countersOf(1)?.malformed).toBe(0);
    expect(page?.state?.tick).toBeGreaterThan(room.tick);
  });

  test('says where the confirmed bodies are, also if they take several events', async () => {
    const { pages } = await playTogether(
      60,
      (_, tick) => (tick === 20 ? [{ name: CONFIRMED_COMMAND, args: '[]' }] : []),
      { createToy: () => new CrowdedToy(), capacity: 10_000 },
    );
    for (const { run, confirmed } of pages) {
      const ids = run.bodies.ids();
      expect(ids).toHaveLength(CROWD + 2);
      const out = new Float64Array(7);
      const lacking = ids.filter((id) => confirmed.pose(id, out) === undefined);
      expect(lacking).toEqual([]);
      const last = present(ids.at(-3));
      expect(confirmed.pose(last, out)?.[0]).toBe(run.bodies.pose(last)?.x);
    }
  });

  test('needs a simulation that can be saved', async () => {
    const simulation = { init: () => {}, step: () => {} };
    const run = new SimulationRun({
      simulation: new PredictedSimulation(simulation),
      options: { capacity: 1, seed: 1, setup: null, dt: 1 / 60, invalidPosePolicy: 'freeze' },
      events: new SentEvents().reporter,
    });
    await expect(run.initialize()).rejects.toThrow(
      "give it save() and restore(), or use mode: 'stream'",
    );
  });
});
