/** Simulations that any transport can carry: in a worker or in the page's own thread. */
import { connect, type ConnectOptions } from '../../../src/render-main/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { createToy, type Toy } from '../../fixtures/toy-simulation.js';
import { PATIENCE } from '../patient.js';
import { createFlyer, type Flyer } from './flyer.js';
import type { ToyHandle } from './library.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

/** A run of the other tests' toy. */
export function connectToy(options: ConnectOptions): Promise<ToyHandle> {
  return connect<Toy>(
    (transport) =>
      transport === 'local'
        ? runLocally(createToy())
        : new Worker(new URL('./toy.worker.ts', import.meta.url), { type: 'module' }),
    tuned(options, PATIENCE),
  );
}

const FLIGHT: ConnectOptions = {
  // Not the display's rate: drawn poses are between states.
  tickRateHz: 50,
  capacity: 8,
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
export async function measureFlight(options: ConnectOptions, wantedFrames: number) {
  const flight = await connect<Flyer>(
    (transport) =>
      transport === 'local'
        ? runLocally(createFlyer())
        : new Worker(new URL('./flyer.worker.ts', import.meta.url), { type: 'module' }),
    // Fixed, so that the delay settles.
    tuned({ ...FLIGHT, ...options }, { ...PATIENCE, marginMs: 30 }),
  );
  const body = await flight.queries.body();
  const pose = new Float64Array(7);
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
    const frame = flight.sample(stampMs);
    const stats = flight.stats();
    const now: Drawn = {
      stampMs,
      shownMs: 1000 * (frame.pose(body, pose)?.[0] ?? Number.NaN),
      laterShownMs: 1000 * (flight.latest.pose(body, pose)?.[0] ?? Number.NaN),
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
  const { clock } = flight.stats();
  const shownMs = before?.shownMs ?? Number.NaN;
  await flight.dispose();
  return { frames, ...worst, shownMs, clock };
}
