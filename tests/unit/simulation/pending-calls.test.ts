/**
 * The outcome of calls while a worker stalls, recovers, fails or is replaced: on a scripted clock,
 * with a worker that the test controls.
 */
import { describe, expect, test } from 'vitest';
import type { TypedArray } from '../../../src/shared/index.js';
import { ONE_OF_EACH } from '../../fixtures/typed-arrays.js';
import {
  GIVE_UP_MS,
  RESTART,
  STALL_MS,
  connectScripted,
  recorded,
  type Watched,
} from '../../fixtures/scripted-simulation.js';

const outcomes = (...calls: Watched[]): Watched['outcome'][] => calls.map(({ outcome }) => outcome);
const hung = { reason: expect.objectContaining({ stage: 'hang' }) as unknown };
/** It failed again in the tick that received it. */
const leftOut = (name: string) => ({
  reason: expect.objectContaining({
    name: 'WorkerFailedError',
    message: expect.stringContaining(`"${name}" was skipped because tick 1 failed again`) as string,
  }) as unknown,
});

describe.each(['shared', 'local'] as const)('over %s memory', (transport) => {
  test('a stall is reported, and nothing is settled until the worker recovers', async () => {
    const scripted = await connectScripted(transport);
    const { simulation, clock, worker } = scripted;
    worker.beginTick();
    const calls = [
      scripted.watch('ask', simulation.queries.ask('a')),
      scripted.watch('apply', simulation.commands.apply('b')),
      scripted.watch('rate', simulation.setTickRate(30)),
    ];
    clock.pass(STALL_MS);
    expect([scripted.kinds, simulation.state]).toEqual([['stalled'], 'stalled']);
    clock.pass(600_000);
    await scripted.turns();
    expect(outcomes(...calls)).toEqual(['pending', 'pending', 'pending']);
    worker.endTick();
    clock.pass(100);
    await scripted.turns();
    await scripted.tick();
    expect(scripted.kinds).toEqual(['stalled', 'recovered']);
    expect(outcomes(...calls)).toEqual([{ value: ['a'] }, { value: 'b' }, { value: undefined }]);
    expect(worker.did).toEqual(['ask a', 'rate 30']);
  });

  test('a worker is given up after its limit, and counts as one that fails', async () => {
    const scripted = await connectScripted(transport, RESTART);
    const { simulation, clock, worker } = scripted;
    await scripted.tick();
    await scripted.until(simulation.queries.ask('before'));
    const queued = scripted.watch('queued', simulation.commands.apply('queued'));
    worker.beginTick();
    const late = scripted.watch('late', simulation.commands.apply('late'));
    const asked = scripted.watch('asked', simulation.queries.ask('asked'));
    const rate = scripted.watch('rate', simulation.setTickRate(30));
    const paused = scripted.watch('pause', simulation.pause());
    clock.pass(5000);
    await scripted.turns();
    expect(scripted.kinds).toEqual(['stalled']);
    expect(outcomes(queued, late, asked, rate, paused)).toEqual(Array(5).fill('pending'));
    clock.pass(GIVE_UP_MS - 5000);
    expect(scripted.kinds).toEqual(['stalled', 'restarting']);
    await scripted.turns(40);
    expect(scripted.kinds).toEqual(['stalled', 'restarting', 'restarted']);
    // In effect in the next worker: it is started with them.
    expect(outcomes(asked, rate, paused)).toEqual([
      hung,
      { value: undefined },
      { value: undefined },
    ]);
    expect([scripted.worker.tickRateHz, scripted.worker.isPaused]).toEqual([30, true]);
    expect(outcomes(queued, late)).toEqual(['pending', 'pending']);
    const stepped = scripted.watch('step', simulation.step());
    await scripted.turns();
    await scripted.tick();
    expect(outcomes(queued, late, stepped)).toEqual([
      { value: 'queued' },
      { value: 'late' },
      { value: 2 },
    ]);
    expect(recorded(scripted)).toEqual(['queued', 'late']);
    expect(scripted.worker.applied).toEqual(['queued', 'late']);
  });

  test('typed arrays in the failing tick, and those that wait, reach the next worker unchanged', async () => {
    const scripted = await connectScripted(transport, RESTART);
    const { clock, worker } = scripted;
    const apply = scripted.simulation.commands.apply as unknown as (
      array: TypedArray,
    ) => Promise<unknown>;
    await scripted.tick();
    const calls = ONE_OF_EACH.map((array) => scripted.watch('taken', apply(array)));
    worker.beginTick();
    calls.push(...ONE_OF_EACH.map((array) => scripted.watch('waiting', apply(array.slice(1)))));
    clock.pass(GIVE_UP_MS);
    await scripted.turns(40);
    expect(scripted.kinds).toEqual(['stalled', 'restarting', 'restarted']);
    expect(new Set(outcomes(...calls))).toEqual(new Set(['pending']));
    await scripted.tick();
    const expected = [...ONE_OF_EACH, ...ONE_OF_EACH.map((array) => array.slice(1))];
    expect(outcomes(...calls)).toStrictEqual(expected.map((value) => ({ value })));
    expect(scripted.worker.applied).toStrictEqual(expected);
    const { entries } = scripted.simulation.recording();
    const recordedArrays = entries.flatMap((entry) =>
      entry.kind === 'command' ? [entry.data] : [],
    );
    expect(recordedArrays).toStrictEqual(expected);
  });

  test('5 s in which page and worker are suspended in the middle of a tick have no effect', async () => {
    const scripted = await connectScripted(transport, RESTART);
    for (let count = 0; count < 20; count++) {
      scripted.worker.beginTick();
      scripted.clock.standStill(5000);
      scripted.worker.endTick();
      scripted.clock.pass(200);
    }
    expect(scripted.kinds).toEqual([]);
    expect(scripted.workers).toHaveLength(1);
  });

  test('5 s in which only the worker is suspended are a stall, and no restart', async () => {
    const scripted = await connectScripted(transport, RESTART);
    const { worker, clock } = scripted;
    worker.beginTick();
    const call = scripted.watch('apply', scripted.simulation.commands.apply('a'));
    clock.pass(5000);
    worker.endTick();
    clock.pass(200);
    await scripted.tick();
    expect(scripted.kinds).toEqual(['stalled', 'recovered']);
    expect(call.outcome).toEqual({ value: 'a' });
    expect(scripted.workers).toHaveLength(1);
  });

  test('inputs of the failing tick are sent again, and answered when that is done', async () => {
    const scripted = await connectScripted(transport, RESTART);
    const { simulation } = scripted;
    const good = scripted.watch('good', simulation.commands.apply('good'));
    const bad = scripted.watch('bad', simulation.commands.bad('bad'));
    await scripted.tick();
    await scripted.turns(40);
    expect(scripted.kinds).toEqual(['restarting', 'restarted']);
    expect(outcomes(good, bad)).toEqual(['pending', 'pending']);
    const later = scripted.watch('later', simulation.commands.apply('later'));
    await scripted.tick();
    await scripted.turns(40);
    // Failed again with all of them, including the later one.
    expect(outcomes(good, bad, later)).toEqual([
      leftOut('apply'),
      leftOut('bad'),
      leftOut('apply'),
    ]);
    expect(scripted.statuses.at(-1)).toMatchObject({ kind: 'restarted', skippedInputs: 3 });
    await scripted.tick();
    expect([scripted.worker.applied, recorded(scripted)]).toEqual([[], []]);
  });

  test('an answer that is lost with its worker is given by the next one', async () => {
    const scripted = await connectScripted(transport, RESTART);
    const call = scripted.watch('apply', scripted.simulation.commands.apply('a'));
    const { worker } = scripted;
    worker.losesAnswers = true;
    worker.beginTick();
    worker.endTick();
    expect([call.outcome, worker.applied]).toEqual(['pending', ['a']]);
    await scripted.turns(40);
    expect(scripted.kinds).toEqual(['restarting', 'restarted']);
    expect(call.outcome).toEqual({ value: 'a' });
    expect([scripted.worker.applied, recorded(scripted)]).toEqual([['a'], ['a']]);
  });

  test('a worker that is not replaced ends all calls', async () => {
    const scripted = await connectScripted(transport);
    const { simulation, worker } = scripted;
    worker.beginTick();
    const calls = [simulation.commands.apply('a'), simulation.queries.ask('b'), simulation.pause()];
    const watched = calls.map((call, index) => scripted.watch(String(index), call));
    worker.die();
    await scripted.turns();
    const failed = { reason: expect.objectContaining({ name: 'WorkerFailedError' }) as unknown };
    expect(outcomes(...watched)).toEqual([failed, failed, failed]);
    expect(simulation.state).toBe('failed');
  });

  test('a resume waits for a worker that hangs, and takes effect', async () => {
    const scripted = await connectScripted(transport, { startPaused: true });
    const { simulation, worker, clock } = scripted;
    const step = scripted.watch('step', simulation.step());
    await scripted.turns();
    worker.beginTick();
    clock.pass(STALL_MS);
    const resumed = scripted.watch('resume', simulation.resume());
    await scripted.turns();
    expect([resumed.outcome, worker.isPaused]).toEqual(['pending', true]);
    worker.endTick();
    clock.pass(100);
    await scripted.turns(40);
    expect(outcomes(step, resumed)).toEqual([{ value: 1 }, { value: undefined }]);
    expect([worker.isPaused, simulation.state]).toEqual([false, 'running']);
  });
});
