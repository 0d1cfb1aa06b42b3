/** A paused simulation sits in its event loop: no timer, no wait, no processor time. */
import { expect, test } from 'vitest';
import { cpuMsPerSecond, median, skipHere } from './bare-worker.js';

const ROUNDS = 3;
/** Of an idle process, in ms a second: with more, this machine is too noisy. */
const MAX_BARE_MS = 20;
/** The page checks ten times a second whether its worker hangs. */
const LOOKS_MS = 5;

test('a paused worker takes no more processor time than a thread that sleeps', async (context) => {
  const bareMs: number[] = [];
  const pausedMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bareMs.push(await cpuMsPerSecond('bare'));
    pausedMs.push(await cpuMsPerSecond('paused'));
  }
  const [bare, paused] = [median(bareMs), median(pausedMs)];
  const found = `${bare.toFixed(2)} ms a second with a bare thread, ${paused.toFixed(2)} ms with a paused simulation`;
  if (bare > MAX_BARE_MS) skipHere(context, found);
  expect(paused, found).toBeLessThan(2 * bare + LOOKS_MS);
});
