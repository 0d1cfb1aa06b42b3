/** The plan of a benchmark run, and how long is left. */
import type { BenchOptions, CaseKey, Subject } from './result.js';

export type PlannedWork = (
  | ({ readonly kind: 'case' } & CaseKey)
  | ({ readonly kind: 'headroom'; readonly tickRateHz: number } & Subject)
) & {
  /** How long it should take. */
  readonly plannedSeconds: number;
};

/** Loading an engine, building a scene, ending a worker. */
const CASE_OVERHEAD_SECONDS = 0.5;
/** Typical share of the budget that a settling tick takes: of a case, and near the limit. */
const CASE_SETTLING = 0.3;
const PROBE_SETTLING = 0.75;
/** Typical number of measurements of a search for headroom. */
const DEFAULT_PROBES = 13;

/**
 * All work in order. One runtime after another, because a browser is slow to start; small counts
 * first, so that a cancelled run has the ones that are likely to fit.
 */
export function planWork(options: BenchOptions): PlannedWork[] {
  const { runtimes, scenes, engines, tickRatesHz, searchesHeadroom } = options;
  const oneSeconds = options.warmUpSeconds + options.seconds + CASE_OVERHEAD_SECONDS;
  const bodies = options.bodies.toSorted((a, b) => a - b);
  return runtimes.flatMap((runtime) =>
    scenes.flatMap((scene) =>
      engines.flatMap((engine) =>
        tickRatesHz.flatMap((tickRateHz) => {
          const settleSeconds = options.settleTicks / tickRateHz;
          const plannedSeconds = (oneSeconds + CASE_SETTLING * settleSeconds) * options.repeats;
          const work: PlannedWork[] = bodies.map((count) => {
            return {
              kind: 'case',
              scene,
              engine,
              runtime,
              bodies: count,
              tickRateHz,
              plannedSeconds,
            };
          });
          if (searchesHeadroom) {
            const subject = { scene, engine, runtime, tickRateHz };
            const probeSeconds =
              probeLengthSeconds(options) + CASE_OVERHEAD_SECONDS + PROBE_SETTLING * settleSeconds;
            work.push({
              kind: 'headroom',
              ...subject,
              plannedSeconds: probeSeconds * DEFAULT_PROBES,
            });
          }
          return work;
        }),
      ),
    ),
  );
}

/** The seconds that a search spends on each count: it measures a dozen of them. */
export function probeLengthOf({
  seconds,
  warmUpSeconds,
  isQuick,
}: Pick<BenchOptions, 'seconds' | 'warmUpSeconds' | 'isQuick'>) {
  return {
    seconds: Math.min(seconds, isQuick ? 0.7 : 2),
    warmUpSeconds: Math.min(warmUpSeconds, isQuick ? 0.3 : 1),
  };
}

function probeLengthSeconds(options: BenchOptions): number {
  const { seconds, warmUpSeconds } = probeLengthOf(options);
  return seconds + warmUpSeconds;
}

/**
 * How long is left, from the time that finished work took compared with its plan.
 *
 * @param tookSeconds Of the first items of the plan, in order.
 */
export function secondsLeft(plan: readonly PlannedWork[], tookSeconds: readonly number[]): number {
  const planned = (work: readonly PlannedWork[]): number =>
    work.reduce((sum, { plannedSeconds }) => sum + plannedSeconds, 0);
  const donePlannedSeconds = planned(plan.slice(0, tookSeconds.length));
  const doneSeconds = tookSeconds.reduce((sum, seconds) => sum + seconds, 0);
  const pace = donePlannedSeconds > 0 ? doneSeconds / donePlannedSeconds : 1;
  return pace * planned(plan.slice(tookSeconds.length));
}
