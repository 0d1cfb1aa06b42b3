/**
 * A room with the pit, played to its end before any client begins: one engine has one world, as in a page's worker.
 */
import { encodeClientMessage } from '../../src/shared/network/client-messages.js';
import {
  decodeRoomMessage,
  type RoomPacket,
  type RoomWelcome,
} from '../../src/shared/network/room-messages.js';
import { RoomRun } from '../../src/sim-worker/room/room-run.js';
import { createPit, PIT_CAPACITY, type PitOptions } from './pit.js';

export const HZ = 60;
export const TICKS_PER_PACKET = 2;
/** Until the boxes have fallen. */
const SETTLE_TICKS = 600;

export interface PlayedPit {
  /** After the boxes have fallen. */
  readonly welcome: RoomWelcome;
  readonly packets: readonly RoomPacket[];
}

/** @param isHit Whether another player hits a box in a tick. */
export async function playPit(
  options: PitOptions,
  ticks: number,
  isHit: (tick: number) => boolean,
): Promise<PlayedPit> {
  const messages: Uint8Array[] = [];
  const room = await RoomRun.open(
    createPit(options),
    { tickRateHz: HZ, ticksPerPacket: TICKS_PER_PACKET, capacity: PIT_CAPACITY },
    { onPacket: (mode, packet) => void (mode === 'predict' && messages.push(packet)) },
  );
  room.join(0);
  room.join(1);
  const run = (tick: number): void => void room.advance((tick * 1000) / HZ + 0.01);
  for (let tick = 1; tick <= SETTLE_TICKS; tick++) run(tick);
  const welcome = decodeRoomMessage(room.welcome(0, 'predict'), [], 0) as RoomWelcome & {
    kind: 'welcome';
  };
  messages.length = 0;
  for (let tick = SETTLE_TICKS + 1; tick <= SETTLE_TICKS + ticks; tick++) {
    if (isHit(tick)) {
      const hit = { kind: 'command', tick, name: 'hit', args: `[${tick}]` } as const;
      const message = encodeClientMessage({ kind: 'actions', actions: [hit] }, welcome.commands);
      room.receive(1, message, (tick * 1000) / HZ);
    }
    run(tick);
  }
  room.dispose();
  let { packetTick } = welcome;
  const packets = messages.map((bytes) => {
    const packet = decodeRoomMessage(bytes, welcome.commands, packetTick + 1) as RoomPacket & {
      kind: 'packet';
    };
    packetTick = packet.tick;
    return packet;
  });
  return { welcome, packets };
}
