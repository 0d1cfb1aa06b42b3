/** The status `jumped`, with which a page keeps what it shows of the run up to date: scores, levels, lives. */
import { expect, test } from 'vitest';
import type { SimulationStatus } from '../../../src/render-main/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import type { Simulation, SimulationContext } from '../../../src/sim-worker/index.js';
import { connectLocally } from '../../fixtures/virtual-time.js';

/** Scores a point every ten ticks. */
function createGame() {
  let context: SimulationContext<{ score: number }>;
  let score = 0;
  const reset = (): void => void (score = 0);
  return {
    events: {} as { score: number },
    init: (given: SimulationContext<{ score: number }>) => void (context = given),
    reset,
    step(_dt: number, tick: number) {
      if (tick % 10 !== 0) return;
      score += 1;
      context.events.emit('score', score);
    },
    queries: { score: () => score, restart: () => context.restart() },
    save: () => Uint8Array.of(score),
    restore: ([saved = 0]: Uint8Array) => void (score = saved),
  } satisfies Simulation<Record<never, never>, { score: number }>;
}

async function played() {
  const create = () => runLocally(createGame());
  const options = { startPaused: true, timeScale: 10 };
  const { time, simulation } = await connectLocally<ReturnType<typeof createGame>>(create, options);
  const page = { score: 0, jumps: [] as number[] };
  simulation.on('score', ({ value }) => void (page.score = value));
  simulation.on('status', async (status: SimulationStatus) => {
    if (status.kind !== 'jumped') return;
    page.jumps.push(status.tick);
    page.score = await simulation.queries.score();
  });
  /** The score that the page shows, and the score of the shown state. */
  const shown = async (): Promise<readonly [number, number]> => {
    for (let frame = 0; frame < 60; frame++) {
      await time.advance(16);
      simulation.sample(time.nowMs);
    }
    return [page.score, await time.until(simulation.queries.score())];
  };
  return { time, simulation, page, shown };
}

test('a score that the page asks for after each jump is that of the shown state', async () => {
  const { time, simulation, page, shown } = await played();
  await time.until(simulation.step(25));
  expect(await shown()).toEqual([2, 2]);
  const saved = await time.until(simulation.save());
  await time.until(simulation.step(20));
  expect(await shown()).toEqual([4, 4]);
  expect(page.jumps).toEqual([]);

  await time.until(simulation.seek(15));
  expect(await shown()).toEqual([1, 1]);
  await time.until(simulation.restore(saved));
  expect(await shown()).toEqual([2, 2]);
  // The events of these ticks are not shown yet when the run jumps.
  await time.until(simulation.step(30));
  const replay = await time.until(simulation.openReplay(simulation.recording()));
  expect(await shown()).toEqual([2, 2]);
  await time.until(replay.seek(52));
  expect(await shown()).toEqual([5, 5]);
  await time.until(replay.close());
  expect(await shown()).toEqual([5, 5]);
  await time.until(simulation.queries.restart());
  expect(await shown()).toEqual([0, 0]);
  await time.until(simulation.step(15));
  expect(await shown()).toEqual([1, 1]);
  expect(page.jumps).toEqual([15, 25, 25, 52, 0]);
});

test('neither pauses, nor changes of the schedule, nor refused states are jumps', async () => {
  const { time, simulation, page, shown } = await played();
  await time.until(simulation.resume());
  await time.until(simulation.setTickRate(30));
  await time.until(simulation.setTimeScale(1));
  await time.until(simulation.pause());
  const { tick, bytes } = await time.until(simulation.save());
  for (const wrong of [
    { tick: tick + 1, bytes },
    { tick, bytes: bytes.with(bytes.length - 1, 7) },
  ]) {
    const refused = simulation.restore(wrong);
    refused.catch(() => {});
    await shown();
    await expect(refused).rejects.toThrow(/of tick|damaged/);
  }
  expect(page.jumps).toEqual([]);
});
