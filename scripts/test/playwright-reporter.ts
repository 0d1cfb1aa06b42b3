/** Reports Playwright's tests, one by one, to the process that started it. */
import { relative } from 'node:path';
import type {
  FullConfig,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
  TestStep,
} from '@playwright/test/reporter';
import { type Outcome, reasonOf, sendToRunner } from './outcomes.js';

export default class PlaywrightReporter implements Reporter {
  onBegin(_config: FullConfig, suite: Suite): void {
    sendToRunner({ type: 'betwixt-test-total', total: suite.allTests().length });
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const outcome = outcomeOf(test, result);
    if (outcome !== undefined) send(outcome);
  }

  /** Something failed between tests: a file that does not load, a server that does not start. */
  onError(error: TestError): void {
    send({ name: 'an error outside of any test', result: 'failed', ...describe([error]) });
  }

  /** The reporter prints nothing itself: otherwise Playwright adds a reporter that does. */
  printsToStdio(): boolean {
    return false;
  }
}

/** Undefined for a test that was interrupted. */
export function outcomeOf(test: TestCase, result: TestResult): Outcome | undefined {
  // The titles begin with the root's, which is empty, the project's and the file's.
  const [, , , ...titles] = test.titlePath();
  const name = [relative(process.cwd(), test.location.file), ...titles].join(' › ');
  if (result.status === 'interrupted') return undefined;
  if (result.status === 'skipped') {
    return { name, result: 'skipped', reason: reasonToSkip(test, result) };
  }
  if (test.ok()) return { name, result: 'passed' };
  const failedName = [name, ...failedSteps(result.steps)].join(' › ');
  return { name: failedName, result: 'failed', ...describe(result.errors) };
}

/** The titles of the test's own steps that led to its failure, from the outermost. */
function failedSteps(steps: readonly TestStep[]): string[] {
  const failed = steps.find(({ category, error }) => category === 'test.step' && error);
  return failed === undefined ? [] : [failed.title, ...failedSteps(failed.steps)];
}

const send = (outcome: Outcome): void => sendToRunner({ type: 'betwixt-test-outcome', outcome });

function reasonToSkip(test: TestCase, result: TestResult): string {
  const annotation = [...result.annotations, ...test.annotations].find(
    ({ type, description }) => type === 'skip' && description !== undefined,
  );
  return annotation?.description ?? 'not run: a test before it, on the same page, had failed';
}

function describe(errors: readonly TestError[]): Pick<Outcome, 'reason' | 'detail'> {
  const [first] = errors;
  return {
    reason: reasonOf(first?.message ?? first?.value ?? 'no error was reported'),
    detail: errors
      .map(({ stack, message, value, snippet }) =>
        [stack ?? message ?? value ?? '', ...(snippet === undefined ? [] : [snippet])].join('\n'),
      )
      .join('\n'),
  };
}
