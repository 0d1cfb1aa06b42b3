/** `repeatRun` in virtual time. */
import { expect, test } from 'vitest';
import { repeatRun, type SimulationStatus } from '../../../src/render-main/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { createToy, type ToyOptions } from '../../fixtures/toy-simulation.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

const OPTIONS = { tickRateHz: 240, capacity: 64, recording: { hashEveryTicks: 8 } } as const;
/** 24 ticks. */
const SECONDS = 0.1;

/** A simulation that has run for a while, with inputs and a command, and is paused. */
async function played(toy: ToyOptions = {}) {
  const { time, simulation } = await connectInVirtualTime(OPTIONS, toy);
  await time.advance(80);
  for (let code = 0; code < 40; code++) {
    const input = { kind: 'custom', code, device: 0, x: 0.01, y: 0, z: 0, w: 0 } as const;
    simulation.inputs.push(input, time.nowMs);
    await time.advance(4);
  }
  await time.until(simulation.commands.push(1, 0));
  await time.until(simulation.pause());
  const rounds: Extract<SimulationStatus, { kind: 'replayed' }>[] = [];
  simulation.on('status', (status) => {
    if (status.kind === 'replayed') rounds.push(status);
  });
  return { time, simulation, rounds };
}

test.each([
  ['saved', {}],
  ['only run again', { cannotSave: true }],
] satisfies [string, ToyOptions][])(
  'a run that can be %s repeats its newest ticks as they were, and continues after the last one',
  async (_, toy) => {
    const { time, simulation, rounds } = await played(toy);
    const { tick } = simulation.stats();
    const repetition = await time.until(repeatRun(simulation, { seconds: SECONDS }));
    expect([repetition.fromTick, repetition.untilTick]).toEqual([tick - 24, tick]);
    await time.pass(300);
    expect(repetition.rounds).toBeGreaterThan(1);
    await time.until(repetition.stop());
    await time.until(repetition.ended);
    for (const { report } of rounds) {
      expect(report).toMatchObject({ tick, differsAt: undefined });
      expect(report.hashes).toBeGreaterThan(0);
    }
    await time.advance(50);
    await time.until(simulation.pause());
    const recording = simulation.recording();
    expect(recording.start).toBeUndefined();
    expect(recording.lastTick).toBeGreaterThan(tick);
    expect(await replay(createToy(toy), recording)).toMatchObject({ differsAt: undefined });
  },
);

test.each([
  ['saved', {}],
  ['only run again', { cannotSave: true }],
] satisfies [string, ToyOptions][])(
  'a run that can be %s is repeated in another worker, and in the old one if the new one fails',
  async (_, toy) => {
    const { time, simulation } = await played(toy);
    const repetition = await time.until(repeatRun(simulation, { seconds: SECONDS }));
    const expectMoreRounds = async (): Promise<void> => {
      const { rounds } = repetition;
      await time.pass(300);
      expect(repetition.rounds).toBeGreaterThan(rounds + 1);
    };
    await expectMoreRounds();
    await time.until(repetition.replaceWorker());
    await expectMoreRounds();
    const broken = () => runLocally(createToy({ ...toy, initError: 'no scene' }));
    const failed = repetition.replaceWorker(broken).catch(String);
    expect(await time.until(failed)).toContain('no scene');
    await expectMoreRounds();
    await time.until(repetition.stop());
    expect(simulation.replay).toBeUndefined();
  },
);

test('a repetition says how it has ended, and there is one at a time', async () => {
  const { time, simulation } = await played();
  const repetition = await time.until(repeatRun(simulation, { seconds: SECONDS }));
  await expect(repeatRun(simulation)).rejects.toThrow('is repeated already');
  await time.until(repetition.stop());
  await expect(repetition.stop()).rejects.toThrow('nothing is repeated any more');
  const other = await time.until(repeatRun(simulation));
  expect(other.fromTick).toBe(0);
  const ended = other.ended.catch(String);
  await time.until(simulation.dispose());
  expect(await ended).toContain('the simulation was disposed');
});

test('a repetition of no seconds, or of a run without ticks, is refused', async () => {
  const { time, simulation } = await connectInVirtualTime({ ...OPTIONS, startPaused: true });
  await expect(repeatRun(simulation, { seconds: 0 })).rejects.toThrow(/^seconds must be/);
  await expect(repeatRun(simulation)).rejects.toThrow('there is nothing to repeat');
  await time.until(simulation.step(3));
  const repetition = await time.until(repeatRun(simulation));
  await time.until(repetition.stop());
});
