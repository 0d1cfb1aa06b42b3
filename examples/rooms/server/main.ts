/**
 * `npm run rooms`: starts the example for rooms on this machine, with no other service. The processes of the rooms are apart
 * from the one that serves the page.
 */
import { setMaxListeners } from 'node:events';
import { EXIT_CODES } from '../../../scripts/cli/exit-codes.js';
import { runCommand } from '../../../scripts/cli/run-command.js';
import { installRooms } from '../../../scripts/rooms/install.js';
import { ROOMS, readArguments } from './arguments.js';
import { startPageServer } from './page-server.js';
import { requireRedis } from './redis.js';
import { RoomProcesses } from './room-processes.js';

process.exitCode = await runCommand(ROOMS, async (args) => {
  const given = readArguments(args);
  await installRooms();
  setMaxListeners(20);
  const interruption = new Promise<number>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => resolve(EXIT_CODES.interrupted));
    }
  });
  const { recordings, redis, keepSeconds } = given;
  if (redis !== undefined) await requireRedis(redis);
  const processes = await RoomProcesses.start(
    given.processes,
    {
      keepSeconds,
      ...(recordings !== undefined && { recordings }),
      ...(redis !== undefined && { redis }),
    },
    (line) => process.stderr.write(`rooms: ${line}\n`),
  );
  try {
    const page = await startPageServer(given, processes);
    try {
      process.stdout.write(`Play at ${page.url} in two windows. Ctrl-C ends it.\n`);
      if (given.processes > 1) {
        process.stdout.write(
          `Rooms run in the processes ${processes.pids.join(', ')}: if one ends, those of the others continue.\n`,
        );
      }
      return await interruption;
    } finally {
      // First the rooms: their players learn through the page's server that this is the end.
      await processes.stop();
      await page.close();
    }
  } finally {
    await processes.stop();
  }
});
