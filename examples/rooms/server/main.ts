/**
 * `npm run rooms`: starts the example for rooms on this machine, with no other service. The processes of the rooms are apart
 * from the one that serves the page.
 */
import { setMaxListeners } from 'node:events';
import { EXIT_CODES } from '../../../scripts/cli/exit-codes.js';
import { runCommand } from '../../../scripts/cli/run-command.js';
import { HELP, readArguments } from './arguments.js';
import { startPageServer } from './page-server.js';
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
  const { recordings } = given;
  const processes: RoomProcess[] = [];
  try {
    processes.push(await startRoomProcess(recordings === undefined ? {} : { recordings }));
    const page = await startPageServer(
      given,
      processes.map(({ port }) => port),
    );
    try {
      process.stdout.write(`Play at ${page.url} in two windows. Ctrl-C ends it.\n`);
      const ended = Promise.race(processes.map((one) => one.ended));
      const code = await Promise.race([interruption, ended.then(() => EXIT_CODES.failed)]);
      if (code === EXIT_CODES.failed) process.stderr.write('rooms: a process of rooms has ended\n');
      return code;
    } finally {
      await page.close();
    }
  } finally {
    await Promise.all(processes.map((one) => one.stop()));
  }
});
