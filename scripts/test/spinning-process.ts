/**
 * A process that takes a processor in bursts of 0.2 to 3 s, with pauses of up to 1 s. It ends with the process that
 * started it.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const between = (min: number, max: number): number => min + Math.random() * (max - min);

process.once('disconnect', () => process.exit());

for (;;) {
  const endMs = performance.now() + between(200, 3000);
  while (performance.now() < endMs);
  await sleep(between(0, 1000));
}
