/**
 * `npm run rooms`: starts the example for rooms on this machine, with no other service. The processes of the rooms are apart
 * from the one that serves the page.
 */
import { setMaxListeners } from 'node:events';
import { EXIT_CODES } from '../../../scripts/cli/exit-codes.js';
import { runCommand } from '../../../scripts/cli/run-command.js';
import { HELP, readArguments } from './arguments.js';
import { startPageServer } from './page-server.js';
import { requireRedis } from './redis.js';
import { startRoomProcess, type RoomProcess } from './room-processes.js';

setMaxListeners(20);
const interruption = new Promise<number>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => resolve(EXIT_CODES.interrupted));
  }
});

process.exitCode = await runCommand('rooms', async (args) => {
  const given = readArguments(args);
  if (given === undefined) {
    process.stdout.write(HELP);
    return EXIT_CODES.done;
  }
  const { recordings, redis, keepSeconds } = given;
  if (redis !== undefined) await requireRedis(redis);
  const processes: RoomProcess[] = [];
  const ending = new AbortController();
  const stopRooms = async (): Promise<void> => {
    ending.abort();
    await Promise.all(processes.map((one) => one.stop()));
  };
  try {
    for (let count = 0; count < given.processes; count++) {
      processes.push(
        await startRoomProcess({
          keepSeconds,
          ...(recordings !== undefined && { recordings }),
          ...(redis !== undefined && { redis }),
        }),
      );
    }
    const page = await startPageServer(given, processes);
    try {
      process.stdout.write(`Play at ${page.url} in two windows. Ctrl-C ends it.\n`);
      if (processes.length > 1) {
        const pids = processes.map(({ pid }) => pid).join(', ');
        process.stdout.write(
          `Rooms run in the processes ${pids}: if one ends, those of the others continue.\n`,
        );
      }
      const ended = Promise.all(processes.map((one) => noteEnd(one, ending.signal)));
      return await Promise.race([interruption, ended.then(() => EXIT_CODES.failed)]);
    } finally {
      // First the rooms: their players learn through the page's server that this is the end.
      await stopRooms();
      await page.close();
    }
  } finally {
    await stopRooms();
  }
});

async function noteEnd({ ended, pid }: RoomProcess, ending: AbortSignal): Promise<void> {
  const code = await ended;
  if (ending.aborted) return;
  process.stderr.write(`rooms: the process ${pid} of rooms has ended, with code ${code}\n`);
}
