/** `replaceWorker`: what else may happen while one worker takes over from another, with scripted workers. */
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  SimulationDisposedError,
  WorkerFailedError,
  connect,
  type ConnectOptions,
  type WorkerLike,
} from '../../../src/render-main/index.js';
import type { Json } from '../../../src/shared/index.js';
import type { Bodies, SimulationContext } from '../../../src/sim-worker/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { poseAt } from '../../fixtures/poses.js';
import { failureOf } from '../../fixtures/stepped-toy.js';
import {
  RESTART,
  STALL_MS,
  connectScripted,
  recorded,
  type ScriptedSimulation,
  type Watched,
} from '../../fixtures/scripted-simulation.js';
import type { Script } from '../../fixtures/scripted-worker.js';
import { VirtualTime, connectInVirtualTime } from '../../fixtures/virtual-time.js';

const SAVED: Script = { canSave: true };

// They load in real time, which takes an unknown number of turns.
beforeAll(() =>
  Promise.all([
    import('../../../src/render-main/session/worker-replacement.js'),
    import('../../../src/render-main/worker/worker-restarter.js'),
  ]),
);

/** Connected to a worker that has done one command in tick 1, and is paused with another one in its queue. */
async function playing(options: ConnectOptions = {}, script: Script = SAVED) {
  const scripted = await connectScripted('local', { startPaused: true, ...options }, script);
  const { simulation } = scripted;
  const first = scripted.watch('step', simulation.step());
  scripted.watch('first', simulation.commands.apply('first'));
  await scripted.turns();
  await scripted.tick();
  expect(first.outcome).toEqual({ value: 1 });
  const second = scripted.watch('second', simulation.commands.apply('second'));
  return { scripted, simulation, second };
}

const replace = (scripted: ScriptedSimulation, script: Script = SAVED): Watched =>
  scripted.watch(
    'replaceWorker',
    scripted.simulation.replaceWorker(scripted.creating('local', script)),
  );

/** Gives turns until everything has happened. The end of a worker is seen by the page's clock. */
async function settle(scripted: ScriptedSimulation): Promise<void> {
  for (let count = 0; count < 6; count++) {
    await scripted.turns(6);
    scripted.clock.pass(10);
  }
}

/** One more tick, by hand. */
async function step(scripted: ScriptedSimulation): Promise<void> {
  const done = scripted.watch('step', scripted.simulation.step());
  await scripted.turns();
  for (const worker of scripted.workers) {
    worker.beginTick();
    worker.endTick();
  }
  await scripted.turns();
  expect(done.outcome).toEqual({ value: scripted.simulation.stats().tick });
}

const terminated = ({ workers }: ScriptedSimulation): boolean[] =>
  workers.map(({ isTerminated }) => isTerminated);

describe.each([
  ['saved', SAVED, 0],
  ['run again', {}, 1],
] as const)('a run that is %s', (_, script, replayedTicks) => {
  test('continues in the next worker, with the commands that wait', async () => {
    const { scripted, simulation, second } = await playing({}, script);
    const replaced = replace(scripted, script);
    const third = scripted.watch('third', simulation.commands.apply('third'));
    await settle(scripted);
    expect(replaced.outcome).toEqual({ value: undefined });
    expect(scripted.statuses).toEqual([{ kind: 'replaced', tick: 1, replayedTicks }]);
    expect(terminated(scripted)).toEqual([true, false]);
    expect(simulation.state).toBe('paused');
    expect([second.outcome, third.outcome]).toEqual(['pending', 'pending']);
    await step(scripted);
    expect([second.outcome, third.outcome]).toEqual([{ value: 'second' }, { value: 'third' }]);
    expect(scripted.worker.applied).toEqual(['first', 'second', 'third']);
    expect(recorded(scripted)).toEqual(['first', 'second', 'third']);
    expect(scripted.calls.map(({ settled }) => settled)).toEqual(scripted.calls.map(() => 1));
  });
});

test('the worker runs until the next one has been built, and calls are answered', async () => {
  const scripted = await connectScripted('local', {}, SAVED);
  const { simulation } = scripted;
  const replaced = replace(scripted, { ...SAVED, silent: ['initialize'] });
  await scripted.turns();
  scripted.workers[0]?.beginTick();
  scripted.workers[0]?.endTick();
  const asked = scripted.watch('ask', simulation.queries.ask('there'));
  await scripted.turns();
  expect([simulation.state, simulation.stats().tick]).toEqual(['running', 1]);
  expect([asked.outcome, replaced.outcome]).toEqual([{ value: ['there'] }, 'pending']);
});

test('calls made while it takes over are executed by the next worker, once', async () => {
  const { scripted, simulation } = await playing();
  const create = scripted.creating('local', SAVED);
  const calls: Watched[] = [];
  const createNext = (): WorkerLike => {
    const next = create();
    const turn = next.turn.bind(next);
    vi.spyOn(next, 'turn').mockImplementation(() => {
      turn();
      if (!next.did.includes('seek') || calls.length > 0) return;
      calls.push(scripted.watch('ask', simulation.queries.ask('who')));
      calls.push(scripted.watch('rate', simulation.setTickRate(120)));
      calls.push(scripted.watch('resume', simulation.resume()));
    });
    return next;
  };
  const replaced = scripted.watch('replaceWorker', simulation.replaceWorker(createNext));
  await settle(scripted);
  expect(replaced.outcome).toEqual({ value: undefined });
  expect(calls.map(({ outcome }) => outcome)).toEqual([
    { value: ['who'] },
    { value: undefined },
    { value: undefined },
  ]);
  expect(scripted.workers.map(({ did }) => did.filter((one) => one === 'ask who').length)).toEqual([
    0, 1,
  ]);
  expect([scripted.worker.tickRateHz, scripted.worker.isPaused]).toEqual([120, false]);
  expect(simulation.state).toBe('running');
});

test('a setting that was changed while the next worker was being built applies to it', async () => {
  const { scripted, simulation } = await playing();
  const replaced = replace(scripted);
  while (scripted.workers.length === 1) await scripted.turns(1);
  await scripted.turns(1);
  expect(scripted.worker.tickRateHz).toBe(60);
  scripted.watch('rate', simulation.setTickRate(30));
  await settle(scripted);
  expect(replaced.outcome).toEqual({ value: undefined });
  expect(scripted.worker.tickRateHz).toBe(30);
});

test('later workers are created by the function given last', async () => {
  const { scripted, simulation } = await playing(RESTART);
  const createNext = vi.fn<() => WorkerLike>(scripted.creating('local', SAVED));
  scripted.watch('replaceWorker', simulation.replaceWorker(createNext));
  await settle(scripted);
  scripted.worker.die();
  await settle(scripted);
  expect(scripted.kinds).toEqual(['replaced', 'restarting', 'restarted']);
  scripted.watch('again', simulation.replaceWorker());
  await settle(scripted);
  expect(createNext).toHaveBeenCalledTimes(3);
  // From the state with which the last one took over.
  expect(scripted.statuses[2]).toMatchObject({ tick: 1, replayedTicks: 0 });
  expect(scripted.worker.applied).toEqual(['first']);
});

describe('a next worker that is broken is ended, and the current one continues', () => {
  test.each([
    ['does not answer', { silent: ['initialize'] }, /did not answer within 2000 ms/],
    ['throws at its start', { broken: ['initialize'] }, /a broken initialize/],
    ['cannot go there', { canSave: true, broken: ['seek'] }, /a broken seek/],
    ['never arrives', { canSave: true, silent: ['seek'] }, /did not reach tick 1 within 2000 ms/],
    ['does not start', { canSave: true, broken: ['start'] }, /a broken start/],
  ] as const)('%s', async (_, script, message) => {
    const { scripted, simulation, second } = await playing({ startTimeoutMs: 2000 });
    const replaced = replace(scripted, script);
    await scripted.turns(20);
    scripted.clock.pass(2000);
    await scripted.turns();
    expect(replaced.outcome).toMatchObject({ reason: { message: expect.stringMatching(message) } });
    expect([scripted.kinds, terminated(scripted)]).toEqual([[], [false, true]]);
    await step(scripted);
    expect(second.outcome).toEqual({ value: 'second' });
    expect(simulation.state).toBe('paused');
    expect(scripted.workers[0]?.applied).toEqual(['first', 'second']);
  });

  test('is no worker', async () => {
    const { scripted, simulation } = await playing();
    const none = (() => undefined) as unknown as () => WorkerLike;
    const replaced = scripted.watch('none', simulation.replaceWorker(none));
    const wrong = scripted.watch('wrong', simulation.replaceWorker(3 as never));
    await scripted.turns();
    for (const { outcome } of [replaced, wrong]) {
      expect(outcome).toEqual({ reason: expect.any(TypeError) as unknown });
    }
    await step(scripted);
  });
});

describe('the current worker fails in the meantime', () => {
  test('while the next one is being built: the simulation fails with it', async () => {
    const { scripted, simulation } = await playing();
    simulation.on('status', () => {});
    const replaced = replace(scripted, { ...SAVED, silent: ['initialize'] });
    await scripted.turns();
    scripted.workers[0]?.die();
    await scripted.turns();
    scripted.clock.pass(30_000);
    await scripted.turns();
    expect(replaced.outcome).toEqual({ reason: expect.any(WorkerFailedError) as unknown });
    expect([simulation.state, ...terminated(scripted)]).toEqual(['failed', true, true]);
  });

  test('while the next one is being moved: it is restarted, and the call rejects', async () => {
    const { scripted, simulation, second } = await playing(RESTART);
    const replaced = replace(scripted, { ...SAVED, silent: ['seek'] });
    await scripted.turns(20);
    scripted.workers[0]?.die();
    await settle(scripted);
    expect(replaced.outcome).toEqual({ reason: expect.any(WorkerFailedError) as unknown });
    expect(scripted.kinds).toEqual(['restarting', 'restarted']);
    expect(terminated(scripted)).toEqual([true, true, false]);
    await step(scripted);
    expect(second.outcome).toEqual({ value: 'second' });
    expect(scripted.worker.applied).toEqual(['first', 'second']);
    expect(simulation.state).toBe('paused');
  });
});

test.each([
  ['built', { silent: ['initialize'] }],
  ['moved', { ...SAVED, silent: ['seek'] }],
  ['started', { ...SAVED, silent: ['start'] }],
] as const)('disposing while the next one is being %s ends both', async (_, script) => {
  const { scripted, simulation } = await playing();
  const replaced = replace(scripted, script);
  await scripted.turns(20);
  const disposal = scripted.dispose();
  await disposal;
  expect(replaced.outcome).toEqual({ reason: expect.any(SimulationDisposedError) as unknown });
  expect(terminated(scripted)).toEqual([true, true]);
  expect([simulation.state, scripted.clock.timers]).toEqual(['disposed', 0]);
});

test.each([
  ['built', { silent: ['initialize'] }],
  ['moved', { ...SAVED, silent: ['seek'] }],
] as const)('a signal ends the call while the next one is being %s', async (_, script) => {
  const { scripted, simulation, second } = await playing();
  const controller = new AbortController();
  const { signal } = controller;
  const createNext = scripted.creating('local', script);
  const replaced = scripted.watch('ended', simulation.replaceWorker(createNext, { signal }));
  await scripted.turns(20);
  const reason = new Error('not needed');
  controller.abort(reason);
  await scripted.turns();
  expect(replaced.outcome).toEqual({ reason });
  expect(terminated(scripted)).toEqual([false, true]);
  await step(scripted);
  expect(second.outcome).toEqual({ value: 'second' });
});

test('commands that wait are found by their names, and those that are gone reject', async () => {
  const { scripted, simulation, second } = await playing();
  const bad = scripted.watch('bad', simulation.commands.bad('gone'));
  const { commands } = simulation;
  const replaced = replace(scripted, { ...SAVED, commands: ['more', 'apply'] });
  await settle(scripted);
  expect(replaced.outcome).toEqual({ value: undefined });
  expect(bad.outcome).toMatchObject({
    reason: { name: 'RangeError', message: expect.stringMatching(/no command "bad"/) as string },
  });
  expect(Object.keys(simulation.commands)).toEqual(['more', 'apply']);
  const later = scripted.watch('later', commands.apply('later'));
  const gone = scripted.watch('gone', commands.bad('gone'));
  await step(scripted);
  expect([second.outcome, later.outcome]).toEqual([{ value: 'second' }, { value: 'later' }]);
  expect(gone.outcome).toMatchObject({ reason: { name: 'RangeError' } });
});

test('a query that is still running rejects', async () => {
  const scripted = await connectScripted('local', {}, { ...SAVED, silent: ['query'] });
  const asked = scripted.watch('ask', scripted.simulation.queries.ask('long'));
  const replaced = replace(scripted);
  await settle(scripted);
  expect(replaced.outcome).toEqual({ value: undefined });
  expect(asked.outcome).toEqual({
    reason: new Error('the worker was replaced before it answered'),
  });
});

test('a stalled worker is given up at once', async () => {
  const { scripted, simulation, second } = await playing({ recovery: 'none' });
  const stepping = scripted.watch('step', simulation.step());
  await scripted.turns();
  scripted.worker.beginTick();
  scripted.clock.pass(STALL_MS);
  expect(simulation.state).toBe('stalled');
  const replaced = replace(scripted);
  await settle(scripted);
  expect(replaced.outcome).toEqual({ value: undefined });
  expect(scripted.kinds).toEqual(['stalled', 'restarting', 'restarted']);
  expect(stepping.outcome).toMatchObject({ reason: { stage: 'hang' } });
  await step(scripted);
  expect(second.outcome).toEqual({ value: 'second' });
  expect(recorded(scripted)).toEqual(['first', 'second']);
  // It has no other effect on recovery.
  scripted.worker.die();
  await scripted.turns();
  expect(simulation.state).toBe('failed');
});

describe('it is refused', () => {
  test('if the run is not recorded', async () => {
    const { time, simulation } = await connectInVirtualTime({ recording: false });
    const { reason } = failureOf(simulation.replaceWorker());
    expect(await time.until(reason)).toMatchObject({
      message: expect.stringMatching(/^the run is not recorded/) as string,
    });
  });

  test('while a recording is shown', async () => {
    const { time, simulation } = await connectInVirtualTime({ startPaused: true });
    await time.until(simulation.step(3));
    await time.until(simulation.openReplay(simulation.recording()));
    const { reason } = failureOf(simulation.replaceWorker());
    expect(await time.until(reason)).toMatchObject({
      message: expect.stringMatching(/^a recording is shown: .*replay\.close\(\)/) as string,
    });
  });
});

/** Bodies with these tags, which never move. */
function withTags(...tags: string[]) {
  let bodies: Bodies | undefined;
  const spawn = (): void => {
    for (const tag of tags) bodies?.spawn(poseAt(0), { tag });
  };
  return {
    init: (context: SimulationContext) => {
      ({ bodies } = context);
      spawn();
    },
    reset: spawn,
    step: () => {},
  };
}

test('the page gets the bodies of the next worker, whose script may spawn others', async () => {
  const time = new VirtualTime();
  const simulation = await connect(() => runLocally(withTags('old', 'gone')), {
    transport: 'local',
    capacity: 4,
  });
  onTestFinished(() => time.until(simulation.dispose()));
  const statuses: string[] = [];
  simulation.on('status', ({ kind }) => statuses.push(kind));
  const shown = async (): Promise<readonly Json[]> => {
    for (let frame = 0; frame < 10; frame++) {
      await time.advance(16);
      simulation.sample(time.nowMs);
    }
    return [...simulation.bodies.values()];
  };
  expect(await shown()).toEqual(['old', 'gone']);
  await time.until(simulation.replaceWorker(() => runLocally(withTags('new'))));
  expect(await shown()).toEqual(['new']);
  // Of the next worker as of the first.
  await time.until(simulation.seek(0));
  await shown();
  expect(statuses).toEqual(['replaced', 'jumped']);
});
