/** Assets: sent once, found by every command that names them, and part of recordings. */
import { expect, test } from 'vitest';
import {
  assetName,
  decodeRecording,
  encodeRecording,
  type AssetName,
} from '../../../src/shared/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { runTicks } from '../../../src/sim-worker/testing/index.js';
import type { ConnectOptions } from '../../../src/render-main/index.js';
import { connectToyForTest, type ToyHandle } from '../../fixtures/threads.js';
import { expectReplays } from '../../fixtures/stepped-toy.js';
import { createToy, type ToyOptions } from '../../fixtures/toy-simulation.js';

const OPTIONS = {
  startPaused: true,
  recording: { hashEveryTicks: 1, rewindSeconds: 60, saveEverySeconds: 0.1 },
} as const;

const numbersOf = (length: number, factor = 7): Float32Array =>
  Float32Array.from({ length }, (_, index) => index / factor);

const totalOf = (numbers: Float32Array): number => numbers.reduce((sum, value) => sum + value, 0);

/** The toy's answer after it has pushed with these numbers. */
const answerFor = (numbers: Float32Array): string =>
  ` Float32Array ${numbers.length} ${totalOf(numbers)}`;

async function opened(options: ConnectOptions = OPTIONS, toy: ToyOptions = {}) {
  const simulation = await connectToyForTest(options, toy);
  return { simulation, assets: await simulation.openAssets() };
}

/** The answer of the toy, which pushes in the next tick with the numbers of an asset. */
async function pushed(simulation: ToyHandle, name: AssetName, ticks = 1): Promise<string> {
  const pushing = simulation.commands.pushAsset(name);
  const [answer] = await Promise.all([pushing, simulation.step(ticks)]);
  return answer;
}

test('an asset is found by the commands after it, as it was when it was added', async () => {
  const { simulation, assets } = await opened();
  expect(await simulation.openAssets()).toBe(assets);
  // More than the queue of inputs holds.
  const numbers = numbersOf(100_000);
  const expected = answerFor(numbers);
  const name = assets.add(numbers);
  expect(name).toBe(assetName(numbers));
  // The second call finds the asset as it was, although the first has cleared its own copy.
  const answers = [simulation.commands.pushAsset(name), simulation.commands.pushAsset(name)];
  numbers.fill(0);
  await simulation.step();
  expect(await Promise.all(answers)).toEqual([expected, expected]);
  expect(assets.add(numbers)).not.toBe(name);
});

test('an asset is found by a query in the same turn, and can be in memory that threads share', async () => {
  const { simulation, assets } = await opened();
  const numbers = new Float32Array(new SharedArrayBuffer(12));
  numbers.set([1, 2, 3]);
  const name = assets.add(numbers);
  expect(await simulation.queries.assetBytes(name)).toBe(12);
  expect(await pushed(simulation, name)).toBe(answerFor(numbers));
});

test('a command that names an asset which was not added is refused at the call', async () => {
  const { simulation, assets } = await opened();
  const name = assetName(numbersOf(3));
  const missing = `the command "pushAsset" names "${name}", and there is no such asset`;
  await expect(simulation.commands.pushAsset(name)).rejects.toThrow(missing);
  expect(() => assets.add([1, 2] as never)).toThrow('contents must be a typed array');
  const wrong = pushed(simulation, 'asset:none');
  await expect(wrong).rejects.toThrow('there is no asset "asset:none"');
});

test('assets are there without a recording', async () => {
  const { simulation, assets } = await opened({ startPaused: true, recording: false });
  const numbers = numbersOf(5);
  for (let time = 0; time < 2; time++) {
    expect(await pushed(simulation, assets.add(numbers))).toBe(answerFor(numbers));
  }
});

test('a recording has the assets that its commands name, and replays with them', async () => {
  const { simulation, assets } = await opened();
  const [first, second] = [numbersOf(30), numbersOf(500, 3)];
  assets.add(numbersOf(9));
  await simulation.step(2);
  expect(await pushed(simulation, assets.add(first), 5)).toBe(answerFor(first));
  const { recordingBytes } = simulation.stats();
  expect(await pushed(simulation, assets.add(second), 13)).toBe(answerFor(second));
  expect(simulation.stats().recordingBytes - recordingBytes).toBeGreaterThan(2000);
  const recording = simulation.recording();
  expect(recording.assets?.map(({ name }) => name)).toEqual([assetName(first), assetName(second)]);
  await expectReplays(simulation.recording());

  // Another page has none of them.
  const other = await connectToyForTest(OPTIONS);
  const shown = await other.openReplay(decodeRecording(encodeRecording(recording)));
  expect(other.recording().assets).toEqual(recording.assets);
  for (const tick of [20, 3, 9]) {
    expect(await shown.seek(tick)).toMatchObject({ tick, differsAt: undefined });
  }
  await shown.close();
  expect(await pushed(other, assetName(second), 2)).toBe(answerFor(second));
  await expectReplays(other.recording());

  // Back over both, and again.
  expect(await simulation.seek(1)).toMatchObject({ tick: 1 });
  expect(await pushed(simulation, assetName(first))).toBe(answerFor(first));
  await expectReplays(simulation.recording());
});

test('a recording that begins at a state has all assets: the state may need any', async () => {
  const { simulation, assets } = await opened();
  await pushed(simulation, assets.add(numbersOf(4)), 3);
  const unnamed = assets.add(numbersOf(6));
  const state = await simulation.save();
  await simulation.restore(state);
  await simulation.step(3);
  const recording = simulation.recording();
  expect(recording.start?.tick).toBe(3);
  expect(recording.assets?.map(({ name }) => name)).toEqual([assetName(numbersOf(4)), unnamed]);
  await expectReplays(simulation.recording());
});

test.each([
  ['is saved', {}],
  ['runs again', { cannotSave: true }],
] satisfies [string, ToyOptions][])(
  'the next worker of a simulation that %s has its assets before it takes over',
  async (_, options) => {
    const { simulation, assets } = await opened(OPTIONS, options);
    const [first, second] = [numbersOf(30), numbersOf(40)];
    expect(await pushed(simulation, assets.add(first), 3)).toBe(answerFor(first));
    const replacing = simulation.replaceWorker(() => runLocally(createToy(options)));
    const during = simulation.commands.pushAsset(assets.add(second));
    await replacing;
    const after = [simulation.commands.pushAsset(assets.add(first)), during];
    await simulation.step(2);
    expect(await Promise.all(after)).toEqual([answerFor(first), answerFor(second)]);
    await expectReplays(simulation.recording());
  },
);

test('a run of betwixt/testing has assets, and its recording is the same', async () => {
  const numbers = numbersOf(30);
  const { simulation, assets } = await opened();
  await simulation.step(2);
  const value = await pushed(simulation, assets.add(numbers), 2);
  const run = await runTicks(createToy(), {
    ticks: 4,
    capacity: 64,
    hashEveryTicks: 1,
    assets: [numbers],
    commands: [{ tick: 3, name: 'pushAsset', args: [assetName(numbers)] }],
  });
  expect(run.answers).toMatchObject([{ tick: 3, value, error: undefined }]);
  expect(run.recording.assets).toEqual(simulation.recording().assets);
  expect([...run.hashes]).toEqual(
    simulation
      .recording()
      .entries.flatMap((entry) => (entry.kind === 'hash' ? [[entry.tick, entry.hash]] : [])),
  );
  await expect(
    runTicks(createToy(), {
      ticks: 4,
      commands: [{ tick: 3, name: 'pushAsset', args: [assetName(numbers)] }],
    }),
  ).rejects.toThrow(`the command "pushAsset" names "${assetName(numbers)}"`);
});
