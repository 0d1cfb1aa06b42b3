/** What a run of the benchmark will measure, in which order, and how long is left. */
import type { BenchOptions, CaseKey, Subject } from './result.js';

export type PlannedWork = (
  | ({ readonly kind: 'case' } & CaseKey)
  | ({ readonly kind: 'headroom'; readonly tickRateHz: number } & Subject)
) & {
  /** How long it should take. */
  readonly plannedS: number;
};

/** Loading an engine, building a scene, ending a worker. */
const CASE_OVERHEAD_S = 0.5;
/** Measurements that a search for headroom usually takes. */
const USUAL_PROBES = 12;

/**
 * All work in the order in which it is done. A runtime at a time, because a browser is slow to start; small
 * counts first, so that a run that is cancelled has the ones that are likely to fit.
 */
export function planWork(options: BenchOptions): PlannedWork[] {
  const { runtimes, scenes, engines, tickRatesHz, searchesHeadroom } = options;
  const oneS = options.warmUpSeconds + options.seconds + CASE_OVERHEAD_S;
  const bodies = options.bodies.toSorted((a, b) => a - b);
  return runtimes.flatMap((runtime) =>
    scenes.flatMap((scene) =>
      engines.flatMap((engine) =>
        tickRatesHz.flatMap((tickRateHz) => {
          const plannedS = oneS * options.repeats;
          const work: PlannedWork[] = bodies.map((count) => {
            return { kind: 'case', scene, engine, runtime, bodies: count, tickRateHz, plannedS };
          });
          if (searchesHeadroom) {
            const subject = { scene, engine, runtime, tickRateHz };
            work.push({ kind: 'headroom', ...subject, plannedS: oneS * USUAL_PROBES });
          }
          return work;
        }),
      ),
    ),
  );
}

/**
 * How long is left, from how long the work that is done took against its plan.
 *
 * @param tookS Of the first items of the plan, in order.
 */
export function secondsLeft(plan: readonly PlannedWork[], tookS: readonly number[]): number {
  const planned = (work: readonly PlannedWork[]): number =>
    work.reduce((sum, { plannedS }) => sum + plannedS, 0);
  const donePlannedS = planned(plan.slice(0, tookS.length));
  const doneS = tookS.reduce((sum, seconds) => sum + seconds, 0);
  const pace = donePlannedS > 0 ? doneS / donePlannedS : 1;
  return pace * planned(plan.slice(tookS.length));
}
