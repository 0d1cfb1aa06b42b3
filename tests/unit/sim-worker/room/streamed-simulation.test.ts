import { describe, expect, test } from 'vitest';
import { slotOf } from '../../../../src/shared/memory/body-meta.js';
import { encodeClientMessage } from '../../../../src/shared/network/client-messages.js';
import {
  decodeRoomMessage,
  type RoomWelcome,
} from '../../../../src/shared/network/room-messages.js';
import { RoomTiming } from '../../../../src/shared/network/room-timing.js';
import { Random } from '../../../../src/shared/recording/random.js';
import { RoomRun } from '../../../../src/sim-worker/room/room-run.js';
import { StreamedSimulation } from '../../../../src/sim-worker/room/streamed-simulation.js';
import { SimulationRun } from '../../../../src/sim-worker/run/simulation-run.js';
import { present } from '../../../fixtures/present.js';
import { SeatedToy, TOY_COMMANDS } from '../../../../bench/rooms/seated-toy.js';
import { SentEvents } from '../../../../src/sim-worker/room/sent-events.js';
import { VirtualLink, type NetworkOptions } from '../../../../bench/rooms/virtual-network.js';

const TICK_MS = 1000 / 60;
const PACKET_MS = 2 * TICK_MS;

/** Runs a room and a client that draws it, in virtual time. */
async function watch(network: NetworkOptions, seconds: number, settleSeconds: number) {
  let nowMs = 0;
  const up = new VirtualLink(network, 1);
  const down = new VirtualLink(network, 2);
  const room = await RoomRun.open(
    new SeatedToy(),
    { capacity: 64, values: 1 },
    { onPacket: (_, packet) => down.send(packet, nowMs) },
  );
  room.join(0, 'Ada');
  for (let seat = 1; seat < 8; seat++) room.join(seat);
  room.advance(5 * TICK_MS);
  const welcome = decodeRoomMessage(room.welcome(0, 'stream'), [], 0) as {
    kind: 'welcome';
  } & RoomWelcome;
  const timing = new RoomTiming(welcome);
  /** The client's clock shows another time, and runs a little faster. */
  const clientMs = (): number => nowMs * 1.00005 + 12_345;
  const streamed = new StreamedSimulation(welcome, {
    onActions: (actions) => {
      const tick = room.tick + 1;
      const own = actions.map((action) => ({ ...action, tick }));
      up.send(encodeClientMessage({ kind: 'actions', actions: own }, TOY_COMMANDS), nowMs);
    },
    onTick: (roomTick) => timing.noteTick(roomTick, clientMs()),
  });
  const events = new SentEvents();
  const run = new SimulationRun({
    simulation: streamed,
    options: {
      capacity: welcome.run.capacity,
      valueCount: 1,
      seed: 1,
      setup: null,
      dt: 1 / 30,
      invalidPosePolicy: 'freeze',
    },
    events: events.reporter,
  });
  await run.initialize();
  let packetTick = welcome.packetTick;
  let dueMs = 0;
  let timeScale = 1;
  let pingMs = 0;
  let correctMs = 1000;
  let settled = { shown: 0, starved: 0, merged: 0 };
  const random = new Random(3);
  const slews: number[] = [];
  while (nowMs < seconds * 1000) {
    nowMs += 1;
    if (nowMs >= pingMs) {
      pingMs += 250;
      const tick = Math.max(
        0,
        timing.tickAt(timing.clock.roomMsAt(clientMs()) + timing.leadMs) || 0,
      );
      up.send(
        encodeClientMessage({ kind: 'ping', clientMs: clientMs(), tick }, TOY_COMMANDS),
        nowMs,
      );
    }
    for (const bytes of up.receive(nowMs)) {
      const answer = room.receive(0, bytes, nowMs);
      if (answer !== undefined) down.send(answer, nowMs);
    }
    room.advance(nowMs);
    for (const bytes of down.receive(nowMs)) {
      const message = decodeRoomMessage(bytes, TOY_COMMANDS, packetTick + 1);
      if (message.kind === 'pong') {
        timing.notePong(message.clientMs, message.roomMs, clientMs(), message.waitedMs);
      } else if (message.kind === 'packet') {
        packetTick = message.tick;
        timing.notePacket(message.tick, clientMs());
        streamed.receive(message);
      }
    }
    if (nowMs >= dueMs) {
      dueMs += PACKET_MS / timeScale;
      // A tick is late now and then.
      if (random.next() < 0.05) nowMs += 3;
      run.runTick(1 / 30);
      events.collect();
    }
    if (nowMs >= correctMs) {
      correctMs += 250;
      const correction = timing.correctDelay(PACKET_MS);
      timeScale = correction.timeScale;
      streamed.skip(correction.skippedTicks);
      if (nowMs > settleSeconds * 1000) slews.push(timeScale);
      else settled = { ...streamed.counters };
    }
  }
  const starved = streamed.counters.starved - settled.starved;
  const ticks = starved + streamed.counters.shown - settled.shown;
  const merged = streamed.counters.merged - settled.merged;
  return { room, run, streamed, timing, starved, ticks, merged, slews, events, welcome };
}

describe('a streamed simulation', () => {
  test('shows every packet in its time with a round trip of 100 ± 40 ms', async () => {
    const { starved, ticks, merged, timing, slews } = await watch(
      { delayMs: 30, jitterMs: 40, loss: 0, isOrdered: true },
      60,
      15,
    );
    expect(ticks).toBeGreaterThan(1000);
    expect(starved / ticks).toBeLessThan(0.005);
    expect(merged).toBeLessThan(ticks / 200);
    expect(timing.delayMs).toBeGreaterThan(50);
    expect(timing.delayMs).toBeLessThan(90);
    // The picture's speed hardly changes.
    for (const slew of slews) expect(Math.abs(slew - 1)).toBeLessThan(0.02);
  });

  test('has no packet for less than 0.5 % of its ticks with 5 % loss, at most 300 ms behind', async () => {
    const { starved, ticks, timing } = await watch(
      { delayMs: 30, jitterMs: 40, loss: 0.05, isOrdered: true },
      120,
      15,
    );
    expect(starved / ticks).toBeLessThan(0.005);
    expect(timing.delayMs).toBeLessThanOrEqual(300);
  });

  test('has the same bodies, tags, values and events as the room', async () => {
    const { room, run, streamed, welcome, events } = await watch(
      { delayMs: 20, jitterMs: 5, loss: 0, isOrdered: true },
      8,
      1,
    );
    expect(run.bodies.bodyCount).toBe(8);
    const id = present(run.bodies.ids()[0]);
    expect(run.bodies.tag(id)).toEqual({ seat: 0, name: 'Ada' });
    expect(slotOf(id)).toBe(0);
    expect(run.values[0]).toBeGreaterThan(room.tick - 20);
    expect(run.bodies.pose(id)?.y).toBeCloseTo((run.values[0] ?? 0) / 60, 2);
    expect(Object.keys(streamed.commands)).toEqual(['push', 'shift', 'jump']);
    expect(welcome.commands).toEqual(TOY_COMMANDS);
    expect(events.take()).toBeUndefined();
  });
});
