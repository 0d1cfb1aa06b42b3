/** Every transport does the same in a real browser: nothing of a run is lost, and the same is drawn. */
import { expect, test } from './library-page.js';
import { expectNothingLost, playRun } from './run-page.js';

const SETTLED_FRAMES = 10;
/** The values of two states and the one between them are rounded to float32: each by 2^-25 of it at most. */
const DRAWN_SHARE = 2 ** -22;

for (const transport of ['shared', 'transfer', 'local'] as const) {
  test(`the transport ${transport} loses nothing of a run, and its frames show their moment`, async ({
    page,
  }) => {
    await page.evaluate(
      (given) => library.start({ transport: given, recording: { hashEveryTicks: 10 } }),
      transport,
    );
    await playRun(page);
    const answers = await page.evaluate(async () => {
      const { commands, queries, transport: chosen } = library.simulation;
      await commands.push(0, 0.25);
      return [chosen.kind, await queries.echo(7)];
    });
    expect(answers).toEqual([transport, 7]);
    await expectNothingLost(page);
    await page.evaluate(() => library.simulation.dispose());

    const frames = await page.evaluate(
      ([given, count]) => library.measureFrames({ transport: given }, count),
      [transport, SETTLED_FRAMES] as const,
    );
    // Against the frames' timestamps, which are as coarse as the clock: so no looser where that is
    // coarse.
    const found = JSON.stringify(frames);
    expect(frames.countedMs, found).toBeLessThan(1e-6);
    expect(frames.drawnMs, found).toBeLessThan(frames.shownMs * DRAWN_SHARE);
    // The measure can fail: states as they are, 20 ms apart, do not fit the frames of any display.
    expect(frames.withoutMs).toBeGreaterThan(1);
  });
}
