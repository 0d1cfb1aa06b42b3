/** `replaceWorker` in virtual time: the run continues in the next worker as if there were only one. */
import { expect, test } from 'vitest';
import type { SimulationStatus } from '../../../src/render-main/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import type { ToyHandle } from '../../fixtures/threads.js';
import { createToy, type ToyOptions } from '../../fixtures/toy-simulation.js';
import { connectInVirtualTime, type VirtualTime } from '../../fixtures/virtual-time.js';

const HASH_EVERY = 20;
const OPTIONS = { tickRateHz: 240, recording: { hashEveryTicks: HASH_EVERY } } as const;

const createWith = (options: ToyOptions) => () => runLocally(createToy(options));

async function connected(toy: ToyOptions = {}) {
  const { time, simulation } = await connectInVirtualTime(OPTIONS, toy);
  const statuses: SimulationStatus[] = [];
  simulation.on('status', (status) => statuses.push(status));
  return { time, simulation, statuses };
}

/** Sends an input, and lets a little time pass. */
async function playOne(time: VirtualTime, simulation: ToyHandle, code: number): Promise<void> {
  const input = { kind: 'custom', code, device: 0, x: 0.01, y: 0, z: 0, w: 0 } as const;
  expect(simulation.inputs.push(input, time.nowMs)).toBe(true);
  await time.pass(2);
}

/** Every input and command is in the recording, once and in order, and it leads to the same hashes. */
async function expectNothingLost(
  time: VirtualTime,
  simulation: ToyHandle,
  inputs: number,
  commands: number,
): Promise<void> {
  await time.until(simulation.pause());
  await time.until(simulation.step(HASH_EVERY));
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

test.each([
  ['saved', {}],
  ['run again', { cannotSave: true }],
] satisfies [string, ToyOptions][])(
  'a run that is %s continues in three more workers with every input, command and event',
  async (_, toy) => {
    const { time, simulation, statuses } = await connected(toy);
    const seen: number[] = [];
    simulation.on('tenth', ({ tick }) => seen.push(tick), { when: 'now' });
    const pushes: Promise<unknown>[] = [];
    let code = 0;
    for (let round = 0; round < 3; round++) {
      await time.advance(100);
      let isReplaced = false;
      const replacing = simulation.replaceWorker().finally(() => (isReplaced = true));
      while (!isReplaced) {
        pushes.push(simulation.commands.push(pushes.length % 16, pushes.length));
        await playOne(time, simulation, code++);
      }
      await replacing;
      expect(simulation.state).toBe('running');
    }
    await time.until(Promise.all(pushes));
    expect(pushes.length).toBeGreaterThan(3);
    expect(statuses.map(({ kind }) => kind)).toEqual(['replaced', 'replaced', 'replaced']);
    for (const status of statuses) {
      if (status.kind !== 'replaced') continue;
      expect(status.tick).toBeGreaterThan(0);
      expect(status.replayedTicks).toBe('cannotSave' in toy ? status.tick : 0);
    }
    await expectNothingLost(time, simulation, code, pushes.length);
    await time.advance(100);
    const last = Math.floor(simulation.stats().tick / 10);
    expect(seen).toEqual(Array.from({ length: last }, (__, place) => (place + 1) * 10));
  },
);

test('settings and pauses are those of the worker before, and seeking works as before', async () => {
  const { time, simulation } = await connected();
  await time.advance(200);
  const replacing = simulation.replaceWorker();
  await time.until(
    Promise.all([simulation.setTickRate(120), simulation.setTimeScale(0.5), replacing]),
  );
  expect(simulation.stats()).toMatchObject({ state: 'running', tickRateHz: 120, timeScale: 0.5 });
  await time.until(simulation.pause());
  await time.until(simulation.replaceWorker());
  expect(simulation.stats()).toMatchObject({ state: 'paused', tickRateHz: 120, timeScale: 0.5 });
  const { tick } = simulation.stats();
  expect(tick).toBeGreaterThan(20);
  expect(await time.until(simulation.seek(tick))).toMatchObject({ tick, differsAt: undefined });
  expect(await time.until(simulation.step(3))).toBe(tick + 3);
});

test.each<[string, ToyOptions, RegExp]>([
  ['is broken', { initError: 'no scene' }, /the simulation threw in init: no scene/],
  ['cannot be saved', { cannotSave: true }, /cannot be saved/],
  ['has another state', { restoreError: 'no sum' }, /no sum$/],
])('a script that %s rejects, and the worker before continues', async (_, toy, message) => {
  const { time, simulation, statuses } = await connected();
  await time.advance(100);
  const { tick } = simulation.stats();
  expect(await time.until(simulation.replaceWorker(createWith(toy)).catch(String))).toMatch(
    message,
  );
  await time.advance(100);
  expect(simulation.state).toBe('running');
  expect(simulation.stats().tick).toBeGreaterThan(tick + 20);
  expect(statuses).toEqual([]);
});

test('a script with another state starts over if asked to, with what is on its way, and is recorded', async () => {
  const { time, simulation, statuses } = await connected();
  for (let code = 100; code < 130; code++) await playOne(time, simulation, code);
  await time.advance(100);
  await time.until(simulation.pause());
  for (let code = 0; code < 5; code++) await playOne(time, simulation, code);
  const other = createWith({ restoreError: 'no sum' });
  await time.until(simulation.replaceWorker(other, { whenStateDiffers: 'reset' }));
  expect(statuses).toEqual([
    { kind: 'replaced', tick: 0, replayedTicks: 0, restoreError: new Error('no sum') },
  ]);
  expect(simulation.state).toBe('paused');
  expect(await time.until(simulation.step(1))).toBe(1);
  await time.until(simulation.resume());
  for (let code = 5; code < 25; code++) await playOne(time, simulation, code);
  await expectNothingLost(time, simulation, 25, 0);
  expect(simulation.recording().start).toBeUndefined();
});

test('a script that can restore the state does so, though it might start over', async () => {
  const { time, simulation, statuses } = await connected();
  await time.advance(100);
  await time.until(simulation.replaceWorker(createWith({}), { whenStateDiffers: 'reset' }));
  expect(statuses).toMatchObject([{ kind: 'replaced', restoreError: undefined }]);
  expect(simulation.stats().tick).toBeGreaterThan(20);
  await expect(
    simulation.replaceWorker(undefined, { whenStateDiffers: 'resett' as 'reset' }),
  ).rejects.toThrow('whenStateDiffers must be one of reject, reset');
});
