/** A run that is played on the library's page, and the check that nothing of it was lost. */
import type { ConnectOptions } from '../../src/render-main/index.js';
import { decodeRecording } from '../../src/shared/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { createToy } from '../fixtures/toy-simulation.js';
import { expect } from './library-page.js';
import type { TestPage } from '../browsers/test.js';
import type { Tunables } from '../../src/render-main/api/connect-options.js';

/** Starts a run that is played, and waits until it runs. */
export async function startRun(
  page: TestPage,
  options: ConnectOptions,
  tunables: Partial<Tunables> = {},
): Promise<void> {
  // As text: the type checker would expand JSON's type endlessly.
  await page.evaluate(
    (text) => library.start(...(JSON.parse(text) as [object, object])),
    JSON.stringify([options, tunables]),
  );
  await playRun(page);
}

/** Plays what was started, and waits until it runs. */
export const playRun = (page: TestPage): Promise<void> =>
  page.evaluate(() => {
    library.play();
    return library.moreTicks(20);
  });

/**
 * Every input that was pushed is in the recording, once and in order, and the recording leads to
 * where the run is.
 */
export async function expectNothingLost(page: TestPage): Promise<void> {
  const { file, pushed, codes } = await page.evaluate(() => library.finish());
  expect(pushed).toBeGreaterThan(20);
  expect(codes).toEqual(Array.from({ length: pushed }, (_, code) => code));
  const recording = decodeRecording(Uint8Array.from(file));
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
  expect(report.hashes).toBeGreaterThan(1);
}
