/** Interprets a result, in sentences. */
import { countText, msText, percentText, rateText, spareText, speedText } from './format.js';
import { isWithinBudget, missShare } from './overload.js';
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
        headroom: group.find((one) => 'triedCounts' in one),
      },
    ];
  });
}

function verdictOf({ cases, headroom, tickRateHz }: RateGroup): Omit<Verdict, 'subject'> {
  const rate = `${rateText(tickRateHz)} Hz`;
  const rising = cases.toSorted((a, b) => a.bodies - b.bodies);
  const best = rising.findLast(isWithinBudget);
  const limit = headroom === undefined ? '' : limitText(headroom, best?.bodies ?? 0);
  if (best !== undefined) {
    return {
      tone: best.budgetShare > TIGHT_SHARE ? 'tight' : 'good',
      sentence:
        `This device can simulate ${what(best)} at ${rate} ` +
        `with ${spareText(1 - best.budgetShare)} to spare${limit}.`,
    };
  }
  const [smallest] = rising;
  if (smallest !== undefined) {
    return {
      tone: 'bad',
      sentence: `This device cannot simulate ${what(smallest)} at ${rate}: ${reason(smallest)}${limit}.`,
    };
  }
  if (headroom === undefined || headroom.bodies === 0) {
    return {
      tone: 'bad',
      sentence: `None of the tested numbers of bodies fits at ${rate}.`,
    };
  }
  const atLeast = headroom.isBoundedBySearch ? 'at least ' : 'up to ';
  return {
    tone: 'good',
    sentence: `This device can simulate ${atLeast}${countText(headroom.bodies)} bodies at ${rate}.`,
  };
}

/** The user's own worker may have nothing visible to the page. */
const what = ({ bodies }: CaseResult): string =>
  bodies === 0 ? 'this simulation' : `${countText(bodies)} bodies`;

/** The part of a sentence about the search for headroom. */
function limitText({ bodies, isBoundedBySearch }: HeadroomResult, measured: number): string {
  if (bodies === 0) return '; none of the tested numbers fits';
  // A search and a case are measured minutes apart, and may differ a little.
  if (bodies <= measured) return '; that is about the limit';
  return isBoundedBySearch
    ? `; ${countText(bodies)} fit too, where the search ended`
    : `; the limit is about ${countText(bodies)}`;
}

function reason(result: CaseResult): string {
  const { stepMs, budgetMs, budgetShare, effectiveSpeed } = result;
  if (budgetShare > 1) {
    return `the p99 of the step is ${msText(stepMs.p99)} ms of ${msText(budgetMs)} ms`;
  }
  return effectiveSpeed < 0.99
    ? `it runs at ${speedText(effectiveSpeed)} speed, although the steps fit`
    : `${percentText(missShare(result))} of the ticks are late, although the steps fit`;
}
