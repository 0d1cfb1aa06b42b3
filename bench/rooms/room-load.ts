/** How many rooms one process carries: more and more of them, each with a client that draws it, over real connections. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@colyseus/sdk';
import { encodeClientMessage } from '../../src/shared/network/client-messages.js';
import { ROOM_MESSAGE } from '../../src/shared/network/room-messages.js';
import { percentilesOf, type Spread } from './percentiles.js';
import type { PitMotion } from './pit.js';

export type LoadRequest = { readonly kind: 'open' | 'begin' | 'report' };

export type LoadReport =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'opened'; readonly roomId: string }
  | {
      readonly kind: 'report';
      readonly elapsedMs: number;
      readonly cpuMs: number;
      readonly stepMs: number;
      readonly ticks: number;
      readonly droppedTicks: number;
      readonly latenessMs: readonly number[];
    };

/** A number of rooms, and how they ran. */
export interface RoomLoad {
  readonly motion: PitMotion;
  readonly rooms: number;
  readonly latenessMs: Spread;
  readonly droppedTicks: number;
  /** Of one tick of one room: in the engine's step, and in processor time of the process, with packets and connections. */
  readonly stepMs: number;
  readonly tickMs: number;
  /** Share of one core that the process used. */
  readonly coreShare: number;
  /** Share of that in which engines stepped. */
  readonly stepShare: number;
}

export interface RoomLoadOptions {
  readonly motion: PitMotion;
  readonly counts: readonly number[];
  /** Until new boxes have fallen, and then, in s. */
  readonly settleSeconds: number;
  readonly seconds: number;
  readonly maxLatenessMs: number;
  readonly onLoad: (load: RoomLoad) => void;
}

/** Ends with the first number of rooms that has a larger lateness at p99, twice. */
export async function measureRoomLoad(options: RoomLoadOptions): Promise<readonly RoomLoad[]> {
  const server = fileURLToPath(new URL('./load-server.ts', import.meta.url));
  const child = fork(server, [options.motion], { execArgv: ['--import', 'tsx'] });
  // Each message that is awaited may also be its end.
  child.setMaxListeners(0);
  try {
    return await measureWith(child, options);
  } finally {
    child.kill('SIGKILL');
  }
}

async function measureWith(
  child: ChildProcess,
  { motion, counts, settleSeconds, seconds, maxLatenessMs, onLoad }: RoomLoadOptions,
): Promise<readonly RoomLoad[]> {
  const { url } = await next(child, 'listening');
  const loads: RoomLoad[] = [];
  let open = 0;
  for (const count of counts) {
    for (; open < count; open++) await openRoom(child, url);
    await sleep(settleSeconds * 1000);
    const measure = async (): Promise<RoomLoad> => {
      ask(child, 'begin');
      await sleep(seconds * 1000);
      ask(child, 'report');
      const load = loadOf(motion, count, await next(child, 'report'));
      onLoad(load);
      return load;
    };
    let load = await measure();
    // Something else may have had the core for a moment.
    if (load.latenessMs.p99 > maxLatenessMs) load = await measure();
    loads.push(load);
    if (load.latenessMs.p99 > maxLatenessMs) break;
  }
  return loads;
}

function loadOf(
  motion: PitMotion,
  rooms: number,
  report: LoadReport & { readonly kind: 'report' },
): RoomLoad {
  const { elapsedMs, cpuMs, stepMs, ticks, droppedTicks, latenessMs } = report;
  return {
    motion,
    rooms,
    latenessMs: percentilesOf(latenessMs),
    droppedTicks,
    stepMs: stepMs / ticks,
    tickMs: cpuMs / ticks,
    coreShare: cpuMs / elapsedMs,
    stepShare: stepMs / cpuMs,
  };
}

async function openRoom(child: ChildProcess, url: string): Promise<void> {
  ask(child, 'open');
  const { roomId } = await next(child, 'opened');
  const room = await new Client(url).joinById(roomId);
  room.onMessage(ROOM_MESSAGE, () => {});
  // At the end, the server is gone, and the next one is measured.
  room.reconnection.enabled = false;
  room.sendBytes(ROOM_MESSAGE, encodeClientMessage({ kind: 'state', mode: 'stream' }, []));
}

const ask = (child: ChildProcess, kind: LoadRequest['kind']): void => void child.send({ kind });

async function next<Kind extends LoadReport['kind']>(
  child: ChildProcess,
  kind: Kind,
): Promise<LoadReport & { readonly kind: Kind }> {
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the server of the rooms has ended with code ${code}`);
    }),
  ])) as [LoadReport];
  if (message.kind !== kind) throw new Error(`"${message.kind}" came instead of "${kind}"`);
  return message as LoadReport & { readonly kind: Kind };
}
