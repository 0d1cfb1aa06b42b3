/** The outcome of calls while a worker hangs, recovers, fails or is replaced. */
import { expect, test } from 'vitest';
import { ONE_OF_EACH } from '../../fixtures/typed-arrays.js';
import {
  GIVE_UP_MS,
  RESTART,
  STALL_MS,
  connectFaulty,
  outcomes,
} from '../../fixtures/faulty-toy.js';
import { isOfType } from '../../fixtures/tapped-worker.js';

const hung = { reason: expect.objectContaining({ stage: 'hang' }) as unknown };
const done = { value: undefined };
const failed = { reason: expect.objectContaining({ name: 'WorkerFailedError' }) as unknown };
/** A command that failed again in the tick that received it. */
const leftOut = (name: string) => ({
  reason: expect.objectContaining({
    name: 'WorkerFailedError',
    message: expect.stringContaining(`"${name}" was skipped because tick 1 failed again`) as string,
  }) as unknown,
});

test('no call is settled while a worker hangs, and all are when it recovers', async () => {
  const { faulty, simulation } = await connectFaulty('transfer');
  await faulty.hang();
  const calls = [
    faulty.watch(simulation.queries.echo('a')),
    faulty.watch(simulation.commands.note('b')),
    faulty.watch(simulation.setTickRate(30)),
  ];
  await faulty.pass(STALL_MS);
  expect([faulty.kinds, simulation.state]).toEqual([['stalled'], 'stalled']);
  await faulty.pass(GIVE_UP_MS);
  expect(outcomes(...calls)).toEqual(['pending', 'pending', 'pending']);
  faulty.worker.release();
  await faulty.pass(300);
  expect(faulty.kinds).toEqual(['stalled', 'recovered']);
  expect(outcomes(...calls)).toEqual([{ value: 'a' }, { value: 'b' }, done]);
  expect([faulty.asked, faulty.recorded]).toEqual([['a'], ['b']]);
  expect(simulation.stats().tickRateHz).toBe(30);
});

test('a seek to a worker that hangs arrives when it recovers, and leaves no pause behind', async () => {
  const { faulty, simulation } = await connectFaulty('transfer');
  await faulty.pass(500);
  await faulty.hang();
  await faulty.pass(STALL_MS);
  const seek = faulty.watch(simulation.seek(2));
  await faulty.pass(200);
  expect([simulation.state, seek.outcome]).toEqual(['stalled', 'pending']);
  faulty.worker.release();
  await faulty.settles(seek);
  expect(seek.outcome).toMatchObject({ value: { tick: 2 } });
  await faulty.pass(500);
  expect(simulation.state).toBe('running');
  expect(simulation.stats().tick).toBeGreaterThan(2);
});

test('a worker that hangs for too long is replaced, and the next one has its commands and settings', async () => {
  const { faulty, simulation } = await connectFaulty('transfer', RESTART);
  faulty.hangInTick();
  const queued = faulty.watch(simulation.commands.note('queued'));
  await faulty.pass(200);
  expect(faulty.recorded).toEqual([]);
  const late = faulty.watch(simulation.commands.note('late'));
  const asked = faulty.watch(simulation.queries.echo('asked'));
  const saved = faulty.watch(simulation.save());
  const rate = faulty.watch(simulation.setTickRate(30));
  const paused = faulty.watch(simulation.pause());
  await faulty.pass(5000);
  expect(faulty.kinds).toEqual(['stalled']);
  expect(outcomes(queued, late, asked, saved, rate, paused)).toEqual(Array(6).fill('pending'));
  await faulty.pass(GIVE_UP_MS - 5000);
  await faulty.restarts();
  expect(faulty.kinds).toEqual(['stalled', 'restarting', 'restarted']);
  // The new worker answers a little later.
  for (const call of [rate, paused]) await faulty.settles(call);
  expect(outcomes(asked, saved, rate, paused)).toEqual([hung, hung, done, done]);
  expect([simulation.stats().tickRateHz, simulation.state]).toEqual([30, 'paused']);
  expect(outcomes(queued, late)).toEqual(['pending', 'pending']);
  const { tick } = simulation.stats();
  expect(await faulty.time.until(simulation.step())).toBe(tick + 1);
  expect(outcomes(queued, late)).toEqual([{ value: 'queued' }, { value: 'late' }]);
  expect(faulty.recorded).toEqual(['queued', 'late']);
  expect(await faulty.time.until(simulation.queries.notes())).toEqual(['queued', 'late']);
  expect(faulty.asked).toEqual([]);
});

test('typed arrays in the tick that hangs, and those that wait, reach the next worker unchanged', async () => {
  const { faulty } = await connectFaulty('transfer', RESTART);
  const { note } = faulty.simulation.commands;
  faulty.hangInTick();
  const calls = ONE_OF_EACH.map((array) => faulty.watch(note(array)));
  await faulty.pass(200);
  calls.push(...ONE_OF_EACH.map((array) => faulty.watch(note(array.slice(1)))));
  await faulty.pass(GIVE_UP_MS);
  await faulty.restarts();
  await faulty.pass(200);
  expect(faulty.kinds).toEqual(['stalled', 'restarting', 'restarted']);
  const expected = [...ONE_OF_EACH, ...ONE_OF_EACH.map((array) => array.slice(1))];
  expect(outcomes(...calls)).toStrictEqual(expected.map((value) => ({ value })));
  const { entries } = faulty.simulation.recording();
  expect(entries.flatMap((entry) => (entry.kind === 'command' ? [entry.data] : []))).toStrictEqual(
    expected,
  );
});

test('commands of a tick that failed are sent again, and rejected if it fails again with them', async () => {
  const { faulty, simulation } = await connectFaulty('local', { ...RESTART, startPaused: true });
  const good = faulty.watch(simulation.commands.note('good'));
  const bad = faulty.watch(simulation.commands.poison('bad'));
  expect(faulty.watch(simulation.step()).outcome).toBe('pending');
  await faulty.pass(100);
  expect(faulty.kinds).toEqual(['restarting', 'restarted']);
  expect(outcomes(good, bad)).toEqual(['pending', 'pending']);
  const later = faulty.watch(simulation.commands.note('later'));
  faulty.watch(simulation.step());
  await faulty.pass(100);
  // Failed again with all of them, including the later one.
  expect(outcomes(good, bad, later)).toEqual([leftOut('note'), leftOut('poison'), leftOut('note')]);
  expect(faulty.statuses.at(-1)).toMatchObject({ kind: 'restarted', skippedInputs: 3 });
  expect(await faulty.time.until(simulation.step())).toBe(1);
  expect(await faulty.time.until(simulation.queries.notes())).toEqual([]);
  expect(faulty.recorded).toEqual([]);
});

test('an answer that is lost with its worker is given by the next one', async () => {
  const { faulty, simulation } = await connectFaulty('transfer', RESTART);
  faulty.worker.dieOf(isOfType('betwixt:replies'));
  const call = faulty.watch(simulation.commands.note('a'));
  await faulty.pass(300);
  await faulty.restarts();
  expect(faulty.kinds).toEqual(['restarting', 'restarted']);
  expect(await faulty.settles(call)).toEqual({ value: 'a' });
  expect(faulty.recorded).toEqual(['a']);
  expect(await faulty.time.until(simulation.queries.notes())).toEqual(['a']);
});

test('a worker that dies and is not replaced ends all calls', async () => {
  const { faulty, simulation } = await connectFaulty('transfer');
  await faulty.hang();
  const calls = [simulation.commands.note('a'), simulation.queries.echo('b'), simulation.pause()];
  const watched = calls.map((call) => faulty.watch(call));
  faulty.worker.die();
  await faulty.pass(100);
  expect(outcomes(...watched)).toEqual([failed, failed, failed]);
  expect(simulation.state).toBe('failed');
});

test.each([
  ['recovers', 'none'],
  ['is replaced', 'restart'],
] as const)(
  'a resume waits for a worker that hangs, and takes effect when it %s',
  async (how, recovery) => {
    const { faulty, simulation } = await connectFaulty('transfer', { startPaused: true, recovery });
    faulty.hangInTick();
    const noted = faulty.watch(simulation.commands.note('a'));
    const step = faulty.watch(simulation.step());
    await faulty.pass(STALL_MS);
    expect(simulation.state).toBe('stalled');
    const resumed = faulty.watch(simulation.resume());
    await faulty.pass(100);
    expect(outcomes(noted, step, resumed)).toEqual(['pending', 'pending', 'pending']);
    if (how === 'recovers') faulty.worker.release();
    else await faulty.pass(GIVE_UP_MS);
    await faulty.restarts();
    await faulty.pass(500);
    const stepped = how === 'recovers' ? { value: 1 } : hung;
    expect(outcomes(noted, step, resumed)).toEqual([{ value: 'a' }, stepped, done]);
    expect(simulation.state).toBe('running');
    expect(simulation.stats().tick).toBeGreaterThan(1);
  },
);
