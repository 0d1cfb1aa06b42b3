/** Reports Vitest's tests, one by one, to the process that started it. */
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { type Outcome, reasonOf, sendToRunner } from './outcomes.js';

type ErrorOfTest = NonNullable<ReturnType<TestCase['result']>['errors']>[number];

export default class VitestReporter implements Reporter {
  onTestModuleCollected(module: TestModule): void {
    sendToRunner({ type: 'betwixt-test-total', total: [...module.children.allTests()].length });
  }

  onTestCaseResult(test: TestCase): void {
    const outcome = outcomeOf(test);
    if (outcome !== undefined) send(outcome);
  }

  onTestModuleEnd(module: TestModule): void {
    // A file that does not load, or a hook that throws, contains no failed test.
    const errors = module.errors();
    if (errors.length > 0) send({ name: fileOf(module), result: 'failed', ...describe(errors) });
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly ErrorOfTest[]): void {
    for (const error of unhandled) {
      send({ name: 'an error outside of any test', result: 'failed', ...describe([error]) });
    }
  }
}

/** Undefined for a test that was interrupted. */
export function outcomeOf(test: TestCase): Outcome | undefined {
  const result = test.result();
  const name = [...projectOf(test), fileOf(test.module), test.fullName].join(' › ');
  switch (result.state) {
    case 'passed':
      return { name, result: 'passed' };
    case 'skipped':
      return { name, result: 'skipped', reason: result.note ?? 'marked as skipped in its file' };
    case 'failed':
      return { name, result: 'failed', ...describe(result.errors) };
    default:
      return undefined;
  }
}

const send = (outcome: Outcome): void => sendToRunner({ type: 'betwixt-test-outcome', outcome });

const fileOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId);

/** The name of the project, where a file is run by several. */
function projectOf({ module, project }: TestCase): string[] {
  return fileOf(module).startsWith(`tests/${project.name}/`) ? [] : [project.name];
}

function describe(errors: readonly ErrorOfTest[]): Pick<Outcome, 'reason' | 'detail'> {
  const [first] = errors;
  return {
    reason: reasonOf(first?.message ?? 'no error was reported'),
    detail: errors.map(detailOf).join('\n'),
  };
}

function detailOf({ message, diff, stacks = [], stack = '' }: ErrorOfTest): string {
  const locations = stacks.map(
    ({ file, line, column }) => `    at ${relative(process.cwd(), file)}:${line}:${column}`,
  );
  return [
    message,
    ...(diff === undefined ? [] : [diff]),
    ...(locations.length > 0 ? locations : [stack]),
  ].join('\n');
}
