/** Every transport does the same in a real browser: same runs, same calls, same drawing. */
import type { RecordingEntry } from '../../src/shared/recording/recording.js';
import type { Transport } from '../../src/shared/protocol/transport.js';
import { decodeRecording } from '../../src/shared/index.js';
import { replay } from '../../src/sim-worker/index.js';
import type { TestPage } from '../browsers/test-page.js';
import { recordToy } from '../fixtures/toy-recording.js';
import { createToy } from '../fixtures/toy-simulation.js';
import { expect, test } from './library-page.js';
import { RECOVERING, expectNothingLost, startRun, tickOf, ticksFrom } from './run-page.js';

const TICKS = 60;
const SETTLED_FRAMES = 30;
/**
 * The places of two states and the one between them are rounded to float32: each by 2^-25 of it at
 * most.
 */
const DRAWN_SHARE = 2 ** -22;

// Tests with steps: half of the time of each would be the loading of the page.
test('transports: the same hashes, calls, order and drawing with shared memory, with messages and on the page', async ({
  page,
}) => {
  for (const transport of ['shared', 'transfer', 'local'] as const) {
    await test.step(transport, () => expectTheSame(page, transport));
  }
});

test('transport auto chooses the best and logs nothing, and logs on the console why memory is not shared', async ({
  page,
}) => {
  expect(await choose(page)).toMatchObject({ kind: 'shared', counted: 'shared' });
  expect(await said(page)).toEqual([]);
  // What WebKitGTK does.
  await page.evaluate(() => Reflect.deleteProperty(globalThis, 'SharedArrayBuffer'));
  const hidden = await choose(page);
  expect(hidden).toMatchObject({ kind: 'transfer', counted: 'transfer' });
  expect(hidden.reason).toContain('is cross-origin isolated, but');
  expect(await said(page)).toHaveLength(1);
});

test.describe('on a page without the headers', () => {
  test.use({ missingHeader: 'cross-origin-opener-policy' });
  test('transport auto on a page without the headers: uses messages, logs so once, and does the same', async ({
    page,
  }) => {
    const sent = await choose(page);
    expect(sent).toMatchObject({ kind: 'transfer', counted: 'transfer' });
    expect(sent.reason).toContain('not cross-origin isolated');
    expect(await choose(page)).toEqual(sent);
    expect(await said(page)).toEqual([expect.stringContaining(`'transfer'. ${sent.reason}`)]);
    await expectTheSame(page, 'auto');
  });
});

/** What `auto` chooses on this page. */
const choose = (page: TestPage) =>
  page.evaluate(async () => {
    const run = await library.startRun({ transport: 'auto' });
    const { transport } = run;
    const counted = run.stats().transport;
    await run.dispose();
    return { ...transport, counted };
  });

const said = (page: TestPage) => page.evaluate(() => library.said);

async function expectTheSame(page: TestPage, transport: Transport | 'auto'): Promise<void> {
  await test.step('steps have the hashes of Node; calls answer and reject', () =>
    expectSameSteps(page, transport));
  await test.step('inputs and events arrive once and in order while it runs', () =>
    expectSameOrder(page, transport));
  await test.step('frames on schedule show their moment', () => expectSameDrawing(page, transport));
}

async function expectSameSteps(page: TestPage, transport: Transport | 'auto'): Promise<void> {
  const expected = await recordToy(TICKS);
  const answer = await page.evaluate(playBySteps, { transport, ticks: TICKS });
  const { entries } = decodeRecording(Uint8Array.from(answer.file));
  expect(tickInputsOf(entries)).toEqual(tickInputsOf(expected.entries));
  if (transport !== 'auto') {
    expect(answer.chosen).toEqual({ kind: transport, reason: 'It was requested.' });
  }
  const ticks = Array.from({ length: TICKS }, (_, index) => index + 1);
  expect(answer).toMatchObject({ stepped: ticks, reported: ticks, echoes: ticks });
  expect(answer.ranTo).toBeGreaterThan(TICKS + 10);
  expect(answer.stoodAt).toEqual([answer.ranTo, 'paused']);
  expect(answer.errors).toMatchObject([
    { message: expect.stringContaining('pause') },
    { name: 'RangeError', message: 'no luck' },
    { name: 'RangeError', message: 'there is no point 99' },
    { name: 'SimulationDisposedError' },
  ]);
}

/** The inputs of ticks and their results. */
function tickInputsOf(entries: readonly RecordingEntry[]): string[] {
  const tickInputs = entries.flatMap((entry) => {
    if (entry.kind === 'hash') return [`${entry.tick} is ${entry.hash}`];
    if (entry.kind === 'command') return [`${entry.tick} ${entry.name} ${entry.args}`];
    return entry.kind === 'input' ? [`${entry.tick} ${entry.input.code} ${entry.input.x}`] : [];
  });
  return tickInputs.toSorted();
}

async function expectSameOrder(page: TestPage, transport: Transport | 'auto'): Promise<void> {
  const answer = await page.evaluate(playLive, { transport });
  const { pushed, tick } = answer;
  const codes = Array.from({ length: pushed }, (_, code) => code);
  expect(answer.given).toEqual(codes);
  expect(answer.echoes).toEqual(codes);
  const tens = Array.from({ length: Math.floor(tick / 10) }, (_, index) => 10 * (index + 1));
  expect(answer.now).toEqual(tens);
  // The display is behind: the last ticks are not shown yet.
  expect(answer.shown).toEqual(tens.slice(0, answer.shown.length));
  expect(answer.counts).toEqual({ inputs: pushed, refusedInputs: 0, lostEvents: 0 });
  const recording = decodeRecording(Uint8Array.from(answer.file));
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ tick, differsAt: undefined });
  expect(report.hashes).toBeGreaterThan(3);
}

async function expectSameDrawing(page: TestPage, transport: Transport | 'auto'): Promise<void> {
  const flight = await page.evaluate(
    ([given, frames]) => library.measureFlight({ transport: given }, frames),
    [transport, SETTLED_FRAMES] as const,
  );
  // Against the frames' timestamps, which are as coarse as the clock: so no looser where that is
  // coarse.
  const found = JSON.stringify(flight);
  expect(flight.countedMs, found).toBeLessThan(1e-6);
  expect(flight.drawnMs, found).toBeLessThan(flight.shownMs * DRAWN_SHARE);
  // The measure can fail: states as they are, 20 ms apart, do not fit the frames of any display.
  expect(flight.withoutMs).toBeGreaterThan(1);
  if (transport === 'transfer' || transport === 'auto') {
    // Two readings of a coarse clock may be equal; the bound says what that hides.
    expect(flight.clock.method).toBe('message');
    expect(flight.clock.uncertaintyMs).toBeGreaterThan(0);
  }
}

test.describe('errors of the simulation', () => {
  // The worker logs them; Firefox's driver does not give their text.
  test.use({ expectedConsole: /no luck|the simulation threw in [^:]+: JSHandle/ });

  test('transport transfer: a step that throws is followed by another worker, and nothing is lost', async ({
    page,
  }) => {
    await startRun(page, { ...RECOVERING, transport: 'transfer' });
    const pending = await page.evaluate(() => {
      const never = run.simulation.queries.never().catch((error: Error) => error.name);
      void run.simulation.queries.failInNextTick('no luck').catch(() => {});
      return never;
    });
    expect(pending).toBe('WorkerFailedError');
    await page.waitForFunction(() => run.kinds().includes('restarted'));
    await ticksFrom(page, await tickOf(page));
    expect(await page.evaluate(() => run.kinds())).toEqual(['restarting', 'restarted']);
    expect(await page.evaluate(() => run.simulation.transport.kind)).toBe('transfer');
    await expectNothingLost(page);
  });
});

interface Given {
  readonly transport: Transport | 'auto';
}

/** The script of `recordToy`, tick by tick, and then some calls. Runs in the page. */
async function playBySteps({ transport, ticks }: Given & { readonly ticks: number }) {
  const run = await library.startRun({
    transport,
    startPaused: true,
    tickRateHz: 64,
    seed: 5,
    capacity: 64,
    recording: { hashEveryTicks: 10 },
  });
  const still = { kind: 'custom', device: 0, y: 0, z: 0, w: 0 } as const;
  const stepped: number[] = [];
  const reported: number[] = [];
  const pushes: Promise<unknown>[] = [];
  const echoes: Promise<unknown>[] = [];
  for (let tick = 1; tick <= ticks; tick++) {
    if (tick % 3 === 0) {
      run.inputs.push({ ...still, code: tick, x: (tick % 5) / 10 - 0.2 }, performance.now());
    }
    if (tick % 8 === 0) pushes.push(run.commands.push(tick % 16, 0.25));
    echoes.push(run.queries.echo(tick));
    stepped.push(await run.step(1));
    reported.push(run.stats().tick);
  }
  await Promise.all(pushes);
  const file = [...library.encodeRecording(run.recording())];

  const { describeError } = library;
  await run.resume();
  const whileRunning = await run.step(1).then(String, describeError);
  while (run.stats().tick <= ticks + 10) await library.nextFrame();
  const failed = await run.queries.fail('no luck').then(String, describeError);
  const refused = await run.commands.push(99, 1).then(String, describeError);
  await run.pause();
  const ranTo = run.stats().tick;
  for (let frame = 0; frame < 5; frame++) await library.nextFrame();
  const stoodAt = [run.stats().tick, run.state];
  const never = run.queries.never().catch(describeError);
  await run.dispose();
  return {
    chosen: run.transport,
    file,
    stepped,
    reported,
    echoes: await Promise.all(echoes),
    ranTo,
    stoodAt,
    errors: [whileRunning, failed, refused, await never],
  };
}

/** Plays and draws for a while. Runs in the page. */
async function playLive({ transport }: Given) {
  const run = await library.startRun({
    transport,
    startPaused: true,
    tickRateHz: 240,
    capacity: 64,
    recording: { hashEveryTicks: 20 },
  });
  const now: number[] = [];
  const shown: number[] = [];
  run.on('tenth', ({ value }) => now.push(value.tick), { when: 'now' });
  run.on('tenth', ({ value }) => shown.push(value.tick));
  const echoes: Promise<unknown>[] = [];
  const still = { kind: 'custom', device: 0, y: 0, z: 0, w: 0 } as const;
  let pushed = 0;
  await run.resume();
  while (pushed < 90 || run.stats().tick < 80 || shown.length < 5) {
    run.sample(await library.nextFrame());
    for (let count = 0; count < 4; count++) {
      echoes.push(run.queries.echo(pushed));
      run.inputs.push({ ...still, code: pushed, x: 0.01 }, performance.now());
      pushed += 1;
    }
  }
  await run.pause();
  // Takes inputs that no tick has taken.
  const tick = await run.step(2);
  for (let frame = 0; frame < 30_000 && now.length < Math.floor(tick / 10); frame++) {
    await library.nextFrame();
  }
  const given = (await run.queries.given()).flatMap(({ inputs }) => inputs.map(({ code }) => code));
  const { inputs, refusedInputs, lostEvents } = run.stats();
  const file = [...library.encodeRecording(run.recording())];
  await run.dispose();
  return {
    pushed,
    tick,
    now,
    shown,
    given,
    echoes: await Promise.all(echoes),
    counts: { inputs, refusedInputs, lostEvents },
    file,
  };
}
