/** Opens the page on which a run is played, and checks that nothing of it was lost. */
import { decodeRecording } from '../../src/shared/index.js';
import { replay } from '../../src/sim-worker/index.js';
import type { ConnectOptions } from '../../src/render-main/index.js';
import { expect, type TestPage } from '../browsers/test.js';
import { createToy } from '../fixtures/toy-simulation.js';
import { PATIENT } from './patient.js';
import type { RunPage } from './pages/run.js';

declare global {
  var run: RunPage;
}

export const RECOVERING = {
  recovery: { mode: 'restart', ...PATIENT.recovery },
  recording: { saveEverySeconds: 0.5, hashEveryTicks: 30 },
  // A player continues for as long as it takes until a worker that hangs is given up.
  queues: { inputWords: 2 ** 20 },
} as const satisfies ConnectOptions;

/** The page with a run that is being played. */
export async function startRun(page: TestPage, options: ConnectOptions): Promise<void> {
  await page.goto('/tests/browser/pages/run.html');
  await page.waitForFunction(() => 'run' in globalThis);
  // As text: the type checker would expand JSON's type endlessly.
  await page.evaluate((given) => run.start(JSON.parse(given) as object), JSON.stringify(options));
  await page.evaluate(() => run.play());
  await ticksFrom(page, 0);
}

/** Waits until this many more ticks have run. */
export async function ticksFrom(page: TestPage, tick: number, count = 40): Promise<void> {
  await page.waitForFunction((least) => run.simulation.stats().tick >= least, tick + count);
}

export const tickOf = (page: TestPage): Promise<number> =>
  page.evaluate(() => run.simulation.stats().tick);

/**
 * Every input that was pushed is in the recording, once and in order, and the recording leads to
 * where the run is.
 */
export async function expectNothingLost(page: TestPage): Promise<void> {
  const { file, pushed, refused, codes } = await page.evaluate(() => run.finish());
  expect(refused).toBe(0);
  expect(pushed).toBeGreaterThan(20);
  expect(codes).toEqual(Array.from({ length: pushed }, (_, code) => code));
  const recording = decodeRecording(Uint8Array.from(file));
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
  expect(report.hashes).toBeGreaterThan(1);
}
