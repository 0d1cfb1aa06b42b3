/**
 * The claims of the comparison, each with its measurements and whether they support it. Nothing is
 * assumed: a claim without figures says that it was not measured.
 */
import { countText, msText, rateText } from '../../engine/format.js';
import { labelOf, type ContestantName } from './contestants.js';
import { figureText, ratioText } from './format.js';
import { FRAME_BUDGET_MS } from './frame-log.js';
import { METRICS, motionFor, ratioOf, type Ratio } from './ratios.js';
import {
  findCase,
  type FaultResult,
  type PeerCase,
  type PeerRepeat,
  type PeersResult,
} from './result.js';

export interface Claim {
  readonly claim: string;
  readonly measured: string;
  /** `not shown yet`: it holds, but the interval of the repeats reaches past the limit. */
  readonly verdict: 'holds' | 'not shown yet' | 'does not hold' | 'not measured';
}

/** The display rate of the claims. */
const CLAIM_HZ = 144;
const COST_LIMIT = 1 / 20;
const ERROR_LIMIT = 1 / 100;
/**
 * The display's delay recovers by 1 ms a second at least after a late tick: time then runs faster by a
 * thousandth.
 */
const TIME_SCALE_TOLERANCE = 0.0015;
const NOT_MEASURED = { measured: 'not measured', verdict: 'not measured' } as const;

export function claimsOf(result: PeersResult): Claim[] {
  return [
    ...[1000, 2000].flatMap((bodies) => [
      costClaim(result, 'betwixt-rapier-meshes', 'react-three-rapier', bodies),
      costClaim(result, 'betwixt-rapier', 'react-three-rapier', bodies),
      costClaim(result, 'betwixt-rapier', 'react-three-rapier-instanced', bodies),
    ]),
    overBudgetClaim(result),
    timeScaleClaim(result),
    repeatedClaim(result),
    errorClaim(result),
    ...(['betwixt-rapier', 'betwixt-cannon'] as const).flatMap((name) => [
      teleportClaim(result, name),
      throwClaim(result, name),
    ]),
  ];
}

const verdict = (holds: boolean): Claim['verdict'] => (holds ? 'holds' : 'does not hold');
/** With no cases it does not hold. */
function worst(verdicts: readonly Claim['verdict'][]): Claim['verdict'] {
  if (verdicts.length === 0 || verdicts.includes('does not hold')) return 'does not hold';
  return verdicts.includes('not shown yet') ? 'not shown yet' : 'holds';
}
const metric = (name: string) => METRICS.filter((one) => one.name === name);
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const all = (cases: readonly PeerCase[]): PeerRepeat[] => cases.flatMap(({ repeats }) => repeats);
const scalesOf = (one: PeerCase): number[] =>
  one.repeats.flatMap((repeat) => motionFor(repeat)?.timeScale ?? []);

function costClaim(
  { cases }: PeersResult,
  ours: ContestantName,
  theirs: ContestantName,
  bodies: number,
): Claim {
  const claim =
    `${countText(bodies)} bodies, ${CLAIM_HZ} Hz: a frame of ${labelOf(ours)} costs at most 1/20 of ` +
    `${labelOf(theirs)}'s at p95`;
  const [mine, other] = [ours, theirs].map((name) => findCase(cases, name, bodies, CLAIM_HZ));
  const [p95] = metric('frame p95 ms');
  const ratio = mine && other && p95 && ratioOf(p95, mine, other);
  if (ratio === undefined) return { claim, ...NOT_MEASURED };
  const { ratio: value, ratioLow, ratioHigh } = ratio.change;
  const interval = Number.isNaN(ratioLow)
    ? ', too few repeats for its spread'
    : ` (${ratioText(ratioLow)} to ${ratioText(ratioHigh)}${ratioHigh > COST_LIMIT ? ', which reaches past 1/20: more repeats are needed' : ''})`;
  return {
    claim,
    measured: `${msText(ratio.ours)} against ${msText(ratio.theirs)} ms: ${ratioText(value)}${interval}`,
    verdict: within(ratio, COST_LIMIT),
  };
}

/** Whether ours is at most that share of theirs, and whether the repeats support it. */
function within({ ours, theirs, change, outcome }: Ratio, limit: number): Claim['verdict'] {
  if (!(ours <= theirs * limit)) return 'does not hold';
  // Without any error there is no ratio and no interval: then it holds if all of ours are less than
  // all of theirs.
  if (ours === 0 && outcome === 'less') return 'holds';
  return change.ratioHigh <= limit ? 'holds' : 'not shown yet';
}

/** Cases of ours at the claims' rate. */
function oursAt144({ cases }: PeersResult): PeerCase[] {
  return cases.filter(
    ({ contestant, displayHz }) => displayHz === CLAIM_HZ && contestant.startsWith('betwixt-'),
  );
}

function overBudgetClaim(result: PeersResult): Claim {
  const claim = `${CLAIM_HZ} Hz: no frame of ours costs over ${msText(FRAME_BUDGET_MS)} ms`;
  const repeats = all(oursAt144(result));
  if (repeats.length === 0) return { claim, ...NOT_MEASURED };
  const over = sum(repeats.map(({ overBudget }) => overBudget));
  const frames = sum(repeats.map((one) => one.frames));
  const longest = Math.max(...repeats.map(({ costMs }) => costMs.max));
  const p99 = Math.max(...repeats.map(({ costMs }) => costMs.p99));
  const measured = `${countText(over)} of ${countText(frames)}; longest ${msText(longest)} ms, highest p99 ${msText(p99)} ms`;
  return {
    claim,
    measured: over === 0 ? measured : `${measured}. ${whyOver(repeats)}`,
    verdict: verdict(over === 0),
  };
}

/** If repeating the work is quick, the work itself was not what took so long. */
function whyOver(repeats: readonly PeerRepeat[]): string {
  const again = repeats.flatMap(({ doneAgainMs }) => doneAgainMs.map(([, ms]) => ms));
  const stillOver = again.filter((ms) => ms > FRAME_BUDGET_MS).length;
  const late = sum(repeats.map(({ lateFrames }) => lateFrames));
  const longest = again.length === 0 ? '' : `, at most ${msText(Math.max(...again))} ms`;
  return (
    `The same work, repeated immediately, took over that in ${stillOver} of ${again.length} of them${longest}: ` +
    `what was quick then was held up by the machine or by garbage. In the same runs ${countText(late)} frames ` +
    `began over ${msText(FRAME_BUDGET_MS)} ms late, before any work`
  );
}

function timeScaleClaim({ cases }: PeersResult): Claim {
  const claim = `${CLAIM_HZ} Hz, 400 boxes in cannon-es: simulated time runs at 1.000 of real time, where ${labelOf('cannon-worker-api')} loses some`;
  const mine = findCase(cases, 'betwixt-cannon', 400, CLAIM_HZ);
  const other = findCase(cases, 'cannon-worker-api', 400, CLAIM_HZ);
  if (mine === undefined || other === undefined) return { claim, ...NOT_MEASURED };
  const [ours, theirs] = [scalesOf(mine), scalesOf(other)];
  const keepsTime = ours.every((value) => Math.abs(value - 1) <= TIME_SCALE_TOLERANCE);
  return {
    claim,
    measured: `${scalesText(ours)} against ${scalesText(theirs)}${whyOff(mine, keepsTime)}`,
    verdict: verdict(keepsTime && theirs.every((value) => value < 0.95)),
  };
}

/** With all ticks run, simulated time was kept; the display follows it with its delay. */
function whyOff({ repeats }: PeerCase, keepsTime: boolean): string {
  if (keepsTime || !repeats.every(keptUp)) return '';
  return '. No tick was dropped, so the simulation kept its time. Frames are drawn with a delay, which had grown before and was shrinking: so it ran a little faster';
}

const scalesText = (values: readonly number[]): string =>
  values.map((value) => value.toFixed(3)).join(', ');

/** No tick was dropped: the engine had time for the scene. */
const keptUp = ({ tick }: PeerRepeat): boolean => tick === null || tick.dropped === 0;

function repeatedClaim(result: PeersResult): Claim {
  const claim = `${CLAIM_HZ} Hz: no frame of ours repeats the one before, for bodies drawn as meshes and as instances alike`;
  const cases = oursAt144(result);
  if (cases.length === 0) return { claim, ...NOT_MEASURED };
  const repeats = all(cases);
  const fits = repeats.filter(keptUp);
  const { text, count } = repeatedIn(fits);
  const overloaded = cases.filter((one) => !one.repeats.every(keptUp)).map(caseName);
  const rest =
    overloaded.length === 0
      ? ''
      : ` in runs in which the worker kept up; ${repeatedIn(repeats.filter((one) => !keptUp(one))).text} ` +
        `in runs in which it dropped ticks (${overloaded.join(', ')})`;
  return { claim, measured: text + rest, verdict: verdict(count === 0 && fits.length > 0) };
}

function repeatedIn(repeats: readonly PeerRepeat[]): { text: string; count: number } {
  const single = sum(repeats.map((one) => one.single?.repeated ?? 0));
  const instanced = sum(repeats.map((one) => one.instanced?.repeated ?? 0));
  const frames = sum(repeats.map((one) => one.frames));
  const text = `${countText(single)} as a mesh and ${countText(instanced)} as an instance of ${countText(frames)} frames`;
  return { text, count: single + instanced };
}

const caseName = ({ contestant, bodies, displayHz }: PeerCase | FaultResult): string =>
  `${labelOf(contestant)} ${countText(bodies)} at ${rateText(displayHz)} Hz`;

function errorClaim({ cases, options }: PeersResult): Claim {
  const claim = `${CLAIM_HZ} Hz: animation error p99 at most 1/100 of ${labelOf('cannon-worker-api')}'s`;
  const [error] = metric('animation error p99 ms');
  const found = options.bodies.flatMap((bodies) => {
    const mine = findCase(cases, 'betwixt-cannon', bodies, CLAIM_HZ);
    const other = findCase(cases, 'cannon-worker-api', bodies, CLAIM_HZ);
    const ratio = mine && other && error && ratioOf(error, mine, other);
    return ratio === undefined
      ? []
      : [{ bodies, ratio, fits: mine?.repeats.every(keptUp) === true }];
  });
  if (found.length === 0) return { claim, ...NOT_MEASURED };
  const texts = found.map(({ bodies, ratio, fits }) => {
    const figures = `${figureText(ratio.ours)} against ${figureText(ratio.theirs)} ms`;
    const { ratioHigh } = ratio.change;
    const reach = ratioHigh > ERROR_LIMIT ? ` (up to ${ratioText(ratioHigh)})` : '';
    return `${countText(bodies)} bodies${fits ? '' : ' (ticks dropped)'}: ${figures}${reach}`;
  });
  const kept = found.filter(({ fits }) => fits);
  return {
    claim,
    measured: texts.join('; '),
    verdict: worst(kept.map(({ ratio }) => within(ratio, ERROR_LIMIT))),
  };
}

const faultsOf = ({ faults }: PeersResult, name: ContestantName) =>
  faults.filter(({ contestant }) => contestant === name).flatMap(({ repeats }) => repeats);

function teleportClaim(result: PeersResult, name: ContestantName): Claim {
  const claim = `${labelOf(name)}: teleports from 2 to 1,000 m and back without a smeared frame`;
  const repeats = faultsOf(result, name);
  if (repeats.length === 0) return { claim, ...NOT_MEASURED };
  const smeared = sum(repeats.map((one) => (one.smearedSingle ?? 0) + (one.smearedInstanced ?? 0)));
  const teleports = sum(repeats.map((one) => one.teleports));
  return {
    claim,
    measured: `${smeared} smeared frames in ${teleports} teleports; ${othersSmeared(result, name)}`,
    verdict: verdict(smeared === 0),
  };
}

function othersSmeared({ faults }: PeersResult, name: ContestantName): string {
  const texts = faults
    .filter(({ contestant }) => contestant !== name)
    .map(({ contestant, repeats }) => {
      const smeared = repeats.map((one) => (one.smearedSingle ?? 0) + (one.smearedInstanced ?? 0));
      return `${labelOf(contestant)}: ${sum(smeared)}`;
    });
  return texts.length === 0 ? 'the others not measured' : texts.join(', ');
}

function throwClaim(result: PeersResult, name: ContestantName): Claim {
  const claim = `${labelOf(name)}: alive after an error in the worker's step (recovery: 'restart')`;
  const throws = faultsOf(result, name).flatMap(({ afterThrow }) => afterThrow ?? []);
  if (throws.length === 0) return { claim, ...NOT_MEASURED };
  const alive = throws.filter(({ isAlive }) => isAlive).length;
  const longest = Math.max(...throws.map(({ stoodMs }) => stoodMs));
  const others = result.faults
    .filter(({ contestant }) => contestant !== name)
    .flatMap(({ contestant, repeats }) => {
      const theirs = repeats.flatMap(({ afterThrow }) => afterThrow ?? []);
      if (theirs.length === 0) return [];
      const left = theirs.filter(({ isAlive }) => isAlive).length;
      return [`${labelOf(contestant)}: alive in ${left} of ${theirs.length}`];
    });
  return {
    claim,
    measured: [
      `alive in ${alive} of ${throws.length}, frozen for at most ${msText(longest)} ms`,
      ...others,
    ].join('; '),
    verdict: verdict(alive === throws.length),
  };
}
