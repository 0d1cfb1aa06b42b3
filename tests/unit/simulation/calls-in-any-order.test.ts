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
import { VirtualTime } from '../../fixtures/virtual-time.js';

type Action = readonly [kind: string, index: number];
const kinds = [
  'note',
  'note',
  'note',
  'note',
  'echo',
  'echo',
  'rate within',
  'abort',
  'abort',
  'pass',
  'pass',
  'hang',
  'hang in a tick',
  'release',
  'release',
  'pass long',
  'die',
  'lose answers',
  'poison',
];
const actions = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat({ max: 30 })), {
  minLength: 10,
  maxLength: 40,
  size: 'max',
});

async function play(faulty: FaultyToy, sequence: readonly Action[]): Promise<void> {
  const { simulation } = faulty;
  const controllers: AbortController[] = [];
  const within = (): CallOptions => {
    const controller = new AbortController();
    controllers.push(controller);
    return { signal: controller.signal };
  };
  let rateHz = 10;
  for (const [nth, [kind, index]] of sequence.entries()) {
    const id = `${kind}/${nth}`;
    if (kind === 'note') faulty.watch(id, simulation.commands.note(id));
    if (kind === 'poison' && index < 8) faulty.watch(id, simulation.commands.poison(id));
    if (kind === 'echo') faulty.watch(id, simulation.queries.echo(id));
    if (kind === 'rate within') {
      rateHz += 1;
      faulty.watch(`rate ${rateHz}`, simulation.setTickRate(rateHz, within()));
    }
    if (kind === 'abort') controllers[index % controllers.length]?.abort(new Error('aborted'));
    if (kind === 'pass') await faulty.time.advance(index * 5);
    if (kind === 'pass long') await faulty.time.advance(index * 200);
    if (kind === 'hang') faulty.worker.hang();
    if (kind === 'hang in a tick') faulty.hangInTick();
    if (kind === 'release') faulty.worker.release();
    if (kind === 'die' && index < 10) faulty.worker.die();
    if (kind === 'lose answers' && index < 10) faulty.worker.dieOf(isOfType('betwixt:replies'));
  }
  // The worker responds again, and has all the time that it needs.
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
  await fc.assert(
    fc.asyncProperty(actions, async (sequence) => {
      const faulty = await FaultyToy.connect('transfer', RESTART, {}, time);
      const { calls, simulation, asked } = faulty;
      await play(faulty, sequence);
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
