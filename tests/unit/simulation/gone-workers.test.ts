/**
 * Workers that are gone without a word, in whatever they do: nothing that they post arrives any more, and nothing that
 * the page posts is answered. In threads and browsers, each transport has one that ends itself.
 */
import { expect, test } from 'vitest';
import { RESTART, connectFaulty, type FaultyToy } from '../../fixtures/faulty-toy.js';

const OPTIONS = {
  ...RESTART,
  startPaused: true,
  recording: { saveEverySeconds: 0.5, hashEveryTicks: 1, rewindSeconds: 60 },
} as const;

/** The limit, and what it takes to see the last sign of life and to look again. */
const MISSED_MS = 6000 + 200;

/** Lets the worker do something that is not over when it is gone. */
const STATES: Readonly<Record<string, (faulty: FaultyToy) => Promise<unknown> | void>> = {
  'asleep between two ticks': ({ time, simulation }) => time.until(simulation.resume()),
  paused: () => {},
  'answering a query': (faulty) => void faulty.watch(faulty.simulation.queries.never()),
  seeking: (faulty) => {
    const { worker } = faulty;
    worker.hangAfter(() => worker.calls.includes('seek'));
    faulty.watch(faulty.simulation.seek(5));
  },
  replaying: async ({ time, simulation }) => {
    await time.until(simulation.openReplay(simulation.recording()));
    await time.until(simulation.resume());
  },
};

const isGone = (after: number, outcome: string) => ({
  afterMs: expect.closeTo(after, -3) as number,
  why: expect.stringMatching(
    new RegExp(
      `^the worker has not answered for ${after / 1000}\\.\\d s: it is gone, or .*${outcome}`,
    ),
  ) as string,
});

test.each(Object.keys(STATES))(
  'a worker that is gone while it is %s is missed within the limit, and nothing of the run is lost',
  async (state) => {
    const { faulty, simulation, time } = await connectFaulty('transfer', OPTIONS);
    await time.until(Promise.all([simulation.commands.note('before'), simulation.step(12)]));
    await STATES[state]?.(faulty);
    await faulty.pass(150);
    faulty.worker.hang();
    const goneMs = time.nowMs;
    const missed: { readonly afterMs: number; readonly why: string }[] = [];
    simulation.on('status', (status) => {
      if (status.kind !== 'stalled' && status.kind !== 'restarting') return;
      missed.push({ afterMs: time.nowMs - goneMs, why: status.error.message });
    });
    const { tick } = simulation.stats();
    // A recording that is shown takes no commands.
    const note =
      state === 'replaying' ? undefined : faulty.watch(simulation.commands.note('after'));
    await faulty.pass(MISSED_MS);
    expect(missed).toMatchObject([
      isGone(2000, 'It is replaced after 6 s'),
      isGone(6000, 'given up'),
    ]);
    await faulty.restarts();
    expect(faulty.kinds).toContain('restarted');
    await time.until(simulation.pause());
    expect(simulation.stats().tick).toBeGreaterThanOrEqual(state === 'replaying' ? 12 : tick);
    await time.until(simulation.step());
    const notes = note === undefined ? ['before'] : ['before', 'after'];
    expect(await time.until(simulation.queries.notes())).toEqual(notes);
    expect(faulty.recorded).toEqual(notes);
  },
);

test.each([1, 2, 3, 4, 5])(
  'a worker that is gone after %i messages of a tick leaves its command to the next one, or to the recording',
  async (count) => {
    const { faulty } = await connectFaulty('transfer', { ...OPTIONS, startPaused: false });
    const note = faulty.watch(faulty.simulation.commands.note('once'));
    let posted = 0;
    faulty.worker.hangAfter(() => (posted += 1) === count);
    await faulty.pass(150);
    faulty.worker.terminate();
    await faulty.pass(MISSED_MS);
    await faulty.restarts();
    await faulty.settles(note);
    const { time, simulation } = faulty;
    expect(await time.until(simulation.queries.notes())).toEqual(['once']);
    expect(faulty.recorded).toEqual(['once']);
  },
);

test('a worker that is paused and there is asked without a pass, and is never missed', async () => {
  const { faulty } = await connectFaulty('transfer', OPTIONS);
  const { iterations } = faulty.simulation.stats();
  const asked = (): number => faulty.worker.calls.filter((name) => name === 'ready').length;
  const before = asked();
  await faulty.pass(60_000);
  expect(faulty.kinds).toEqual([]);
  expect(asked() - before).toBeGreaterThan(30);
  expect(faulty.simulation.stats().iterations).toBe(iterations);
});

test('a worker that is gone and not replaced is waited for, as one that hangs', async () => {
  const { faulty } = await connectFaulty('transfer', { startPaused: true });
  faulty.worker.hang();
  const resumed = faulty.watch(faulty.simulation.resume());
  await faulty.pass(60_000);
  expect([faulty.kinds, resumed.outcome]).toEqual([['stalled'], 'pending']);
  faulty.worker.release();
  await faulty.pass(200);
  expect(faulty.kinds).toEqual(['stalled', 'recovered']);
});
