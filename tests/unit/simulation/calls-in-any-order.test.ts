/**
 * Calls, limits, ticks, hangs, failures and restarts in any order: each call is settled once; calls
 * that resolve are part of the run that continues, and calls that reject are not.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallOptions } from '../../../src/render-main/index.js';
import {
  RESTART,
  ScriptedSimulation,
  recorded,
  type Watched,
} from '../../fixtures/scripted-simulation.js';

type Action = readonly [kind: string, index: number];
const kinds = [
  'apply',
  'apply within',
  'ask',
  'ask within',
  'rate within',
  'abort',
  'abort',
  'turn',
  'turn',
  'turns',
  'begin',
  'begin',
  'end',
  'end',
  'pass',
  'die',
  'lose answers',
  'bad',
];
const actions = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat({ max: 30 })), {
  minLength: 10,
  maxLength: 60,
  size: 'max',
});

async function play(scripted: ScriptedSimulation, sequence: readonly Action[]): Promise<void> {
  const { simulation, clock } = scripted;
  const controllers: AbortController[] = [];
  const within = (): CallOptions => {
    const controller = new AbortController();
    controllers.push(controller);
    return { signal: controller.signal };
  };
  let rateHz = 100;
  for (const [nth, [kind, index]] of sequence.entries()) {
    const id = `${kind}/${nth}`;
    if (kind === 'apply') scripted.watch(id, simulation.commands.apply(id));
    if (kind === 'apply within') scripted.watch(id, simulation.commandsWith(within()).apply(id));
    if (kind === 'bad' && index < 5) scripted.watch(id, simulation.commands.bad(id));
    if (kind === 'ask') scripted.watch(id, simulation.queries.ask(id));
    if (kind === 'ask within') scripted.watch(id, simulation.queriesWith(within()).ask(id));
    if (kind === 'rate within') {
      rateHz += 1;
      scripted.watch(`rate ${rateHz}`, simulation.setTickRate(rateHz, within()));
    }
    if (kind === 'abort') controllers[index % controllers.length]?.abort(new Error('aborted'));
    if (kind === 'turn') scripted.worker.turn();
    if (kind === 'turns') await scripted.turns(3);
    if (kind === 'begin') scripted.worker.beginTick();
    if (kind === 'end') scripted.worker.endTick();
    if (kind === 'pass') clock.pass(index * 200);
    if (kind === 'die' && index < 5) scripted.worker.die();
    if (kind === 'lose answers' && index < 5) scripted.worker.losesAnswers = true;
  }
  // The worker responds again, and has all the turns and ticks that it needs.
  for (let round = 0; round < 6; round++) {
    scripted.worker.endTick();
    await scripted.turns(20);
    await scripted.tick();
  }
}

const isRejected = ({ outcome }: Watched): boolean =>
  typeof outcome === 'object' && 'reason' in outcome;
const isAborted = ({ outcome }: Watched): boolean =>
  typeof outcome === 'object' && 'reason' in outcome && String(outcome.reason) === 'Error: aborted';

/** How often each command should be in the run, and is. After a permanent failure it is in none. */
function timedOf({ calls, worker, simulation }: ScriptedSimulation): [string, number, number][] {
  if (simulation.state === 'failed') return [];
  return calls
    .filter(({ id }) => /^(apply|bad)/.test(id))
    .map((call) => [
      call.id,
      isRejected(call) ? 0 : 1,
      worker.applied.filter((one) => one === call.id).length,
    ]);
}

/**
 * How often each other call was executed: after it had rejected, or in total. If memory is not
 * shared, a query that was sent cannot be withdrawn: it is not waited for, and changes nothing.
 */
function othersOf(
  { calls, did }: ScriptedSimulation,
  transport: 'shared' | 'local',
): [string, number, number][] {
  return calls
    .filter(({ id }) => /^(ask|rate)/.test(id))
    .filter((call) => transport === 'shared' || !(call.id.startsWith('ask') && isAborted(call)))
    .map((call) => {
      const name = call.id.startsWith('rate') ? call.id : `ask ${call.id}`;
      const since = isRejected(call) ? did.slice(call.didBefore) : did;
      return [call.id, isRejected(call) ? 0 : 1, since.filter((one) => one === name).length];
    });
}

test.each([
  ['shared', 15],
  ['local', 60],
] as const)('over %s memory', async (transport, numRuns) => {
  const seen = { restarts: 0, rejected: 0, aborted: 0, resolved: 0 };
  await fc.assert(
    fc.asyncProperty(actions, async (sequence) => {
      const scripted = await ScriptedSimulation.connect(transport, RESTART);
      const { calls, simulation } = scripted;
      await play(scripted, sequence);
      expect(calls.filter(({ settled }) => settled !== 1)).toEqual([]);
      const found = [...timedOf(scripted), ...othersOf(scripted, transport)];
      expect(found.filter(([, should, is]) => should !== is)).toEqual([]);
      const hasRun = simulation.state !== 'failed';
      expect(hasRun ? recorded(scripted) : []).toEqual(hasRun ? scripted.worker.applied : []);
      seen.restarts += scripted.kinds.filter((kind) => kind === 'restarted').length;
      seen.rejected += calls.filter(isRejected).length;
      seen.aborted += calls.filter(isAborted).length;
      seen.resolved += calls.filter((call) => !isRejected(call)).length;
      await scripted.dispose();
    }),
    { numRuns },
  );
  // Each case did occur, a few times a run.
  expect(Object.values(seen).filter((times) => times < numRuns / 3)).toEqual([]);
});
