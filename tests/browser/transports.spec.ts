/** Every transport does the same in a real browser: the same runs and the same drawing. */
import { decodeRecording } from '../../src/shared/index.js';
import type { RecordingEntry } from '../../src/shared/recording/recording.js';
import type { Transport } from '../../src/shared/protocol/transport.js';
import { recordToy } from '../fixtures/toy-recording.js';
import { expect, test } from './library-page.js';

const TICKS = 60;
const SETTLED_FRAMES = 10;
/**
 * The places of two states and the one between them are rounded to float32: each by 2^-25 of it at
 * most.
 */
const DRAWN_SHARE = 2 ** -22;

for (const transport of ['shared', 'transfer', 'local'] as const) {
  test(`the transport ${transport} has the hashes of Node, and its frames show their moment`, async ({
    page,
  }) => {
    const expected = await recordToy(TICKS);
    const answer = await page.evaluate(playBySteps, { transport, ticks: TICKS });
    const { entries } = decodeRecording(Uint8Array.from(answer.file));
    expect(tickInputsOf(entries)).toEqual(tickInputsOf(expected.entries));
    const ticks = Array.from({ length: TICKS }, (_, index) => index + 1);
    expect(answer).toMatchObject({ kind: transport, stepped: ticks, echoes: ticks });

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
  });
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

/** The script of `recordToy`, tick by tick. Runs in the page. */
async function playBySteps({ transport, ticks }: { transport: Transport; ticks: number }) {
  await library.startOver({
    transport,
    startPaused: true,
    tickRateHz: 64,
    seed: 5,
    capacity: 64,
    recording: { hashEveryTicks: 10 },
  });
  const run = library.simulation;
  const still = { kind: 'custom', device: 0, y: 0, z: 0, w: 0 } as const;
  const stepped: number[] = [];
  const pushes: Promise<unknown>[] = [];
  const echoes: Promise<unknown>[] = [];
  for (let tick = 1; tick <= ticks; tick++) {
    if (tick % 3 === 0) {
      run.inputs.push({ ...still, code: tick, x: (tick % 5) / 10 - 0.2 }, performance.now());
    }
    if (tick % 8 === 0) pushes.push(run.commands.push(tick % 16, 0.25));
    echoes.push(run.queries.echo(tick));
    stepped.push(await run.step(1));
  }
  await Promise.all(pushes);
  const file = [...library.encodeRecording(run.recording())];
  const { kind } = run.transport;
  const answers = { kind, file, stepped, echoes: await Promise.all(echoes) };
  await run.dispose();
  return answers;
}
