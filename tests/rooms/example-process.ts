/** The command of the example for rooms, as a process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** How long Colyseus waits for another process and for a client that has a seat: a busy machine needs more than its 2 s and 15 s. */
const WAITS = { COLYSEUS_PRESENCE_SHORT_TIMEOUT: '10000', COLYSEUS_SEAT_RESERVATION_TIME: '300' };
const env = { ...process.env, ...WAITS };
/** The command `npm run rooms`, once it can be used. @param args Its arguments. Without `--port`, it takes a free one. */
export async function startRooms(...args: string[]) {
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const script = ['--import', 'tsx', 'examples/rooms/server/main.ts', ...port];
  const child = spawn(process.execPath, [...script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
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
    /** Address of the page. */
    url,
    /** Numbers of the processes of rooms, if they are several. */
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
