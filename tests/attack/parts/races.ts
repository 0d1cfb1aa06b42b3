/**
 * Two threads and the memory between them: nothing torn, nothing lost; and both are detected
 * without the protocol.
 */
import { Worker } from 'node:worker_threads';
import { typescriptThread } from '../../../scripts/typescript-thread.js';
import { createBuffer } from '../../../src/shared/memory/create-buffer.js';
import { mailboxRace, queueRace, slotsOf, type StartThread } from '../../fixtures/races.js';
import type { AttackContext, AttackPart, AttackReport } from '../part.js';

/** A control without a detection in this many messages has not been tried. */
const CONTROL_LIMIT = 50_000_000;
const ROUND = 2_000_000;
/** Words that a round of the mailbox writes, whatever the size of a message. */
const WORDS = 500_000_000;
const QUEUE_ROUND = 500_000;

/** Words in each of three slots: a few cache lines, and more than the first level of a cache. */
const SLOT_WORDS = [16, 256, 8192];
/** Words of the ring, from one that holds few records to one that is never full. */
const RING_WORDS = [64, 1024, 65_536];

/** @param file Name among the fixtures' workers, without its ending. */
const startThread: StartThread = (file, workerData) =>
  new Worker(new URL(`../../fixtures/workers/${file}.worker.ts`, import.meta.url), {
    ...typescriptThread,
    workerData,
  });

async function attackSnapshots(context: AttackContext): Promise<AttackReport> {
  const endMs = performance.now() + context.timeLimitMs;
  const control = await mailboxRace(
    startThread,
    'mailbox-race',
    'one slot',
    slotsOf(8192),
    CONTROL_LIMIT,
  );
  if (control.faults === 0) {
    const message = 'the control without the protocol was not found out';
    return { tried: 0, failure: { message, steps: `${CONTROL_LIMIT} messages` } };
  }
  let tried = 0;
  for (let round = 0; performance.now() < endMs || round < 2; round++) {
    const isSnapshot = round % 2 === 0;
    const words = SLOT_WORDS[(round >> 1) % SLOT_WORDS.length] as number;
    const report = isSnapshot
      ? await mailboxRace(
          startThread,
          'snapshot-race',
          'exchange',
          createBuffer(8, 4).buffer as SharedArrayBuffer,
          ROUND,
        )
      : await mailboxRace(
          startThread,
          'mailbox-race',
          'exchange',
          slotsOf(words),
          Math.ceil(WORDS / words),
        );
    tried += report.published;
    context.onProgress(tried);
    if (report.faults === 0 && report.last === report.published) continue;
    const what = isSnapshot ? 'snapshots' : `messages of ${words} words`;
    const message = `a reader saw ${report.faults} torn or older ${what}; the last one it saw was number ${report.last} of ${report.published}`;
    return { tried, failure: { message, steps: JSON.stringify(report) } };
  }
  return { tried };
}

export const snapshots: AttackPart = {
  name: 'tearing',
  about: 'no reader sees a torn or older snapshot, and without the protocol it does',
  unit: 'snapshots',
  run: attackSnapshots,
};

async function attackQueues(context: AttackContext): Promise<AttackReport> {
  const endMs = performance.now() + context.timeLimitMs;
  for (const protocol of ['tail before payload', 'head before reading'] as const) {
    const { faults } = await queueRace(startThread, protocol, 1024, CONTROL_LIMIT, 0);
    if (faults > 0) continue;
    const message = `the control without the protocol (${protocol}) was not found out`;
    return { tried: 0, failure: { message, steps: `${CONTROL_LIMIT} records` } };
  }
  let tried = 0;
  for (let round = 0; performance.now() < endMs || round < 1; round++) {
    const ring = RING_WORDS[round % RING_WORDS.length] as number;
    const leaveEvery = (context.seed + round) % 7;
    const { views: _views, ...report } = await queueRace(
      startThread,
      'record queue',
      ring,
      QUEUE_ROUND,
      leaveEvery,
    );
    tried += report.taken;
    context.onProgress(tried);
    if (report.faults === 0 && report.taken === QUEUE_ROUND && report.pushed === QUEUE_ROUND)
      continue;
    const message = `records were lost, torn or out of order in a ring of ${ring} words`;
    return { tried, failure: { message, steps: JSON.stringify({ leaveEvery, ...report }) } };
  }
  return { tried };
}

export const queues: AttackPart = {
  name: 'queues',
  about: 'records arrive whole, once and in order, and without the protocol they do not',
  unit: 'records',
  run: attackQueues,
};
