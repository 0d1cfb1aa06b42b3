/** The outcomes of one part's tests, as its runner reports them while it runs. */
import { stripVTControlCharacters } from 'node:util';

export type Result = 'passed' | 'failed' | 'skipped';

/** How one test ended. */
export interface Outcome {
  /** File, groups and title. */
  readonly name: string;
  readonly result: Result;
  /** One line: why it failed or was skipped. */
  readonly reason?: string;
  /** The full details of a failure, in any number of lines. */
  readonly detail?: string;
}

/** Messages from the reporters of this folder to the process that started their runner. */
export type ReporterMessage =
  | { readonly type: 'betwixt-test-total'; readonly total: number }
  | { readonly type: 'betwixt-test-outcome'; readonly outcome: Outcome };

export function isReporterMessage(message: unknown): message is ReporterMessage {
  const type: unknown =
    typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;
  return type === 'betwixt-test-total' || type === 'betwixt-test-outcome';
}

/** Sends to the process that started this one; does nothing if that does not listen. */
export function sendToRunner(message: ReporterMessage): void {
  process.send?.(message);
}

const REASON_LENGTH = 300;

/**
 * The first lines of an error message as one: assertions put their expectations on further lines.
 */
export function reasonOf(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const end = lines.findIndex((line) => /^at |^Call log:/.test(line));
  const reason = lines.slice(0, end === -1 ? 5 : Math.min(end, 5)).join(' ');
  return reason.length > REASON_LENGTH ? `${reason.slice(0, REASON_LENGTH)} …` : reason;
}

/** Counts and names the tests of one part. */
export class PartOutcomes {
  readonly failures: Outcome[] = [];
  readonly skips: Outcome[] = [];
  passed = 0;
  /** Tests that the runners have found so far. Some runners report them in steps. */
  found = 0;

  get failed(): number {
    return this.failures.length;
  }

  get skipped(): number {
    return this.skips.length;
  }

  get done(): number {
    return this.passed + this.failed + this.skipped;
  }

  add(outcome: Outcome): void {
    if (outcome.result === 'failed') this.failures.push(outcome);
    else if (outcome.result === 'skipped') this.skips.push(outcome);
    else this.passed += 1;
  }
}
