/** The command's words about a replay. */
import { EXIT_CODES } from '../../scripts/cli/exit-codes.js';
import type { Recording, ReplayReport } from '../../src/shared/index.js';

export interface Outcome {
  readonly recording: Recording;
  readonly report: ReplayReport;
  /** Hash of the state after the last tick; undefined when no tick was run. */
  readonly hash: string | undefined;
}

export function formatText({ recording, report, hash }: Outcome): string {
  const { start, run } = recording;
  const from = start === undefined ? '' : `, from the saved state of tick ${start.tick}`;
  const last = hash === undefined ? '' : `  hash ${hash}`;
  const full =
    recording.isComplete === false ? '; the recording was full here, and the run continued' : '';
  return `recorded  ${sceneOf(recording)}, ${run.engine}${from}\ntick ${report.tick}${last}  ${verdictOf(report)}${full}\n`;
}

export function formatJson({ recording, report, hash }: Outcome): string {
  const { run, start, isComplete = true } = recording;
  const { engine, setup, seed } = run;
  const { tick, hashes, equalUpTo, differsAt = null } = report;
  const fields = {
    engine,
    setup,
    seed,
    fromTick: start?.tick ?? 0,
    tick,
    isComplete,
    hash: hash ?? null,
    hashes,
    equalUpTo,
    differsAt,
    verdict: wordOf(report),
  };
  return `${JSON.stringify(fields)}\n`;
}

/**
 * 2 without hashes: "unknown" must not pass as "reproducible", just as a test runner fails when it
 * finds no tests.
 */
export function exitCodeOf(report: ReplayReport): number {
  const { done, failed, refused } = EXIT_CODES;
  return { identical: done, differs: failed, 'nothing to compare': refused }[wordOf(report)];
}

export const NOTHING_TO_COMPARE =
  'there is nothing to compare: no tick that was replayed has a state hash; record with the option recording.hashEveryTicks, ' +
  'and for longer than that';

function wordOf({
  hashes,
  differsAt,
}: Pick<ReplayReport, 'hashes' | 'differsAt'>): 'identical' | 'differs' | 'nothing to compare' {
  if (hashes === 0) return 'nothing to compare';
  return differsAt === undefined ? 'identical' : 'differs';
}

/** The result of a comparison, in words. */
function verdictOf(report: Pick<ReplayReport, 'hashes' | 'differsAt' | 'equalUpTo'>): string {
  const { hashes, differsAt, equalUpTo } = report;
  switch (wordOf(report)) {
    case 'nothing to compare':
      return 'nothing to compare';
    case 'identical':
      return hashes === 1
        ? 'identical: the one hash is equal'
        : `identical: ${hashes} hashes equal`;
    case 'differs':
      return `DIFFERS at tick ${differsAt} (${equalUpTo === 0 ? 'no hash before it' : `equal up to tick ${equalUpTo}`})`;
  }
}

function sceneOf({ run }: Recording): string {
  const { setup, seed } = run;
  if (typeof setup !== 'object' || setup === null || !('name' in setup))
    return `no scene, seed ${seed}`;
  return `scene ${String(setup.name)}, ${String(setup['bodies'])} bodies, seed ${seed}`;
}
