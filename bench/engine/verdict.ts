/** Interprets a result, in sentences. */
import {
  interruptedText,
  countText,
  msText,
  percentText,
  rangeText,
  rateText,
  spareText,
  speedText,
} from './format.js';
import { fitLimit, measurementsOf, type Limit } from './limit.js';
import { isOverloaded, missShare } from './overload.js';
import {
  groupBy,
  subjectText,
  type BenchResult,
  type CaseResult,
  type HeadroomResult,
  type Subject,
} from './result.js';

/** `note` is about the whole run. */
export type VerdictTone = 'good' | 'tight' | 'bad' | 'note';

export interface Verdict {
  readonly tone: VerdictTone;
  /** The subject; empty for the whole run. */
  readonly subject: string;
  readonly sentence: string;
}

/** With less than this to spare, another program that wakes up is enough to make ticks late. */
const TIGHT_SHARE = 0.8;

/**
 * A sentence about the run if necessary, and one for each subject and tick rate. A cancellation
 * comes first.
 */
export function verdictsOf(result: BenchResult): Verdict[] {
  const notes: string[] = [];
  if (result.wasCancelled) {
    notes.push('The run was cancelled. Cases are missing, and the limit may be higher.');
  }
  if (result.options.isQuick) notes.push('This was a quick run with rough figures.');
  if (result.failures.length > 0) {
    const cases = result.failures.length === 1 ? 'One case' : `${result.failures.length} cases`;
    notes.push(`${cases} failed, see below.`);
  }
  if (result.cases.length === 0 && result.headroom.length === 0)
    notes.push('Nothing was measured.');
  return [
    ...notes.map((sentence): Verdict => ({ tone: 'note', subject: '', sentence })),
    ...rateGroups(result).map((group): Verdict => {
      const { scene, engine, runtime } = group.subject;
      const { tone, sentence } = verdictOf(group);
      return { tone, subject: `${scene}, ${engine}, ${runtime}`, sentence };
    }),
  ];
}

interface RateGroup {
  readonly subject: Subject;
  readonly tickRateHz: number;
  readonly cases: readonly CaseResult[];
  readonly headroom: HeadroomResult | undefined;
}

function rateKey(one: Subject & { readonly tickRateHz: number }): string {
  return `${subjectText(one)}${one.tickRateHz}`;
}

function rateGroups({ cases, headroom }: BenchResult): RateGroup[] {
  return groupBy<CaseResult | HeadroomResult>([...cases, ...headroom], rateKey).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [
      {
        subject: first,
        tickRateHz: first.tickRateHz,
        cases: group.filter((one) => 'stepMs' in one),
        headroom: group.find((one) => 'measurements' in one),
      },
    ];
  });
}

/** Every part of it follows from the fit, so that it agrees with the headroom. */
function verdictOf({ cases, headroom, tickRateHz }: RateGroup): Omit<Verdict, 'subject'> {
  const rate = `${rateText(tickRateHz)} Hz`;
  const budgetMs = 1000 / tickRateHz;
  const limit = headroom ?? fitLimit(cases.flatMap(measurementsOf), budgetMs);
  const rising = cases.toSorted((a, b) => a.bodies - b.bodies);
  const [smallest] = rising;
  const best = rising.findLast(
    ({ bodies }) => bodies <= limit.bodiesLow && fittedMs(limit, bodies) <= budgetMs,
  );
  const where = whereText(limit, headroom, best ?? smallest);
  if (best !== undefined) {
    const share = fittedMs(limit, best.bodies) / budgetMs;
    return {
      tone: share > TIGHT_SHARE ? 'tight' : 'good',
      sentence: `This device can simulate ${what(best)} at ${rate} with ${spareText(1 - share)} to spare${where}.`,
    };
  }
  if (smallest !== undefined) {
    const isOver =
      isIn(limit, smallest.bodies) && smallest.bodies >= (limit.bodiesHigh ?? Infinity);
    if (isOver) {
      const why = reason(smallest, fittedMs(limit, smallest.bodies));
      return {
        tone: 'bad',
        sentence: `This device cannot simulate ${what(smallest)} at ${rate}: ${why}${where}.`,
      };
    }
    return {
      tone: 'tight',
      sentence: `Whether this device can simulate ${what(smallest)} at ${rate} is not certain${where}.`,
    };
  }
  if (!limit.canTell) {
    return {
      tone: 'tight',
      sentence: `This run does not show how many bodies fit at ${rate}: ${interruptedText(limit)}.`,
    };
  }
  if (limit.bodiesLow === 0) {
    return { tone: 'bad', sentence: `None of the tested numbers of bodies fits at ${rate}.` };
  }
  const most =
    limit.bodiesHigh === null
      ? `at least ${countText(limit.bodiesLow)}`
      : `up to ${countText(limit.bodies)}`;
  return {
    tone: 'good',
    sentence: `This device can simulate ${most} bodies at ${rate}${where}.`,
  };
}

/** Whether a count has been measured so that it says something. */
const isIn = ({ fit }: Limit, bodies: number): boolean => fit.some(([count]) => count === bodies);

const fittedMs = ({ fit }: Limit, bodies: number): number =>
  fit.find(([count]) => count === bodies)?.[1] ?? Infinity;

/** The user's own worker may have nothing visible to the page. */
const what = ({ bodies }: CaseResult): string =>
  bodies === 0 ? 'this simulation' : `${countText(bodies)} bodies`;

/** The part of a sentence about the limit. */
function whereText(
  limit: Limit,
  headroom: HeadroomResult | undefined,
  near: CaseResult | undefined,
): string {
  if (!limit.canTell) return `; this run does not show the limit: ${interruptedText(limit)}`;
  if (limit.bodiesHigh !== null) {
    if (limit.bodiesLow === 0 && limit.bodies === 0)
      return headroom === undefined ? '' : '; none of the tested numbers fits';
    return `; the limit is between ${rangeText(limit)} bodies`;
  }
  if (headroom === undefined || limit.bodiesLow <= (near?.bodies ?? 0)) return '';
  return `; ${countText(limit.bodiesLow)} fit too, where the search ended`;
}

function reason(result: CaseResult, fittedP99Ms: number): string {
  const { stepMs, budgetMs, budgetShare, effectiveSpeed } = result;
  const p99Ms = budgetShare > 1 ? stepMs.p99 : fittedP99Ms;
  if (budgetShare > 1 || !isOverloaded(result)) {
    if (!Number.isFinite(p99Ms)) return 'fewer did not run either';
    return `the p99 of the step is ${msText(p99Ms)} ms of ${msText(budgetMs)} ms`;
  }
  return effectiveSpeed < 0.99
    ? `it runs at ${speedText(effectiveSpeed)} speed, although the steps fit`
    : `${percentText(missShare(result))} of the ticks are late, although the steps fit`;
}
