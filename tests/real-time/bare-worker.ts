/**
 * What this machine does without the library, by threads that do nothing but sleep, wake up and answer. Tests of this folder
 * hold the library against it, in the same run, and skip where the machine itself is not up to what they are about.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { inject, type TestContext } from 'vitest';
import { sleep } from '../fixtures/busy.js';
import { startThread } from '../fixtures/threads.js';
import type { BareLoopData, BareLoopReport } from '../fixtures/workers/bare-loop.worker.js';
import type { MeteredThread } from '../fixtures/workers/cpu-meter.worker.js';

declare module 'vitest' {
  interface TaskMeta {
    /** Why it was skipped as it ran. Vitest's JSON report has no place of its own for that. */
    skipReason?: string;
  }
}

/** Skips a test that this machine is not up to, and says what was measured, in the JSON report too. */
export function skipHere({ skip, task }: TestContext, found: string): void {
  task.meta.skipReason = found;
  skip(found);
}

export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Lets a bare thread wake up at a rate for a while. */
export async function runBareLoop(rateHz: number, seconds: number): Promise<BareLoopReport> {
  const data: BareLoopData = { rateHz, seconds };
  const thread = startThread('bare-loop', data);
  const ended = once(thread, 'exit');
  const [report] = (await once(thread, 'message')) as [BareLoopReport];
  await ended;
  return report;
}

/** Round trips of calls, in ms, each after a while in which whoever answers falls asleep again. */
export async function roundTripsMs(
  calls: number,
  call: () => Promise<unknown>,
): Promise<readonly number[]> {
  const durations: number[] = [];
  for (let index = 0; index < calls; index++) {
    await sleep(20);
    const startMs = performance.now();
    await call();
    durations.push(performance.now() - startMs);
  }
  return durations;
}

/** The same, of a bare thread that sleeps on a doorbell. */
export async function bareRoundTripsMs(calls: number): Promise<readonly number[]> {
  const memory = new SharedArrayBuffer(4);
  const bell = new Int32Array(memory);
  const thread = startThread('bare-answer', memory);
  const ended = once(thread, 'exit');
  const durations = await roundTripsMs(calls, async () => {
    const answer = once(thread, 'message');
    thread.postMessage('call');
    Atomics.add(bell, 0, 1);
    Atomics.notify(bell, 0);
    await answer;
  });
  Atomics.store(bell, 0, -1);
  Atomics.notify(bell, 0);
  await ended;
  return durations;
}

/** Processor time, in ms a second, of a process with a thread that has nothing to do. */
export async function cpuMsPerSecond(what: MeteredThread): Promise<number> {
  const child = fork(new URL('cpu-meter.worker.js', inject('workerScripts')), [what]);
  const ended = once(child, 'exit');
  const [usedMs] = (await once(child, 'message')) as [number];
  await ended;
  return usedMs;
}
