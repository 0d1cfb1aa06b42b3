/** `replaceWorker` in real threads: the run continues in the next worker as if there were only one. */
import { describe, expect, inject, test } from 'vitest';
import { replay } from '../../src/sim-worker/index.js';
import { runLocally } from '../../src/sim-worker/local.js';
import { fromNodeWorker, type SimulationStatus } from '../../src/render-main/index.js';
import { sleep } from '../fixtures/busy.js';
import { eventually } from '../fixtures/eventually.js';
import { GIVE_UP_MS, HeldToy } from '../fixtures/held-toy.js';
import { connectToyForTest, startThread, ticksPass, type ToyHandle } from '../fixtures/threads.js';
import { createToy, type ToyOptions } from '../fixtures/toy-simulation.js';

const OPTIONS = {
  tickRateHz: 240,
  capacity: 64,
  recording: { hashEveryTicks: 20 },
} as const;

const createWith = (options: ToyOptions) => () =>
  inject('transport') === 'local'
    ? runLocally(createToy(options))
    : fromNodeWorker(startThread('toy', options));

function statusesOf(simulation: ToyHandle): SimulationStatus[] {
  const statuses: SimulationStatus[] = [];
  simulation.on('status', (status) => {
    // How well it keeps up depends on this machine.
    if (!/gap|watchdog/.test(status.kind)) statuses.push(status);
  });
  return statuses;
}

/** Sends numbered inputs for a while, each of which changes the run. */
async function play(simulation: ToyHandle, from: number, count: number): Promise<void> {
  for (let code = from; code < from + count; code++) {
    const input = { kind: 'custom', code, device: 0, x: 0.01, y: 0, z: 0, w: 0 } as const;
    expect(simulation.inputs.push(input, performance.now())).toBe(true);
    await sleep(2);
  }
}

/** Every input and command is in the recording, once and in order, and it leads to the same hashes. */
async function expectNothingLost(simulation: ToyHandle, inputs: number, commands: number) {
  await simulation.pause();
  await simulation.step(OPTIONS.recording.hashEveryTicks);
  const recording = simulation.recording();
  const { entries } = recording;
  const codes = entries.flatMap((entry) => (entry.kind === 'input' ? [entry.input.code] : []));
  expect(codes).toEqual(Array.from({ length: inputs }, (_, code) => code));
  const pushes = entries.flatMap((entry) => (entry.kind === 'command' ? [entry.args] : []));
  expect(pushes).toEqual(
    Array.from({ length: commands }, (_, place) => `[${place % 16},${place}]`),
  );
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
  expect(report.hashes).toBeGreaterThan(0);
}

describe.each([
  ['saved', {}],
  ['run again', { cannotSave: true }],
] as const)('a run that is %s', (_, toy) => {
  test('continues in three more workers, with every input, command and event', async () => {
    const simulation = await connectToyForTest(OPTIONS, toy);
    const statuses = statusesOf(simulation);
    const seen: number[] = [];
    simulation.on('tenth', ({ tick }) => seen.push(tick), { when: 'now' });
    const pushes: Promise<unknown>[] = [];
    for (let round = 0; round < 3; round++) {
      await ticksPass(simulation, 25);
      const playing = play(simulation, round * 60, 60);
      const replacing = simulation.replaceWorker();
      let isReplaced = false;
      void replacing.finally(() => (isReplaced = true));
      while (!isReplaced) {
        pushes.push(simulation.commands.push(pushes.length % 16, pushes.length));
        await sleep(3);
      }
      await replacing;
      await playing;
      expect(simulation.state).toBe('running');
    }
    await Promise.all(pushes);
    expect(statuses.map(({ kind }) => kind)).toEqual(['replaced', 'replaced', 'replaced']);
    for (const status of statuses) {
      if (status.kind !== 'replaced') continue;
      expect(status.tick).toBeGreaterThan(0);
      expect(status.replayedTicks).toBe('cannotSave' in toy ? status.tick : 0);
    }
    await expectNothingLost(simulation, 180, pushes.length);
    await eventually(() => {
      const last = Math.floor(simulation.stats().tick / 10);
      expect(seen).toEqual(Array.from({ length: last }, (__, place) => (place + 1) * 10));
    });
  });
});

test('settings and pauses are those of the worker before, and seeking works as before', async () => {
  const simulation = await connectToyForTest(OPTIONS);
  await ticksPass(simulation, 40);
  const replacing = simulation.replaceWorker();
  await Promise.all([simulation.setTickRate(120), simulation.setTimeScale(0.5)]);
  await replacing;
  expect(simulation.stats()).toMatchObject({ state: 'running', tickRateHz: 120, timeScale: 0.5 });
  await simulation.pause();
  await simulation.replaceWorker();
  expect(simulation.stats()).toMatchObject({ state: 'paused', tickRateHz: 120, timeScale: 0.5 });
  const { tick } = simulation.stats();
  expect(await simulation.seek(tick)).toMatchObject({ tick, differsAt: undefined });
  expect(await simulation.step(3)).toBe(tick + 3);
});

test('a script that is broken rejects, and the worker before continues', async () => {
  const simulation = await connectToyForTest(OPTIONS);
  const statuses = statusesOf(simulation);
  await ticksPass(simulation);
  const { tick } = simulation.stats();
  await expect(simulation.replaceWorker(createWith({ initError: 'no scene' }))).rejects.toThrow(
    'the simulation threw in init: no scene',
  );
  await expect(simulation.replaceWorker(createWith({ cannotSave: true }))).rejects.toThrow(
    /cannot be saved/,
  );
  await ticksPass(simulation);
  expect(simulation.state).toBe('running');
  expect(simulation.stats().tick).toBeGreaterThan(tick);
  expect(statuses).toEqual([]);
});

describe('a script that has another state', () => {
  const OTHER = createWith({ restoreError: 'no sum' });

  test('rejects, and the worker before continues', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    const statuses = statusesOf(simulation);
    await ticksPass(simulation, 25);
    const { tick } = simulation.stats();
    await expect(simulation.replaceWorker(OTHER)).rejects.toThrow(/^no sum$/);
    await ticksPass(simulation);
    expect(simulation.stats().tick).toBeGreaterThan(tick);
    expect(statuses).toEqual([]);
  });

  test('starts over if it is asked to, with what is on its way, and is recorded from there', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    const statuses = statusesOf(simulation);
    await play(simulation, 100, 30);
    await ticksPass(simulation, 25);
    await simulation.pause();
    const waiting = play(simulation, 0, 5);
    await simulation.replaceWorker(OTHER, { whenStateDiffers: 'reset' });
    await waiting;
    expect(statuses).toEqual([
      { kind: 'replaced', tick: 0, replayedTicks: 0, restoreError: new Error('no sum') },
    ]);
    expect(simulation.state).toBe('paused');
    expect(await simulation.step(1)).toBe(1);
    await simulation.resume();
    await play(simulation, 5, 20);
    await expectNothingLost(simulation, 25, 0);
    // It is not asked to restore anything when it restarts.
    const { seed } = simulation.recording().run;
    expect(simulation.recording()).toMatchObject({ start: undefined, run: { seed } });
  });

  test('is a matter of the state: a script that can restore it does', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    const statuses = statusesOf(simulation);
    await ticksPass(simulation, 25);
    await simulation.replaceWorker(createWith({}), { whenStateDiffers: 'reset' });
    const [status] = statuses;
    expect(status).toMatchObject({ kind: 'replaced', restoreError: undefined });
    expect(status?.kind === 'replaced' && status.tick).toBeGreaterThan(0);
    await expect(
      simulation.replaceWorker(undefined, { whenStateDiffers: 'resett' as 'reset' }),
    ).rejects.toThrow('whenStateDiffers must be one of reject, reset');
  });
});

test.skipIf(inject('transport') === 'local')('a stalled worker is given up at once', async () => {
  const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none' });
  const { simulation } = toy;
  const statuses = statusesOf(simulation);
  await play(simulation, 0, 20);
  await toy.stall();
  toy.clock.pass(GIVE_UP_MS);
  const replacing = simulation.replaceWorker();
  await play(simulation, 20, 10);
  await replacing;
  expect(statuses.map(({ kind }) => kind)).toEqual(['stalled', 'restarting', 'restarted']);
  await expectNothingLost(simulation, 30, 0);
});
