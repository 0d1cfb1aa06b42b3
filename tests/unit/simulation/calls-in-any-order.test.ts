/**
 * Calls, signals, hangs, failures and restarts in any order: each call is settled once; calls that
 * resolve are part of the run that continues, and calls that reject are not, unless a signal ended
 * the wait.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallOptions } from '../../../src/render-main/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import { FaultyToy, RESTART, type Watched } from '../../fixtures/faulty-toy.js';
import { isOfType } from '../../fixtures/tapped-worker.js';
import { createToy } from '../../fixtures/toy-simulation.js';
import { stepsOf, walk, type Operations } from '../../fixtures/walk.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';

/** A run, and what the steps so far have made of it. */
class Play {
  readonly faulty: FaultyToy;
  readonly controllers: AbortController[] = [];
  rateHz = 10;
  #calls = 0;

  constructor(faulty: FaultyToy) {
    this.faulty = faulty;
  }

  get simulation() {
    return this.faulty.simulation;
  }

  within(): CallOptions {
    const controller = new AbortController();
    this.controllers.push(controller);
    return { signal: controller.signal };
  }

  /** Makes a call with a new id. */
  call(kind: string, make: (id: string) => Promise<unknown>): void {
    this.#calls += 1;
    const id = `${kind}/${this.#calls}`;
    this.faulty.watch(id, make(id));
  }
}

const OPERATIONS: Operations<Play> = {
  note: [4, (play) => play.call('note', (id) => play.simulation.commands.note(id))],
  echo: [2, (play) => play.call('echo', (id) => play.simulation.queries.echo(id))],
  rateWithin(play) {
    play.rateHz += 1;
    const call = play.simulation.setTickRate(play.rateHz, play.within());
    play.faulty.watch(`rate ${play.rateHz}`, call);
  },
  abort: [
    2,
    ({ controllers }, n) => controllers[n % controllers.length]?.abort(new Error('aborted')),
  ],
  pass: [2, ({ faulty }, n) => faulty.time.advance(n * 5)],
  passLong: ({ faulty }, n) => faulty.time.advance(n * 200),
  hang: ({ faulty }) => faulty.worker.hang(),
  hangInTick: ({ faulty }) => faulty.hangInTick(),
  release: [2, ({ faulty }) => faulty.worker.release()],
  die: ({ faulty }, n) => n < 10 && faulty.worker.die(),
  loseAnswers: ({ faulty }, n) => n < 10 && faulty.worker.dieOf(isOfType('betwixt:replies')),
  poison(play, n) {
    if (n < 8) play.call('poison', (id) => play.simulation.commands.poison(id));
  },
};

/** The worker responds again, and has all the time that it needs. */
async function recover(faulty: FaultyToy): Promise<void> {
  for (let round = 0; round < 3; round++) {
    faulty.worker.release();
    await faulty.restarts();
    await faulty.pass(300);
  }
}

const isRejected = ({ outcome }: Watched): boolean =>
  typeof outcome === 'object' && 'reason' in outcome;
const isAborted = ({ outcome }: Watched): boolean =>
  typeof outcome === 'object' && 'reason' in outcome && String(outcome.reason) === 'Error: aborted';

const ofKind = ({ calls }: FaultyToy, kind: string): Watched[] =>
  calls.filter(({ id }) => id.startsWith(kind));

/** The run has the commands that have resolved, and the last rate. */
async function expectRun(faulty: FaultyToy): Promise<void> {
  const { simulation, time, recorded } = faulty;
  const notes = ofKind(faulty, 'note');
  const resolved = notes.filter((call) => !isRejected(call)).map(({ id }) => id);
  expect(recorded.toSorted()).toEqual(resolved.toSorted());
  expect(new Set(recorded).size).toBe(recorded.length);
  expect(await time.until(simulation.queries.notes())).toEqual(recorded);
  expect(ofKind(faulty, 'poison').filter((call) => !isRejected(call))).toEqual([]);
  const rate = ofKind(faulty, 'rate').at(-1);
  expect(simulation.stats().tickRateHz).toBe(Number(rate?.id.slice(5) ?? 10));
  const report = await replay(createToy(), simulation.recording());
  expect(report).toMatchObject({ differsAt: undefined });
}

test('each call is settled once, and the run has exactly what has resolved', async () => {
  const seen = { restarted: 0, rejected: 0, aborted: 0, resolved: 0 };
  const time = new VirtualTime();
  const numRuns = 8;
  const sequences = stepsOf(OPERATIONS, { minLength: 10, maxLength: 40, max: 30 });
  await fc.assert(
    fc.asyncProperty(sequences, async (steps) => {
      const faulty = await FaultyToy.connect('transfer', RESTART, {}, time);
      const { calls, simulation, asked } = faulty;
      await walk(OPERATIONS, new Play(faulty), steps);
      await recover(faulty);
      expect(calls.filter(({ settled }) => settled !== 1)).toEqual([]);
      for (const call of ofKind(faulty, 'echo')) {
        const times = asked.filter((id) => id === call.id).length;
        expect([call.id, times]).toEqual([call.id, isRejected(call) ? times : 1]);
      }
      // After a permanent failure there is no run that continues.
      if (simulation.state !== 'failed') await expectRun(faulty);
      seen.restarted += faulty.kinds.filter((kind) => kind === 'restarted').length;
      seen.rejected += calls.filter(isRejected).length;
      seen.aborted += calls.filter(isAborted).length;
      seen.resolved += calls.filter((call) => !isRejected(call)).length;
      await faulty.dispose();
    }),
    { numRuns },
  );
  // Each case did occur, nearly always in the first runs.
  expect(Object.values(seen).filter((times) => times === 0)).toEqual([]);
});
