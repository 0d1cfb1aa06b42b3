import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  encodeClientMessage,
  type Action,
  type RoomMode,
} from '../../../../src/rooms/shared/room-messages.js';
import type { JournalItem } from '../../../../src/shared/protocol/control-protocol.js';
import type { RecordingEntry } from '../../../../src/shared/recording/recording.js';
import { replay } from '../../../../src/sim-worker/index.js';
import { RoomRun } from '../../../../src/rooms/run/room-run.js';
import { resolveRoomOptions, type RoomRunOptions } from '../../../../src/rooms/run/room-options.js';
import { sealedBytes } from '../../../fixtures/rooms/sealed-bytes.js';
import { inputOf } from '../../../fixtures/run-toy.js';
import { SeatedToy, TOY_COMMANDS } from '../../../fixtures/rooms/seated-toy.js';

const TICK_MS = 1000 / 60;

async function openRoom(options: RoomRunOptions = {}, simulation = new SeatedToy()) {
  const packets: Record<RoomMode, Uint8Array[]> = { stream: [], predict: [] };
  const journal: JournalItem[] = [];
  const errors: string[] = [];
  const room = await RoomRun.open(
    simulation,
    { capacity: 64, ...options },
    {
      onPacket: (mode, packet) => packets[mode].push(packet),
      onJournal: (items) => journal.push(...items),
      onCommandError: (name, error) => errors.push(`${name}: ${(error as Error).message}`),
    },
  );
  return { room, packets, journal, errors };
}

const push = (tick: number, vx: unknown): Action => ({
  kind: 'command',
  tick,
  name: 'push',
  args: JSON.stringify([vx]),
});
const moved = (tick: number, x: number): Action => ({
  kind: 'input',
  tick,
  input: inputOf(1, Math.fround(x)),
});
const sent = (...actions: Action[]): Uint8Array =>
  encodeClientMessage({ kind: 'actions', actions }, TOY_COMMANDS);

test('the setup of a room is a copy, as its recording has it', () => {
  expect(resolveRoomOptions({ setup: [-0] }).setup).toStrictEqual([0]);
});

test('a room runs each tick when it is due, and drops what it missed', async () => {
  const { room } = await openRoom();
  expect(room.nextDueMs).toBeCloseTo(TICK_MS);
  expect(room.advance(TICK_MS - 0.1)).toBe(0);
  expect(room.advance(TICK_MS + 0.1)).toBe(1);
  expect(room.advance(6 * TICK_MS + 0.1)).toBe(5);
  expect(room.advance(100.5 * TICK_MS)).toBe(5);
  expect(room.tick).toBe(11);
  // 89 ticks later than at first.
  expect(room.nextDueMs).toBeCloseTo(101 * TICK_MS);
  // Whatever the rounding.
  for (let tick = 1; tick <= 1000; tick++) expect(room.advance(room.nextDueMs)).toBe(1);
});

test('a room runs no more ticks at once than it is asked to', async () => {
  const { room } = await openRoom();
  expect(room.advance(3.5 * TICK_MS, 1)).toBe(1);
  expect(room.advance(3.5 * TICK_MS, 1)).toBe(1);
  expect(room.nextDueMs).toBeCloseTo(3 * TICK_MS);
  // Five are caught up, and the others dropped.
  expect(room.advance(12.5 * TICK_MS, 1)).toBe(1);
  expect([room.tick, room.droppedTicks]).toEqual([3, 5]);
  expect(room.advance(12.5 * TICK_MS)).toBe(4);
  expect(room.droppedTicks).toBe(5);
});

test('a room calls commands by itself, which are recorded', async () => {
  const { room, journal } = await openRoom();
  room.join(0, { name: 'Ada' });
  room.advance(1.5 * TICK_MS);
  room.call('push', [0, 5]);
  room.advance(2.5 * TICK_MS);
  const calls = journal.flatMap((item) => (item.kind === 'command' ? [item] : []));
  expect(calls.map(({ tick, name, args }) => `${tick} ${name}${args}`)).toEqual([
    '1 join[0,{"name":"Ada"}]',
    '2 push[0,5]',
  ]);
  expect(() => room.call('fly', [])).toThrow('the simulation has no command "fly"');
  expect(() => room.call('push', [0, Number.NaN])).toThrow(/argument/);
});

test('a room takes nothing that a recording cannot have', async () => {
  const { room } = await openRoom();
  const asset = 'asset:0123456789abcdef';
  expect(() => room.join(0, { name: asset })).toThrow(/names an asset, and rooms have none/);
  room.join(0);
  expect(() => room.call('push', [0, asset])).toThrow(/names an asset/);
  const wrong: Action[] = [
    push(1, asset),
    { ...push(1, 0), args: String.raw`["\u0061sset:0123456789abcdef"]` } as Action,
    { ...push(1, 0), args: '['.repeat(20_000) + ']'.repeat(20_000) } as Action,
    moved(1, Number.NaN),
    moved(1, Number.POSITIVE_INFINITY),
  ];
  for (const action of wrong) room.receive(0, sent(action), 0);
  expect(room.countersOf(0)).toMatchObject({ malformed: wrong.length, actions: 0 });
});

test('a room sends nothing without a reader', async () => {
  const { room, packets } = await openRoom();
  room.join(0);
  room.advance(4.5 * TICK_MS);
  expect(packets).toEqual({ stream: [], predict: [] });
  room.welcome(0, 'predict');
  room.advance(8.5 * TICK_MS);
  expect(packets.stream).toEqual([]);
  expect(packets.predict).toHaveLength(2);
});

test('a room takes late actions for the next tick, and refuses those too far ahead', async () => {
  const { room } = await openRoom({ limits: { maxLeadTicks: 10, maxActionsPerTick: 2 } });
  room.join(0);
  room.advance(5.5 * TICK_MS);
  room.receive(0, sent(push(2, 1), push(5, 1), push(7, 1), push(15, 1), push(16, 1)), 0);
  expect(room.countersOf(0)).toMatchObject({ malformed: 1 });
  room.receive(0, sent(push(2, 1)), 0);
  room.receive(0, sent(push(5, 1), push(7, 1)), 0);
  room.receive(0, sent(push(15, 1), push(16, 1)), 0);
  room.receive(0, sent(push(6, 1)), 0);
  expect(room.countersOf(0)).toEqual({ actions: 4, late: 2, early: 1, flooded: 1, malformed: 1 });
});

test('a room takes no more bytes than it allows, until time has passed', async () => {
  const { room } = await openRoom({ limits: { maxBytesPerSecond: 256 } });
  room.join(0);
  const ping = encodeClientMessage({ kind: 'ping', clientMs: 5 }, TOY_COMMANDS);
  let answered = 0;
  for (let count = 0; count < 100; count++) answered += Number(!!room.receive(0, ping, 0));
  expect(answered).toBe(Math.floor(256 / ping.length));
  expect(room.receive(0, ping, 1000)).toBeDefined();
  expect(room.countersOf(0)?.flooded).toBe(100 - answered);
});

test('a room sends its state to a client that asks, once per second', async () => {
  const { room } = await openRoom();
  room.join(0);
  const ask = encodeClientMessage({ kind: 'state', mode: 'stream' }, TOY_COMMANDS);
  const answers = [0, 10, 999, 1000, 1001].map((ms) => room.receive(0, ask, ms) !== undefined);
  expect(answers).toEqual([true, false, false, true, false]);
  expect(room.countersOf(0)?.flooded).toBe(3);
});

test('a room continues whatever a client sends, without effect on the others', async () => {
  const simulate = async (isAttacked: boolean, attacks: readonly Uint8Array[]) => {
    const { room, errors } = await openRoom();
    room.join(0);
    room.join(1);
    for (let tick = 1; tick <= attacks.length; tick++) {
      room.receive(0, sent(push(tick + 1, tick)), tick * TICK_MS);
      if (isAttacked) room.receive(1, attacks[tick - 1] ?? new Uint8Array(), tick * TICK_MS);
      room.advance((tick + 0.5) * TICK_MS);
    }
    expect(errors).toEqual([]);
    return { hash: room.hash, counters: room.countersOf(0) };
  };
  const attack = fc.oneof(
    fc.uint8Array({ maxLength: 100 }),
    fc.uint8Array({ maxLength: 100 }).map(sealedBytes),
    fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 8 }), fc.nat(60)).map(([noise, at]) => {
      const bytes = sent(push(3, 1), push(4, 'x'.repeat(30)));
      bytes.set(noise.subarray(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length));
      // Nothing that the toy takes seriously.
      return sealedBytes(bytes.subarray(0, -4).fill(0xff, 1, 3));
    }),
    fc.constantFrom(
      encodeClientMessage({ kind: 'state', mode: 'predict' }, TOY_COMMANDS),
      sent({ kind: 'command', tick: 1, name: 'leave', args: '[0]' }),
      sent(push(1e15, 1)),
      new Uint8Array(1 << 20),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(attack, { minLength: 1, maxLength: 40 }), async (attacks) => {
      expect(await simulate(true, attacks)).toEqual(await simulate(false, attacks));
    }),
    { numRuns: 50 },
  );
});

test('a replay of a room has its hashes', async () => {
  const action = fc.record({
    seat: fc.nat(2),
    at: fc.nat(100),
    lead: fc.integer({ min: -5, max: 20 }),
    vx: fc.double({ min: -50, max: 50, noNaN: true }),
    isInput: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const { room, journal } = await openRoom({ hashEveryTicks: 10 });
      for (let seat = 0; seat < 3; seat++) room.join(seat);
      for (let tick = 1; tick <= 120; tick++) {
        for (const { seat, lead, vx, isInput } of actions.filter(({ at }) => at === tick)) {
          const of = Math.max(0, tick + lead);
          room.receive(seat, sent(isInput ? moved(of, vx) : push(of, vx)), tick * TICK_MS);
        }
        if (tick === 60) {
          room.leave(1);
          room.join(1);
        }
        room.advance((tick + 0.5) * TICK_MS);
      }
      const [first, ...rest] = journal;
      if (first?.kind !== 'restart') throw new Error('the journal does not begin');
      const report = await replay(new SeatedToy(), {
        run: first.run,
        start: undefined,
        lastTick: room.tick,
        entries: rest as RecordingEntry[],
        states: [],
      });
      expect(report).toMatchObject({ tick: 120, hashes: 12, equalUpTo: 120 });
      expect(report.differsAt).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});

test('a room refuses seats and options that cannot be', async () => {
  const { room } = await openRoom();
  room.join(0);
  expect(() => room.join(0)).toThrow('the seat 0 is taken');
  expect(() => room.join(-1)).toThrow(/seat must be/);
  expect(() => room.welcome(7, 'stream')).toThrow('no one has the seat 7');
  await expect(openRoom({ hashEveryTicks: 61 })).rejects.toThrow(/multiple of ticksPerPacket/);
  await expect(openRoom({ tickrateHz: 5 } as RoomRunOptions)).rejects.toThrow('tickRateHz');
});
