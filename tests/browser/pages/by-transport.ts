/** Simulations that any transport can carry: in a worker or in the page's own thread. */
import { connect, type ConnectOptions } from '../../../src/render-main/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { createToy, type Toy } from '../../fixtures/toy-simulation.js';
import { PATIENCE } from '../patient.js';
import type { ToyHandle } from './library.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

/** A run of the other tests' toy. */
export function connectToy(options: ConnectOptions, tunables = {}): Promise<ToyHandle> {
  return connect<Toy>(
    (transport) => {
      if (transport === 'local') return runLocally(createToy());
      library.worker = new Worker(new URL('./toy.worker.ts', import.meta.url), { type: 'module' });
      return library.worker;
    },
    tuned(options, { ...PATIENCE, ...tunables }),
  );
}

/** Not the display's rate: what is drawn is between states. */
const TICK_RATE_HZ = 50;
const OPTIONS: ConnectOptions = {
  tickRateHz: TICK_RATE_HZ,
  // The first one is the tick.
  display: { values: 1 },
  // A busy machine is not the subject: nothing is dropped and nothing slows down.
  maxCatchUpTicks: 1000,
};
/**
 * After a gap the states before it are still drawn for a while; and if a late callback made drawn
 * time jump ahead, the next frame, whose timestamp may be before the callback, repeats it without
 * being starved. Both end when the timestamps are a delay further. In ms of them.
 */
const UNSETTLED_MS = 200;
/** Only ends what would wait forever. */
const MAX_FRAMES = 30_000;

/** The time of a state, whose first value is its tick. */
const msOf = ([tick = Number.NaN]: Iterable<number> = []): number => (1000 * tick) / TICK_RATE_HZ;

interface Drawn {
  readonly stampMs: number;
  readonly shownMs: number;
  readonly laterShownMs: number;
  readonly delayMs: number;
  readonly breaks: number;
}

/**
 * Draws until this many frames were *settled*, each and the one before it: on schedule, with a
 * state to show, and with the same delay.
 */
export async function measureFrames(options: ConnectOptions, wantedFrames: number) {
  // Fixed, so that the delay settles.
  const simulation = await connectToy({ ...OPTIONS, ...options }, { marginMs: 30 });
  const shown = new Float32Array(1);
  /**
   * The largest of settled frames, in ms: as counted, as drawn, and as drawn without interpolation.
   */
  const worst = { countedMs: 0, drawnMs: 0, withoutMs: 0 };
  let settled = 0;
  let frames = 0;
  let before: Drawn | undefined;
  let unsettledUntilMs = 0;
  while (settled < wantedFrames) {
    if (++frames > MAX_FRAMES) throw new Error(`only ${settled} of ${frames} frames settled`);
    const stampMs = await library.nextFrame();
    const frame = simulation.sample(stampMs);
    const stats = simulation.stats();
    const now: Drawn = {
      stampMs,
      shownMs: msOf(frame.writeValues(shown)),
      laterShownMs: msOf(frame.newestValues),
      delayMs: stats.delayMs,
      breaks: stats.gaps + stats.timelineResets + stats.starvedFrames,
    };
    if (now.breaks !== before?.breaks) unsettledUntilMs = stampMs + UNSETTLED_MS;
    if (
      before !== undefined &&
      // Until the first state is older than a period and the margin, the display waits for it.
      before.shownMs > 0 &&
      stampMs > unsettledUntilMs &&
      now.delayMs === before.delayMs
    ) {
      settled += 1;
      const displayMs = stampMs - before.stampMs;
      const note = (name: keyof typeof worst, errorMs: number): void => {
        worst[name] = Math.max(worst[name], Math.abs(errorMs));
      };
      note('countedMs', stats.lastAnimationErrorMs);
      note('drawnMs', now.shownMs - before.shownMs - displayMs);
      note('withoutMs', now.laterShownMs - before.laterShownMs - displayMs);
    }
    before = now;
  }
  const shownMs = before?.shownMs ?? Number.NaN;
  await simulation.dispose();
  return { frames, ...worst, shownMs };
}
