/** Control calls reach a sleeping worker, and a paused one runs no passes. */
import { expect, test } from './library-page.js';

test('a call reaches a worker that sleeps between two ticks', async ({ page }) => {
  const answer = await page.evaluate(async () => {
    await library.start('toy', { tickRateHz: 1 });
    const { simulation } = library;
    if (simulation === undefined) throw new Error('not started');
    // From now on the next tick is due after a hundred seconds.
    await simulation.setTimeScale(0.01);
    const { tick } = simulation.stats();
    for (let call = 0; call < 15; call++) await simulation.queries.echo(call);
    return simulation.stats().tick - tick;
  });
  // Without the doorbell each of them would have waited for one.
  expect(answer).toBeLessThanOrEqual(1);
});

test('a paused simulation: its loop runs no passes', async ({ page }) => {
  const { before, after } = await page.evaluate(async () => {
    await library.start('toy', { tickRateHz: 240 });
    await library.moreTicks(40);
    await library.simulation?.pause();
    const paused = library.simulation?.stats();
    for (let frame = 0; frame < 60; frame++) await library.nextFrame();
    return { before: paused, after: library.simulation?.stats() };
  });
  expect(after?.state).toBe('paused');
  expect(after?.iterations).toBe(before?.iterations);
  expect(after?.tick).toBe(before?.tick);
});

test('a paused simulation: steps run one by one, and resume continues', async ({ page }) => {
  const answers = await page.evaluate(async () => {
    await library.start('toy', { startPaused: true });
    const { simulation } = library;
    if (simulation === undefined) throw new Error('not started');
    const start = simulation.stats().tick;
    const first = await simulation.step();
    const third = await simulation.step(2);
    await simulation.resume();
    await library.moreTicks(1);
    return { start, first, third, later: simulation.stats().tick };
  });
  expect(answers).toMatchObject({ start: 0, first: 1, third: 3 });
  expect(answers.later).toBeGreaterThan(3);
});

test('a hidden page pauses, and comes back without a fast-forward', async ({ page }) => {
  const { hidden, still, after, passedMs } = await page.evaluate(async () => {
    await library.start('toy');
    const { simulation } = library;
    if (simulation === undefined) throw new Error('not started');
    const { moreTicks, nextFrame, reaches, setHidden } = library;
    await moreTicks(5);
    setHidden(true);
    await reaches('paused');
    // Answered after the pause that was requested before it.
    await simulation.queries.echo(0);
    const whenHidden = simulation.stats();
    const endMs = performance.now() + 1000;
    while (performance.now() < endMs) await nextFrame();
    const whenStill = simulation.stats();
    const backMs = performance.now();
    setHidden(false);
    await reaches('running');
    await moreTicks(5);
    const stats = simulation.stats();
    return {
      hidden: whenHidden,
      still: whenStill,
      after: stats,
      passedMs: performance.now() - backMs,
    };
  });
  expect(still.tick).toBe(hidden.tick);
  // The ticks run since then, and those a busy machine missed: no more than were due since. For the
  // hidden time it was 60 ticks.
  const owed = after.tick + after.droppedTicks - still.tick - still.droppedTicks;
  expect(owed).toBeLessThanOrEqual((passedMs * 60) / 1000 + 2);
});
