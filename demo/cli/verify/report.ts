/** What the verify command prints. */
import * as v from 'valibot';
import { EXIT_CODES } from '../../../scripts/cli/exit-codes.js';
import { verdictOf } from '../verdict.js';
import {
  count,
  replayed,
  stopped,
  VERDICTS,
  type FileResult,
  type Verdict,
} from './file-result.js';

const FORMAT = 'betwixt-verification';
const VERSION = 1;
/** Its path in the folder, with slashes. */
const file = v.string();

/** The object that `--json` prints. */
export const verification = v.strictObject({
  format: v.literal(FORMAT),
  version: v.literal(VERSION),
  folder: v.string(),
  threads: count,
  /** Ended by Ctrl-C: recordings without a result are left out. */
  isInterrupted: v.boolean(),
  /** The number of recordings in the folder. */
  recordings: count,
  counts: v.strictObject(v.entriesFromList(VERDICTS, count)),
  /** The number of ticks that were run. */
  ticks: count,
  seconds: v.pipe(v.number(), v.minValue(0)),
  /** Sorted by their paths. */
  files: v.array(
    v.variant('verdict', [
      v.strictObject({ file, ...replayed.entries }),
      v.strictObject({ file, ...stopped.entries }),
    ]),
  ),
});
export type Verification = v.InferOutput<typeof verification>;
type VerifiedFile = Verification['files'][number];

export interface Work {
  readonly folder: string;
  readonly threads: number;
  readonly isInterrupted: boolean;
  readonly ticks: number;
  readonly seconds: number;
  /** All recordings of the folder. */
  readonly files: readonly string[];
  /** Of each of them, if it has one. */
  readonly results: readonly (FileResult | undefined)[];
}

export function reportOf({ files, results, ...work }: Work): Verification {
  const verified = files.flatMap((name, index): VerifiedFile[] => {
    const result = results[index];
    return result === undefined ? [] : [{ file: name, ...result }];
  });
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, verified.filter((one) => one.verdict === verdict).length]),
  ) as Record<Verdict, number>;
  return {
    format: FORMAT,
    version: VERSION,
    ...work,
    recordings: files.length,
    counts,
    files: verified,
  };
}

/** 1 if any differs, because that is certain; 2 if it is unknown whether one does. */
export function exitCodeOf({ counts, recordings, isInterrupted }: Verification): number {
  if (isInterrupted) return EXIT_CODES.interrupted;
  if (counts.differs > 0) return EXIT_CODES.failed;
  return counts.identical === recordings ? EXIT_CODES.done : EXIT_CODES.refused;
}

/** The line of a file. */
export function formatFile(name: string, result: FileResult): string {
  if ('reason' in result) {
    return printable(`${name}  ${result.verdict}: ${result.reason}`);
  }
  const { fromTick, tick, hash, hashes, equalUpTo, differsAt } = result;
  const from = fromTick === 0 ? '' : `, from the saved state of tick ${fromTick}`;
  const last = hash === null ? '' : `  hash ${hash}`;
  const verdict = verdictOf({ hashes, equalUpTo, differsAt: differsAt ?? undefined });
  return printable(`${name}  tick ${tick}${from}${last}  ${verdict}`);
}

/** The last line. */
export function formatSum({ counts, recordings, files, ticks, seconds, threads }: Verification) {
  const missing = recordings - files.length;
  const parts = [
    ...VERDICTS.filter((verdict) => counts[verdict] > 0).map(
      (verdict) => `${counts[verdict]} ${verdict}`,
    ),
    ...(missing > 0 ? [`${missing} not verified`] : []),
  ];
  const on = threads === 1 ? '1 thread' : `${threads} threads`;
  return (
    `${recordings} ${recordings === 1 ? 'recording' : 'recordings'}: ${parts.join(', ')}; ` +
    `${grouped(ticks)} ticks in ${seconds.toFixed(1)} s on ${on}, ${rateText(ticks, seconds)}`
  );
}

/** The status line. */
export const formatProgress = (done: number, all: number, ticks: number, seconds: number): string =>
  `${done} of ${all} files, ${grouped(ticks)} ticks, ${rateText(ticks, seconds)}`;

const rateText = (ticks: number, seconds: number): string =>
  `${grouped(seconds > 0 ? ticks / seconds : 0)} ticks/s`;

const grouped = (value: number): string => Math.round(value).toLocaleString('en');

/** Control characters would be commands to the terminal, and others change the order of the text: names and reasons are hostile. */
function printable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
