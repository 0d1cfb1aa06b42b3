/**
 * The result of the comparison with the peers, as its JSON file contains it: schemas, and the types
 * that follow.
 */
import * as v from 'valibot';
import { machine } from '../../engine/result.js';
import {
  atLeast0,
  count,
  distinct,
  finite,
  flag,
  integer,
  list,
  moment,
  oneOf,
  pair,
  positive,
  read,
  record,
  share,
  text,
  type Frozen,
} from '../../engine/schema.js';
import { CONTESTANT_NAMES, type ContestantName } from './contestants.js';

export const PEERS_FORMAT = 'betwixt-bench-peers';
export const PEERS_VERSION = 1;

const contestant = oneOf(...CONTESTANT_NAMES);

const options = record({
  contestants: list(contestant),
  bodies: list(count),
  displayHz: list(positive),
  seconds: atLeast0,
  warmUpSeconds: atLeast0,
  repeats: integer(1),
  seed: count,
  isQuick: flag,
});
export type PeersOptions = Frozen<v.InferOutput<typeof options>>;

const subject = { contestant, bodies: count, displayHz: positive };
export type CaseSubject = Frozen<v.InferOutput<v.ObjectSchema<typeof subject, undefined>>>;

/** Of one probe. */
const motion = record({
  /** Simulated time over display time. */
  timeScale: finite,
  /** Frames that show the same as the one before. */
  repeated: count,
  /** Frames that advance by more than 1.5 times the length of a tick or a frame. */
  jumps: count,
  backward: count,
  animationErrorMs: record({ mean: atLeast0, p99: atLeast0, max: atLeast0 }),
});
export type MotionFigures = Frozen<v.InferOutput<typeof motion>>;

const tick = record({ p50Ms: atLeast0, p99Ms: atLeast0, dropped: count });
export type TickFigures = Frozen<v.InferOutput<typeof tick>>;

/** From an input to a picture in which a body reacts, in ms. Missing in older files; null: no body reacted. */
const inputTime = v.nullish(
  record({ count: integer(1), mean: finite, p50: finite, p99: finite, max: finite }),
  null,
);

const repeat = record({
  /** Frames that were drawn, and frames of the display that were missed. */
  frames: integer(2),
  missedFrames: count,
  /** Frames that began over 6.94 ms after their stamp: the page was busy, or the machine. */
  lateFrames: count,
  costMs: record({ p50: atLeast0, p95: atLeast0, p99: atLeast0, max: atLeast0, mean: atLeast0 }),
  /** Frames that cost over 6.94 ms. */
  overBudget: count,
  /** Of these, the cost and that of the same work repeated immediately; if it can be repeated. */
  doneAgainMs: list(pair(atLeast0, atLeast0)),
  /** Share of time in which the main thread was busy; null if the browser was not asked. */
  busyShare: v.nullable(atLeast0),
  single: v.nullable(motion),
  instanced: v.nullable(motion),
  ageMs: v.nullable(record({ p50: finite, p99: finite, max: finite })),
  /** Until the frame was ready to be rendered, and until the first refresh of the display after that. */
  inputReadyMs: inputTime,
  inputShownMs: inputTime,
  /** Cost of a step in the worker, and dropped ticks; null if unavailable. */
  tick: v.nullable(tick),
  /** Cost in ms by share of the frames. */
  costCurve: list(pair(share, atLeast0)),
});
export type PeerRepeat = Frozen<v.InferOutput<typeof repeat>>;

const peerCase = record({ ...subject, repeats: list(repeat) });
export type PeerCase = Frozen<v.InferOutput<typeof peerCase>>;

const faultRepeat = record({
  teleports: count,
  /** Frames that drew the body in between; null if it has no such probe. */
  smearedSingle: v.nullable(count),
  smearedInstanced: v.nullable(count),
  /** Null: it has no worker. */
  afterThrow: v.nullable(record({ isAlive: flag, stoodMs: atLeast0 })),
});
export type FaultRepeat = Frozen<v.InferOutput<typeof faultRepeat>>;

/** How a contestant handles a teleport and an error in its worker. */
const fault = record({ ...subject, repeats: list(faultRepeat) });
export type FaultResult = Frozen<v.InferOutput<typeof fault>>;

const failure = record({ ...subject, message: text });
export type PeerFailure = Frozen<v.InferOutput<typeof failure>>;

const result = record({
  format: v.literal(PEERS_FORMAT, JSON.stringify(PEERS_FORMAT)),
  version: v.literal(PEERS_VERSION, String(PEERS_VERSION)),
  /** When, in ISO 8601. */
  made: moment,
  machine,
  options,
  cases: distinct(peerCase, subjectKey),
  faults: distinct(fault, subjectKey),
  failures: list(failure),
  wasCancelled: flag,
});
export type PeersResult = Frozen<v.InferOutput<typeof result>>;

/**
 * Parses and checks a result from JSON. Unknown fields are dropped.
 *
 * @throws {BenchResultError} When it is of another kind or of a newer version, or naming the place
 * where it is
 *   damaged, such as `cases[3].repeats[0].costMs.p99`.
 */
export function requirePeersResult(json: unknown): PeersResult {
  const otherwise =
    `this is no comparison with the peers: its format must be "${PEERS_FORMAT}". ` +
    'Give a file that bench:peers wrote with --json.';
  return read(result, { format: PEERS_FORMAT, version: PEERS_VERSION, otherwise }, json);
}

export function subjectKey({ contestant: name, bodies, displayHz }: CaseSubject): string {
  return `${name} ${bodies} ${displayHz}`;
}

export function findCase(
  cases: readonly PeerCase[],
  name: ContestantName,
  bodies: number,
  displayHz: number,
): PeerCase | undefined {
  const key = subjectKey({ contestant: name, bodies, displayHz });
  return cases.find((one) => subjectKey(one) === key);
}
