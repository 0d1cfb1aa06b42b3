/**
 * This machine without the library, with threads that only sleep, wake up and answer.
 * Tests of this folder compare the library with it, in the same run, and skip if the machine itself
 * is not fast enough.
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
    /** Why it was skipped while running. Vitest's JSON report has no field for that. */
    skipReason?: string;
  }
}

/**
 * Skips a test that this machine is too slow for, and reports the measurement, in the JSON report
 * too.
 */
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

/** Round trips of calls, in ms, each after a while in which the other side falls asleep again. */
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

/** The same, for a bare thread that sleeps on a doorbell. */
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

/** Processor time, in ms a second, of a process with an idle thread. */
export async function cpuMsPerSecond(what: MeteredThread): Promise<number> {
  const child = fork(new URL('cpu-meter.worker.js', inject('workerScripts')), [what]);
  const ended = once(child, 'exit');
  const [usedMs] = (await once(child, 'message')) as [number];
  await ended;
  return usedMs;
}
