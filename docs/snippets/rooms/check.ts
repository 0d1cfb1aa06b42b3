import { readFileSync } from 'node:fs';
import { decodeRecording } from 'betwixt/shared';
import { replay } from 'betwixt/worker';
import { createGame } from './simulation.js';

for (const file of process.argv.slice(2)) {
  const recording = decodeRecording(readFileSync(file));
  const { tick, hashes, equalUpTo, differsAt } = await replay(createGame(), recording);
  const verdict =
    differsAt === undefined
      ? `${hashes} hashes are equal, up to tick ${equalUpTo}`
      : `DIFFERS at tick ${differsAt}, equal up to tick ${equalUpTo}`;
  console.log(`${file}: ${tick} ticks, ${verdict}`);
  if (differsAt !== undefined || hashes === 0) process.exitCode = 1;
}
