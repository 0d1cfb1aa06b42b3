import { expect, test } from 'vitest';
import { ReadEventRecord } from '../../../../src/shared/events/event-record.js';
import { bodyId } from '../../../../src/shared/memory/body-meta.js';
import {
  relayCuts,
  RelayedEvents,
  SentEvents,
} from '../../../../src/sim-worker/api/mirrored-run.js';
import { StateValues } from '../../../../src/sim-worker/bodies/state-values.js';

const [A, B, C] = [bodyId(0, 1), bodyId(1, 1), bodyId(2, 1)] as const;

/** A run, and what is passed on of its events. */
function createRelay() {
  const run = new SentEvents(true);
  const shown = new SentEvents();
  const relay = new RelayedEvents(shown.reporter);
  const read = (): string[] => {
    shown.collect();
    return (shown.take() ?? []).map(({ type, words }) => {
      const record = new ReadEventRecord();
      record.copy(words);
      return JSON.stringify(record.toEvent(type, words.length));
    });
  };
  let tick = 0;
  /** @returns What is passed on of a tick. */
  const runTick = (report: (reporter: SentEvents['reporter']) => void): string[] => {
    tick += 1;
    for (const { reporter } of [run, shown]) reporter.beginTick(tick, tick * 16);
    report(run.reporter);
    run.collect();
    for (const entry of run.take() ?? []) relay.relay(entry);
    relay.endForgotten();
    return read();
  };
  return { runTick };
}

test('a relay passes on each event of a run with all that it says', () => {
  const { runTick } = createRelay();
  const passed = runTick((reporter) => {
    reporter.contact(A, B, true, 1, 2, 3);
    reporter.contactForce(A, B, 40, 1, 2, 3);
    reporter.emit('goal', { by: 3 });
  });
  expect(passed).toEqual([
    expect.stringContaining(`"phase":"begin","a":${A},"b":${B},"x":1,"y":2,"z":3`),
    expect.stringContaining(`"a":${A},"b":${B},"force":40,"x":1,"y":2,"z":3`),
    expect.stringContaining('"value":{"by":3}'),
  ]);
});

test('a relay ends pairs that a run has forgotten and does not report again, and no others', () => {
  const { runTick } = createRelay();
  runTick((reporter) => {
    reporter.contact(A, B, true, 1, 2, 3);
    reporter.contact(A, C, true, 1, 2, 3);
  });
  const passed = runTick((reporter) => {
    reporter.clear();
    reporter.contact(A, B, true, 1, 2, 3);
  });
  expect(passed).toEqual([
    expect.stringContaining(`"isLate":true,"isReplayed":false,"phase":"end","a":${A},"b":${C}`),
  ]);
  // The contact is on all the time.
  expect(runTick((reporter) => reporter.contact(A, B, false, 1, 2, 3))).toHaveLength(1);
});

test('cuts of values are passed on, and added to those that are there', () => {
  const [run, shown] = [new StateValues(100), new StateValues(100)];
  for (const start of [35, 64, 99]) run.cut(start, 1);
  shown.cut(40, 2);
  const cutValues = (start?: number, count?: number): void => shown.cut(start, count);
  relayCuts(run.cuts, { values: shown.numbers, cutValues });
  run.cut(40, 2);
  expect(shown.words).toEqual(run.words);
});
