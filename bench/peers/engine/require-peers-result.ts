/** Reads a comparison with the peers back from JSON, strictly. */
import {
  BenchResultError,
  flag,
  integer,
  list,
  moment,
  number,
  oneOf,
  orNull,
  pair,
  record,
  text,
  type Check,
} from '../../engine/check.js';
import { machine } from '../../engine/require-result.js';
import type { Distribution } from '../../engine/result.js';
import { CONTESTANT_NAMES } from './contestants.js';
import {
  PEERS_FORMAT,
  PEERS_VERSION,
  subjectKey,
  type CaseSubject,
  type FaultRepeat,
  type FaultResult,
  type MotionFigures,
  type PeerCase,
  type PeerFailure,
  type PeerRepeat,
  type PeersOptions,
  type PeersResult,
  type TickFigures,
} from './result.js';

const atLeast0 = number(0);
const count = integer(0);
const rateHz = number(Number.MIN_VALUE);
const contestant = oneOf(...CONTESTANT_NAMES);
const subject = { contestant, bodies: count, displayHz: rateHz };

const motion = record<MotionFigures>({
  timeScale: number(),
  repeated: count,
  jumps: count,
  backward: count,
  animationErrorMs: record<MotionFigures['animationErrorMs']>({
    mean: atLeast0,
    p99: atLeast0,
    max: atLeast0,
  }),
});

const repeat = record<PeerRepeat>({
  frames: integer(2),
  missedFrames: count,
  lateFrames: count,
  costMs: record<Distribution>({
    p50: atLeast0,
    p95: atLeast0,
    p99: atLeast0,
    max: atLeast0,
    mean: atLeast0,
  }),
  overBudget: count,
  doneAgainMs: list(pair(atLeast0, atLeast0)),
  busyShare: orNull(atLeast0),
  single: orNull(motion),
  instanced: orNull(motion),
  ageMs: orNull(
    record<NonNullable<PeerRepeat['ageMs']>>({ p50: number(), p99: number(), max: number() }),
  ),
  tick: orNull(record<TickFigures>({ p50Ms: atLeast0, p99Ms: atLeast0, dropped: count })),
  costCurve: list(pair(number(0, 1), atLeast0)),
});

const faultRepeat = record<FaultRepeat>({
  teleports: count,
  smearedSingle: orNull(count),
  smearedInstanced: orNull(count),
  afterThrow: orNull(
    record<NonNullable<FaultRepeat['afterThrow']>>({ isAlive: flag, stoodMs: atLeast0 }),
  ),
});

const result = record<PeersResult>({
  format: oneOf(PEERS_FORMAT),
  version: oneOf(PEERS_VERSION),
  made: moment,
  machine,
  options: record<PeersOptions>({
    contestants: list(contestant),
    bodies: list(count),
    displayHz: list(rateHz),
    seconds: atLeast0,
    warmUpSeconds: atLeast0,
    repeats: integer(1),
    seed: count,
    isQuick: flag,
  }),
  cases: each(record<PeerCase>({ ...subject, repeats: list(repeat) })),
  faults: each(record<FaultResult>({ ...subject, repeats: list(faultRepeat) })),
  failures: list(record<PeerFailure>({ ...subject, message: text })),
  wasCancelled: flag,
});

/** A list in which each subject stands once. */
function each<T extends CaseSubject>(check: Check<T>): Check<T[]> {
  return (value, path) => {
    const items = list(check)(value, path);
    const seen = new Set<string>();
    for (const [index, item] of items.entries()) {
      if (seen.has(subjectKey(item))) {
        throw new BenchResultError(`${path}[${index}] is the same case as one before it`);
      }
      seen.add(subjectKey(item));
    }
    return items;
  };
}

/**
 * The result that parsed JSON holds. Fields that are not known are left out.
 *
 * @throws {BenchResultError} When it is of another kind or of a newer version, or naming the place where it is
 *   damaged, such as `cases[3].repeats[0].costMs.p99`.
 */
export function requirePeersResult(json: unknown): PeersResult {
  const head: { readonly format?: unknown; readonly version?: unknown } =
    typeof json === 'object' && json !== null ? json : {};
  if (head.format !== PEERS_FORMAT) {
    throw new BenchResultError(
      `this is no comparison with the peers: its format must be "${PEERS_FORMAT}". ` +
        'Give a file that bench:peers wrote with --json.',
    );
  }
  if (typeof head.version === 'number' && head.version > PEERS_VERSION) {
    throw new BenchResultError(
      `this result is of version ${head.version}, and the newest that can be read here is ` +
        `${PEERS_VERSION}. Use the release that wrote it, or measure anew.`,
    );
  }
  return result(json, '');
}
