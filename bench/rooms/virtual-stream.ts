/**
 * A client that draws a room, in virtual time: the real codec, buffer and clock, over a network that delays and loses.
 *
 *     room ── packets ──▶ network ──▶ buffer ──▶ client's ticks ──▶ frames of a display at 60 Hz
 *
 * What the page's own loop adds is measured elsewhere (`npm run test:real-time`): here, a tick is at most 3 ms late, which the
 * margin of a display covers.
 */
import { encodeClientMessage } from '../../src/shared/network/client-messages.js';
import { decodeRoomMessage, type RoomWelcome } from '../../src/shared/network/room-messages.js';
import { PULSE_MS } from '../../src/shared/network/page-pulse.js';
import { RoomTiming } from '../../src/shared/network/room-timing.js';
import { Random } from '../../src/shared/recording/random.js';
import { RoomRun } from '../../src/sim-worker/room/room-run.js';
import { SentEvents } from '../../src/sim-worker/room/sent-events.js';
import { StreamedSimulation } from '../../src/sim-worker/room/streamed-simulation.js';
import { SimulationRun } from '../../src/sim-worker/run/simulation-run.js';
import { percentilesOf, type Spread } from './percentiles.js';
import { SeatedToy, TOY_COMMANDS } from './seated-toy.js';
import { VirtualLink, type NetworkOptions } from './virtual-network.js';

const TICK_MS = 1000 / 60;
const PACKET_MS = 2 * TICK_MS;
/** Of a display at 59.9 Hz: no fixed relation to the ticks. */
const FRAME_MS = 1000 / 59.9;

/** A tick of the client, and the tick of the room whose state it shows. */
interface ClientTick {
  readonly dueMs: number;
  readonly roomTick: number;
}

/** What a display shows, by the room's own time. */
export interface DrawnFrames {
  readonly frames: number;
  /** Share of the frames that show no motion, because no packet had come. */
  readonly starvedShare: number;
  /** By how much the room's time that is shown moved more or less than the time from one frame to the next, in ms. */
  readonly animationErrorMs: Spread;
}

/**
 * Runs a room, and a client that draws it.
 *
 * @param settleSeconds Then counting begins.
 */
export async function watchRoom(network: NetworkOptions, seconds: number, settleSeconds: number) {
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
  /** The client's clock shows another time, and runs a little faster. */
  const clientMs = (): number => nowMs * 1.00005 + 12_345;
  const timing = new RoomTiming(welcome, clientMs());
  const streamed = new StreamedSimulation(welcome, (roomTick) =>
    timing.noteTick(roomTick, clientMs()),
  );
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
  let beatMs = 0;
  let settled = { shown: 0, starved: 0, merged: 0 };
  const random = new Random(3);
  const slews: number[] = [];
  const ticks: ClientTick[] = [];
  const turn = (): void => {
    const ping = { kind: 'ping', clientMs: clientMs() } as const;
    up.send(encodeClientMessage(ping, TOY_COMMANDS), nowMs);
    const correction = timing.correctDelay(PACKET_MS);
    timeScale = correction.timeScale;
    streamed.skip(correction.skippedTicks);
    if (nowMs > settleSeconds * 1000) slews.push(timeScale);
    else settled = { ...streamed.counters };
  };
  while (nowMs < seconds * 1000) {
    nowMs += 1;
    if (nowMs >= beatMs) {
      beatMs += PULSE_MS;
      if (timing.beat(clientMs())) turn();
    }
    for (const bytes of up.receive(nowMs)) {
      const answer = room.receive(0, bytes, nowMs);
      if (answer !== undefined) down.send(answer, nowMs);
    }
    room.advance(nowMs);
    for (const bytes of down.receive(nowMs)) {
      const message = decodeRoomMessage(bytes, TOY_COMMANDS, packetTick + 1);
      if (message.kind === 'pong') {
        timing.notePong(message.clientMs, message.roomMs, clientMs());
      } else if (message.kind === 'packet') {
        packetTick = message.tick;
        timing.notePacket(message.tick, clientMs());
        streamed.receive(message);
      }
    }
    if (nowMs >= dueMs) {
      const ofTick = dueMs;
      dueMs += PACKET_MS / timeScale;
      // A tick is late now and then.
      if (random.next() < 0.05) nowMs += 3;
      run.runTick(1 / 30);
      events.collect();
      ticks.push({ dueMs: ofTick, roomTick: run.values[0] ?? 0 });
    }
  }
  const starved = streamed.counters.starved - settled.starved;
  const shown = starved + streamed.counters.shown - settled.shown;
  const merged = streamed.counters.merged - settled.merged;
  const counted = ticks.filter((tick) => tick.dueMs > settleSeconds * 1000);
  return {
    room,
    run,
    streamed,
    timing,
    starved,
    ticks: shown,
    merged,
    slews,
    events,
    welcome,
    frames: framesOf(counted),
  };
}

/** Draws between the two ticks that enclose the time of each frame. */
function framesOf(ticks: readonly ClientTick[]): DrawnFrames {
  const errors: number[] = [];
  let [index, frames, starved, before] = [0, 0, 0, Number.NaN];
  const endMs = ticks.at(-1)?.dueMs ?? 0;
  for (let ms = (ticks[0]?.dueMs ?? 0) + FRAME_MS; ms < endMs; ms += FRAME_MS) {
    while ((ticks[index + 1]?.dueMs ?? Number.POSITIVE_INFINITY) <= ms) index += 1;
    const [from, to] = [ticks[index], ticks[index + 1]];
    if (from === undefined || to === undefined) break;
    const alpha = (ms - from.dueMs) / (to.dueMs - from.dueMs);
    const shownMs = TICK_MS * (from.roomTick + alpha * (to.roomTick - from.roomTick));
    frames += 1;
    if (to.roomTick === from.roomTick) starved += 1;
    if (!Number.isNaN(before)) errors.push(Math.abs(shownMs - before - FRAME_MS));
    before = shownMs;
  }
  return { frames, starvedShare: starved / frames, animationErrorMs: percentilesOf(errors) };
}
