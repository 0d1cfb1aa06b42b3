/** Measures the offset between the worker's clock and the page's and sends it to the worker. */
import {
  type ClockOffset,
  clockResolutionMs,
  RoundTrips,
  isAnsweringClockPings,
  measureClockOffset,
} from '../../shared/time/clock-sync.js';
import type { BufferViews } from '../../shared/memory/layout.js';
import type { Transport } from '../../shared/protocol/transport.js';
import type { ClockAlignment } from '../api/simulation-statistics.js';
import type { ControlClient } from './control-client.js';

/** Most measurements: each takes a busy machine some ten milliseconds. */
const ATTEMPTS = 5;
/** Round trips by message; the shortest is used. */
const MESSAGES = 12;
/** Uncertainty that needs no other measurement, in ms: a tenth of the usual lateness of a wake-up. */
export const FINE_MS = 0.02;
/** How long the page may spin while the worker wakes up, in ms: less than a frame at 240 Hz. */
const SPIN_LIMIT_MS = 3;

/** How long it repeats such spins, in ms; after that the worker is busy and may never answer. */
const SPIN_PATIENCE_MS = 100;
/** Interval of its checks from then on, in ms: well within the time for which the worker answers. */
const REST_MS = 10;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const now = (): number => performance.now();

const UNKNOWN: ClockOffset = { offsetMs: 0, uncertaintyMs: Number.POSITIVE_INFINITY };

/**
 * Measures the offset in the way that the transport allows, and sends it to the worker.
 *
 * @param attempts Most measurements, where the worker answers pings.
 */
export async function alignClock(
  transport: Transport,
  client: ControlClient,
  views: BufferViews,
  attempts = ATTEMPTS,
): Promise<ClockAlignment> {
  if (transport === 'local') return { offsetMs: 0, uncertaintyMs: 0, method: 'same' };
  const aligned = await (transport === 'shared'
    ? byPings(client, views, attempts)
    : byMessages(client));
  await client.call((remote) => remote.setClockOffset(aligned.offsetMs));
  return aligned;
}

const workerResolutionMs = (client: ControlClient): Promise<number> =>
  client.call((remote) => remote.clockResolutionMs());

async function byMessages(client: ControlClient): Promise<ClockAlignment> {
  const offset = await measureByMessages(now, {
    clockMs: () => client.call((remote) => remote.clockMs()),
    clockResolutionMs: () => workerResolutionMs(client),
  });
  return { ...offset, method: 'message' };
}

/**
 * The shortest of several round trips has the smallest error.
 *
 * On coarse clocks a round trip may take no time at all. Each reading is off by up to the resolution, in either direction,
 * since some browsers randomly round up or down. So the resolution of each clock is added to the bound.
 */
export async function measureByMessages(
  pageNow: () => number,
  worker: Readonly<Record<'clockMs' | 'clockResolutionMs', () => Promise<number>>>,
): Promise<ClockOffset> {
  const trips = new RoundTrips();
  for (let message = 0; message < MESSAGES; message++) {
    const startMs = pageNow();
    const answerMs = await worker.clockMs();
    trips.note(startMs, answerMs, pageNow());
  }
  const resolutionsMs = clockResolutionMs(pageNow) + (await worker.clockResolutionMs());
  const { offsetMs, uncertaintyMs } = trips.best ?? UNKNOWN;
  return { offsetMs, uncertaintyMs: uncertaintyMs + resolutionsMs };
}

/**
 * Measures the offset by pings. If no ping is answered (on a machine too busy to run both
 * threads at the same time), it falls back to the two threads' time origins.
 */
async function byPings(
  client: ControlClient,
  views: BufferViews,
  attempts: number,
): Promise<ClockAlignment> {
  let best: ClockOffset | undefined;
  // Only spin for a worker that answers: one that hangs may never do so.
  await client.call((remote) => remote.ready());
  for (let attempt = 0; attempt < attempts; attempt++) {
    const answering = client.call((remote) => remote.alignClock());
    const measured = await pingWhenAnswering(views, answering);
    if (measured === undefined) continue;
    if (best === undefined || measured.uncertaintyMs < best.uncertaintyMs) best = measured;
    if (best.uncertaintyMs <= FINE_MS) break;
  }
  if (best !== undefined) {
    // Nothing finer than the resolutions of the clocks can be measured: on an isolated page these are 5 to 20 µs.
    const resolutionsMs = clockResolutionMs(now) + (await workerResolutionMs(client));
    return { ...best, uncertaintyMs: best.uncertaintyMs + resolutionsMs, method: 'ping' };
  }
  const timeOrigin = await client.call((remote) => remote.timeOrigin());
  const offsetMs = performance.timeOrigin - timeOrigin;
  return { offsetMs, uncertaintyMs: Number.POSITIVE_INFINITY, method: 'origin' };
}

async function pingWhenAnswering(
  views: BufferViews,
  answering: Promise<void>,
): Promise<ClockOffset | undefined> {
  let hasEnded = false;
  const ended = answering.finally(() => {
    hasEnded = true;
  });
  // The await below reports it; without this the rejection would count as unhandled until then.
  ended.catch(() => {});
  let measured: ClockOffset | undefined;
  const patienceEndMs = now() + SPIN_PATIENCE_MS;
  while (!hasEnded && measured === undefined) {
    const isPatient = now() < patienceEndMs;
    const spinEndMs = now() + (isPatient ? SPIN_LIMIT_MS : 0);
    while (!isAnsweringClockPings(views) && now() < spinEndMs);
    if (isAnsweringClockPings(views)) measured = measureClockOffset(views, now);
    if (measured === undefined) await pause(isPatient ? 0 : REST_MS);
  }
  await ended;
  return measured;
}
