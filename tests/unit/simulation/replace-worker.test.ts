/** `replaceWorker` in virtual time: one worker takes over from another, and the run continues as if there were only one. */
import { expect, test, vi } from 'vitest';
import {
  SimulationDisposedError,
  WorkerFailedError,
  type ConnectOptions,
  type WorkerLike,
} from '../../../src/render-main/index.js';
import type { Json } from '../../../src/shared/index.js';
import type { Bodies, SimulationContext } from '../../../src/sim-worker/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import {
  RESTART,
  STALL_MS,
  connectFaulty,
  outcomes,
  type Faults,
  type FaultyToy,
  type Watched,
} from '../../fixtures/faulty-toy.js';
import { poseAt } from '../../fixtures/poses.js';
import { inputOf } from '../../fixtures/run-toy.js';
import { takeTurn } from '../../fixtures/scripted-host.js';
import { replayed } from '../../fixtures/toy-recording.js';
import { connectInVirtualTime, connectLocally, statusesOf } from '../../fixtures/virtual-time.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

/** Paused after tick 1, which had one command, with another command in its queue. */
async function playing(options: ConnectOptions = {}, faults: Faults = {}) {
  const { faulty, simulation, time } = await connectFaulty(
    'local',
    { startPaused: true, ...options },
    faults,
  );
  const first = simulation.commands.note('first');
  expect(await time.until(simulation.step())).toBe(1);
  expect(await time.until(first)).toBe('first');
  const second = faulty.watch(simulation.commands.note('second'));
  return { faulty, simulation, time, second };
}

const replace = (faulty: FaultyToy, faults: Faults = {}): Watched =>
  faulty.watch(faulty.simulation.replaceWorker(faulty.creating(faults)));

async function step({ time, simulation }: FaultyToy): Promise<void> {
  const { tick } = simulation.stats();
  expect(await time.until(simulation.step())).toBe(tick + 1);
}

const terminated = ({ workers }: FaultyToy): boolean[] =>
  workers.map(({ isTerminated }) => isTerminated);

const DONE = { value: undefined };

test('a worker runs, and answers calls, until the next one has been built', async () => {
  const { faulty, simulation } = await connectFaulty('local');
  const replaced = replace(faulty, { silent: ['initialize'] });
  const asked = faulty.watch(simulation.queries.echo('there'));
  await faulty.pass(200);
  expect(simulation.state).toBe('running');
  expect(simulation.stats().tick).toBeGreaterThan(0);
  expect(outcomes(asked, replaced)).toEqual([{ value: 'there' }, 'pending']);
});

test('calls made while the next worker is moved are executed by it, once', async () => {
  const { faulty, simulation, time } = await playing();
  const replaced = replace(faulty);
  while (!(faulty.workers[1]?.calls ?? []).includes('seek')) await time.advance(1);
  const calls = [
    faulty.watch(simulation.queries.echo('who')),
    faulty.watch(simulation.setTickRate(120)),
    faulty.watch(simulation.resume()),
  ];
  await faulty.settles(replaced);
  await faulty.pass(100);
  expect(outcomes(replaced, ...calls)).toEqual([DONE, { value: 'who' }, DONE, DONE]);
  expect([faulty.asked, faulty.workers[0]?.calls.includes('query')]).toEqual([['who'], false]);
  expect([simulation.stats().tickRateHz, simulation.state]).toEqual([120, 'running']);
});

test('settings that were changed while the next worker was being built apply to it, and to the one after', async () => {
  const { faulty, simulation, time } = await playing();
  const replaced = replace(faulty);
  // The next worker has received those from before.
  while (!(faulty.workers[1]?.calls ?? []).includes('initialize')) await takeTurn();
  const rate = faulty.watch(simulation.setTickRate(30));
  const scale = faulty.watch(simulation.setTimeScale(0.5));
  expect(await faulty.settles(replaced)).toEqual(DONE);
  expect(outcomes(rate, scale)).toEqual([DONE, DONE]);
  const changed = { state: 'paused', tickRateHz: 30, timeScale: 0.5 } as const;
  expect(await time.until(simulation.queries.dt())).toBe(1 / 30);
  expect(simulation).toMatchObject(changed);
  expect(await faulty.settles(replace(faulty))).toEqual(DONE);
  expect(await time.until(simulation.queries.dt())).toBe(1 / 30);
  expect(simulation.stats()).toMatchObject(changed);
});

test('later workers are created by the function given last', async () => {
  const { faulty, simulation, time } = await playing(RESTART);
  const createNext = vi.fn<() => WorkerLike>(faulty.creating());
  await time.until(simulation.replaceWorker(createNext));
  faulty.worker.die();
  await faulty.restarts();
  await time.until(simulation.replaceWorker());
  expect(faulty.kinds).toEqual(['replaced', 'restarting', 'restarted', 'replaced']);
  expect(createNext).toHaveBeenCalledTimes(3);
  // From the state with which the last one took over.
  expect(faulty.statuses[2]).toMatchObject({ tick: 1, replayedTicks: 0 });
  expect(await time.until(simulation.queries.notes())).toEqual(['first']);
});

test.each<[string, Faults, RegExp]>([
  ['does not answer', { silent: ['initialize'] }, /did not answer within 2000 ms/],
  ['throws at its start', { initError: 'no scene' }, /no scene/],
  ['cannot be saved', { cannotSave: true }, /cannot be saved/],
  ['cannot restore the state', { restoreError: 'another state' }, /another state/],
  ['never arrives', { silent: ['seek'] }, /did not reach tick 1 within 2000 ms/],
  ['does not start', { broken: ['start'] }, /a broken start/],
])('a next worker that %s is ended, and the current one continues', async (_, faults, message) => {
  const { faulty, simulation, time, second } = await playing(tuned({}, { startTimeoutMs: 2000 }));
  const replaced = replace(faulty, faults);
  await faulty.pass(100);
  await faulty.pass(2100);
  expect(replaced.outcome).toMatchObject({ reason: { message: expect.stringMatching(message) } });
  expect([faulty.kinds, terminated(faulty)]).toEqual([[], [false, true]]);
  await step(faulty);
  expect([second.outcome, simulation.state]).toEqual([{ value: 'second' }, 'paused']);
  expect(await time.until(simulation.queries.notes())).toEqual(['first', 'second']);
});

test('what is no worker, or creates none, is refused, and the current worker continues', async () => {
  const { faulty, simulation, time } = await playing();
  for (const none of [() => undefined, 3]) {
    await expect(time.until(simulation.replaceWorker(none as never))).rejects.toThrow(TypeError);
  }
  await step(faulty);
});

test('a simulation whose worker dies while the next one is being built fails', async () => {
  const { faulty, simulation } = await playing();
  const replaced = replace(faulty, { silent: ['initialize'] });
  await faulty.pass(100);
  faulty.workers[0]?.die();
  await faulty.pass(30_100);
  expect(replaced.outcome).toEqual({ reason: expect.any(WorkerFailedError) as unknown });
  expect([simulation.state, ...terminated(faulty)]).toEqual(['failed', true, true]);
});

test('a worker that dies while the next one is being moved is restarted, and the call rejects', async () => {
  const { faulty, simulation, time, second } = await playing(RESTART);
  const replaced = replace(faulty, { silent: ['seek'] });
  await faulty.pass(100);
  faulty.workers[0]?.die();
  await faulty.restarts();
  expect(replaced.outcome).toEqual({ reason: expect.any(WorkerFailedError) as unknown });
  expect(faulty.kinds).toEqual(['restarting', 'restarted']);
  expect(terminated(faulty)).toEqual([true, true, false]);
  await step(faulty);
  expect([second.outcome, simulation.state]).toEqual([{ value: 'second' }, 'paused']);
  expect(await time.until(simulation.queries.notes())).toEqual(['first', 'second']);
});

test.each(['initialize', 'seek', 'start'])(
  'disposing while the next worker has not answered %s ends both',
  async (call) => {
    const { faulty, simulation } = await playing();
    const replaced = replace(faulty, { silent: [call] });
    await faulty.pass(100);
    await faulty.dispose();
    expect(replaced.outcome).toEqual({ reason: expect.any(SimulationDisposedError) as unknown });
    expect([terminated(faulty), simulation.state]).toEqual([[true, true], 'disposed']);
  },
);

test('commands that wait are found by their names, and those that are gone reject', async () => {
  const { faulty, simulation, second } = await playing();
  const push = faulty.watch(simulation.commands.push(1, 1));
  const { commands } = simulation;
  const replaced = replace(faulty, { without: ['breakPose', 'push'] });
  expect(await faulty.settles(replaced)).toEqual(DONE);
  expect([terminated(faulty), second.outcome]).toEqual([[true, false], 'pending']);
  const message = expect.stringMatching(/does not have the command "push"/) as string;
  expect(push.outcome).toMatchObject({ reason: { name: 'RangeError', message } });
  expect(Object.keys(simulation.commands)).toContain('note');
  expect(Object.keys(simulation.commands)).not.toContain('push');
  const later = faulty.watch(commands.note('later'));
  const gone = faulty.watch(commands.push(1, 1));
  await step(faulty);
  expect(outcomes(second, later)).toEqual([{ value: 'second' }, { value: 'later' }]);
  expect(gone.outcome).toMatchObject({ reason: { name: 'RangeError' } });
});

test('a query that is still running when its worker is replaced rejects', async () => {
  const { faulty } = await connectFaulty('local');
  const asked = faulty.watch(faulty.simulation.queries.never());
  const replaced = replace(faulty);
  expect(await faulty.settles(replaced)).toEqual(DONE);
  const reason = new Error('the worker was replaced before it answered');
  expect(asked.outcome).toEqual({ reason });
});

test('a stalled worker is given up at once when it is replaced', async () => {
  const { faulty, simulation, time } = await connectFaulty('transfer', { startPaused: true });
  faulty.hangInTick();
  const noted = faulty.watch(simulation.commands.note('first'));
  const stepping = faulty.watch(simulation.step());
  await faulty.pass(STALL_MS);
  expect(simulation.state).toBe('stalled');
  const replaced = replace(faulty);
  expect(await faulty.settles(replaced)).toEqual(DONE);
  expect(faulty.kinds).toEqual(['stalled', 'restarting', 'restarted']);
  expect(stepping.outcome).toMatchObject({ reason: { stage: 'hang' } });
  await step(faulty);
  expect(noted.outcome).toEqual({ value: 'first' });
  expect(faulty.recorded).toEqual(['first']);
  expect(await time.until(simulation.queries.notes())).toEqual(['first']);
  // The stall has no other effect on recovery.
  faulty.worker.die();
  await faulty.pass(100);
  expect(simulation.state).toBe('failed');
});

test('replacing a worker is refused if the run is not recorded, and while a recording is shown', async () => {
  const other = await connectInVirtualTime({ recording: false });
  await expect(other.simulation.replaceWorker()).rejects.toThrow('the run is not recorded');
  const { time, simulation } = await connectInVirtualTime({ startPaused: true });
  await time.until(simulation.step(3));
  await time.until(simulation.openReplay(simulation.recording()));
  await expect(time.until(simulation.replaceWorker())).rejects.toThrow(
    /a recording is shown: .*replay\.close\(\)/,
  );
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
  const { time, simulation } = await connectLocally(() => runLocally(withTags('old', 'gone')));
  const statuses = statusesOf(simulation);
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
  // The next worker answers as the first.
  await time.until(simulation.seek(0));
  await shown();
  expect(statuses).toMatchObject([{ kind: 'replaced' }, { kind: 'jumped' }]);
});

const HASH_EVERY = 20;
const HASHED = { tickRateHz: 240, recording: { hashEveryTicks: HASH_EVERY } } as const;

async function connected() {
  const { faulty, time, simulation } = await connectFaulty('local', HASHED);
  /** Sends inputs, a little time apart. */
  const play = async (from: number, end: number): Promise<void> => {
    for (let code = from; code < end; code++) {
      expect(simulation.inputs.push(inputOf(code, 0.01), time.nowMs)).toBe(true);
      await time.pass(2);
    }
  };
  return { faulty, time, simulation, play };
}

test('a script with another state starts over if asked to, with what is on its way, and is recorded', async () => {
  const { faulty, time, simulation, play } = await connected();
  await play(100, 130);
  await time.advance(100);
  await time.until(simulation.pause());
  await play(0, 5);
  const other = faulty.creating({ restoreError: 'no sum' });
  await time.until(simulation.replaceWorker(other, { whenStateDiffers: 'reset' }));
  expect(faulty.statuses).toEqual([
    { kind: 'replaced', tick: 0, replayedTicks: 0, restoreError: new Error('no sum') },
  ]);
  expect(simulation.state).toBe('paused');
  expect(await time.until(simulation.step(1))).toBe(1);
  await time.until(simulation.resume());
  await play(5, 25);
  // Every input is in the recording, once and in order, and it leads to the same hashes.
  await time.until(simulation.pause());
  await time.until(simulation.step(HASH_EVERY));
  const recording = simulation.recording();
  const codes = recording.entries.flatMap((entry) =>
    entry.kind === 'input' ? [entry.input.code] : [],
  );
  expect(codes).toEqual(Array.from({ length: 25 }, (_, code) => code));
  const report = await replayed(recording);
  expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
  expect(report.hashes).toBeGreaterThan(0);
  expect(recording.start).toBeUndefined();
});

test('a script that can restore the state does so, though it might start over', async () => {
  const { faulty, time, simulation } = await connected();
  await time.advance(100);
  await time.until(simulation.replaceWorker(faulty.creating(), { whenStateDiffers: 'reset' }));
  expect(faulty.statuses).toMatchObject([{ kind: 'replaced', restoreError: undefined }]);
  expect(simulation.stats().tick).toBeGreaterThan(20);
  await expect(
    simulation.replaceWorker(undefined, { whenStateDiffers: 'resett' as 'reset' }),
  ).rejects.toThrow('whenStateDiffers must be one of reject, reset');
});
