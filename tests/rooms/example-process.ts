/** The commands of the example for rooms, as processes. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { RoomProcessMessage } from '../../examples/rooms/server/room-process.js';
import { present } from '../fixtures/present.js';

/** How long Colyseus waits for another process and for a client that has a seat: a busy machine needs more than its 2 s and 15 s. */
const WAITS = { COLYSEUS_PRESENCE_SHORT_TIMEOUT: '10000', COLYSEUS_SEAT_RESERVATION_TIME: '300' };
const env = { ...process.env, ...WAITS };
const execArgv = ['--import', 'tsx'];

/** Runs a TypeScript file in Node. */
const runNode = (...args: string[]) =>
  spawn(process.execPath, [...execArgv, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });

/** The command `npm run rooms`, once it can be used. @param args Of it, without the port. */
export async function startRooms(...args: string[]) {
  const child = runNode('examples/rooms/server/main.ts', '--port', '0', ...args);
  const ended = once(child, 'exit');
  const errors: string[] = [];
  child.stderr.on('data', (data: Buffer) => errors.push(String(data)));
  const isShared = args.includes('--redis');
  let url: string | undefined;
  let pids: readonly number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    url ??= /^Play at (\S+)/.exec(line)?.[1];
    const listed = /^Rooms run in the processes ([\d, ]+)/.exec(line)?.[1];
    if (listed !== undefined) pids = listed.split(', ').map(Number);
    if (url !== undefined && (pids.length > 0 || !isShared)) break;
  }
  if (url === undefined) throw new Error(`npm run rooms has ended: ${errors.join('')}`);
  child.stdout.resume();
  return {
    /** Of the page. */
    url,
    /** Of the processes of rooms, if they are several. */
    pids,
    errors,
    /** Ends it as Ctrl-C does. Resolves with its exit code. */
    async stop(): Promise<unknown> {
      child.kill('SIGINT');
      const [code] = await ended;
      return code;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** One process of rooms, without the page. @param recordings Folder for them. */
export async function startRoomProcess(recordings: string) {
  const settings = JSON.stringify({ recordings });
  const child = fork('examples/rooms/server/room-process.ts', [settings], { execArgv, env });
  const ended = once(child, 'exit');
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
  const { port } = present(message as RoomProcessMessage);
  return {
    url: `http://127.0.0.1:${port}`,
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
