/** `repeatRun` in real threads. */
import { describe, expect, inject, test } from 'vitest';
import { fromNodeWorker, repeatRun, type SimulationStatus } from '../../src/render-main/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { runLocally } from '../../src/sim-worker/local.js';
import { eventually } from '../fixtures/eventually.js';
import { connectToyForTest, startThread, ticksPass, type ToyHandle } from '../fixtures/threads.js';
import { createToy, type ToyOptions } from '../fixtures/toy-simulation.js';

const OPTIONS = {
  tickRateHz: 240,
  capacity: 64,
  recording: { hashEveryTicks: 8 },
} as const;
/** 24 ticks. */
const SECONDS = 0.1;

const createWith = (options: ToyOptions) => () =>
  inject('transport') === 'local'
    ? runLocally(createToy(options))
    : fromNodeWorker(startThread('toy', options));

/** A simulation that has run for a while, with inputs and a command. */
async function played(toy: ToyOptions = {}): Promise<ToyHandle> {
  const simulation = await connectToyForTest(OPTIONS, toy);
  await ticksPass(simulation, 20);
  for (let code = 0; code < 40; code++) {
    const input = { kind: 'custom', code, device: 0, x: 0.01, y: 0, z: 0, w: 0 } as const;
    simulation.inputs.push(input, performance.now());
    await ticksPass(simulation, 1);
  }
  await simulation.commands.push(1, 0);
  await simulation.pause();
  return simulation;
}

/** The reports of the rounds that have ended. */
function roundsOf(simulation: ToyHandle): Extract<SimulationStatus, { kind: 'replayed' }>[] {
  const rounds: Extract<SimulationStatus, { kind: 'replayed' }>[] = [];
  simulation.on('status', (status) => {
    if (status.kind === 'replayed') rounds.push(status);
  });
  return rounds;
}

describe.each([
  ['saved', {}],
  ['only run again', { cannotSave: true }],
] as const)('a run that can be %s', (_, toy) => {
  test('repeats its newest ticks as they were, and continues after the last one', async () => {
    const simulation = await played(toy);
    const { tick } = simulation.stats();
    const rounds = roundsOf(simulation);
    const repetition = await repeatRun(simulation, { seconds: SECONDS });
    expect([repetition.fromTick, repetition.untilTick]).toEqual([tick - 24, tick]);
    await eventually(() => expect(repetition.rounds).toBeGreaterThan(2));
    await repetition.stop();
    await repetition.ended;
    for (const { report } of rounds) {
      expect(report).toMatchObject({ tick, differsAt: undefined });
      expect(report.hashes).toBeGreaterThan(0);
    }
    await ticksPass(simulation, 10);
    await simulation.pause();
    const recording = simulation.recording();
    expect(recording.start).toBeUndefined();
    expect(recording.lastTick).toBeGreaterThan(tick);
    expect(await replay(createToy(toy), recording)).toMatchObject({ differsAt: undefined });
  });

  test('continues to repeat in another worker, and in the old one if the new one fails', async () => {
    const simulation = await played(toy);
    const repetition = await repeatRun(simulation, { seconds: SECONDS });
    await eventually(() => expect(repetition.rounds).toBeGreaterThan(0));
    await repetition.replaceWorker();
    const { rounds } = repetition;
    await eventually(() => expect(repetition.rounds).toBeGreaterThan(rounds + 1));
    await expect(
      repetition.replaceWorker(createWith({ ...toy, initError: 'no scene' })),
    ).rejects.toThrow('no scene');
    const before = repetition.rounds;
    await eventually(() => expect(repetition.rounds).toBeGreaterThan(before));
    await repetition.stop();
    expect(simulation.replay).toBeUndefined();
  });
});

test('it says how it has ended', async () => {
  const simulation = await played();
  const repetition = await repeatRun(simulation, { seconds: SECONDS });
  await expect(repeatRun(simulation)).rejects.toThrow('is repeated already');
  await repetition.stop();
  await expect(repetition.stop()).rejects.toThrow('nothing is repeated any more');
  const other = await repeatRun(simulation);
  expect(other.fromTick).toBe(0);
  await simulation.dispose();
  await expect(other.ended).rejects.toThrow('the simulation was disposed');
});

test('wrong options are refused, and a run without ticks', async () => {
  const simulation = await connectToyForTest({ ...OPTIONS, startPaused: true });
  await expect(repeatRun(simulation, { seconds: 0 })).rejects.toThrow(/^seconds must be/);
  await expect(repeatRun(simulation)).rejects.toThrow('there is nothing to repeat');
  await simulation.step(3);
  const repetition = await repeatRun(simulation);
  await repetition.stop();
});
