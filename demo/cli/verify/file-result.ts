/** The result of one file. Threads run code that this command does not know, so what they send is checked. */
import * as v from 'valibot';
import { firstLineOf } from '../../../scripts/cli/errors.js';

/** Files can make messages as long as they are, and there may be many files. */
const MAX_REASON = 300;

export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The replay ran to its end. As `npm run replay --json` prints it, without the setup, which can be as large as the file. */
export const replayed = v.strictObject({
  verdict: v.picklist(['identical', 'differs', 'nothing to compare']),
  engine: v.string(),
  seed: count,
  fromTick: count,
  tick: count,
  isComplete: v.boolean(),
  hash: v.nullable(v.string()),
  hashes: count,
  equalUpTo: count,
  differsAt: v.nullable(count),
});

/** It did not. */
export const stopped = v.strictObject({
  verdict: v.picklist(['refused', 'timed out', 'crashed']),
  /** What the file does or has, such as `has 9 ticks to be run, …`. */
  reason: v.pipe(v.string(), v.maxLength(MAX_REASON)),
});

export const fileResult = v.variant('verdict', [replayed, stopped]);
export type FileResult = v.InferOutput<typeof fileResult>;
export type Verdict = FileResult['verdict'];

/** In the order in which they are counted. */
export const VERDICTS = [
  ...replayed.entries.verdict.options,
  ...stopped.entries.verdict.options,
] as const satisfies readonly Verdict[];

/** What a thread sends. */
export const threadMessage = v.variant('kind', [
  /** It has loaded the simulation's module and waits for files. */
  v.strictObject({ kind: v.literal('ready') }),
  /** It cannot. */
  v.strictObject({ kind: v.literal('failed'), reason: v.string() }),
  v.strictObject({
    kind: v.literal('result'),
    result: fileResult,
    /** A run was ended by an error, which may have left the engine's memory in any state. */
    isSpent: v.boolean(),
  }),
]);
export type ThreadMessage = v.InferOutput<typeof threadMessage>;

export function stoppedBy(
  verdict: v.InferOutput<typeof stopped>['verdict'],
  error: unknown,
): FileResult {
  const line = firstLineOf(error);
  const reason = line.length > MAX_REASON ? `${line.slice(0, MAX_REASON - 1)}…` : line;
  return { verdict, reason };
}
