/** The parts of the tests: what each runs, and what may run at the same time. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, type RunOptions } from '../child-process.js';
import { browserVariable, type BrowserName, commandVariable } from '../browsers/driven-browsers.js';
import { findOrInstallChromium } from '../browsers/find-chromium.js';
import { findOrInstallFirefox } from '../browsers/find-firefox.js';
import { openWebKit } from '../browsers/find-webkit.js';
import { openPlainDisplay } from '../browsers/plain-display.js';
import { openFastDisplay } from '../browsers/virtual-display.js';
import { findOrInstallRedis } from '../find-redis.js';
import { isReporterMessage, type Outcome, type PartOutcomes, reasonOf } from './outcomes.js';

/**
 * Parts of one lane run in sequence; the lanes `code` and `browsers` run in parallel, and each of
 * the parts that are `alone` runs when everything else is done: they check how well the machine
 * keeps time.
 */
export type Lane = 'code' | 'browsers' | 'alone';

/** The context of a part: its options and callbacks. */
export interface PartContext {
  readonly outcomes: PartOutcomes;
  /** Called with each test that has ended. */
  readonly onOutcome: (outcome: Outcome) => void;
  /** Receives the output of the part's tools. Undefined: they print to this process's output. */
  readonly onOutput: ((text: string) => void) | undefined;
  /** Further arguments for its test runner, such as a file name. */
  readonly runnerArgs: readonly string[];
}

export interface Part {
  readonly lane: Lane;
  /** Whether it belongs to `npm test`, or only to `npm run test:all`. */
  readonly everyday: boolean;
  readonly run: (context: PartContext) => Promise<void>;
}

const code = { lane: 'code', everyday: true } as const;
const browsers = { lane: 'browsers', everyday: true } as const;

/** All parts, in the order in which those of a lane run: fast-failing ones first. */
export const parts: Readonly<Record<string, Part>> = {
  types: { ...code, run: (context) => check(tool('typescript/bin/tsc'), ['-b'], context) },
  lint: { ...code, run: lint },
  unit: { ...code, run: (context) => vitest(['unit'], context) },
  scenes: { ...code, run: (context) => vitest(['scenes'], context) },
  threads: { ...code, run: threads },
  // The same behaviour without shared memory.
  transports: {
    lane: 'code',
    everyday: false,
    run: (context) => vitest(['threads-transfer', 'threads-local'], context),
  },
  // Not last: it lasts its minute even on an idle machine. By now the other lane has built the site
  // that it uses.
  attack: { lane: 'code', everyday: false, run: attack },
  package: { lane: 'code', everyday: false, run: (context) => vitest(['package'], context) },
  browser: { ...browsers, run: (context) => playwright('browser', context) },
  e2e: { ...browsers, run: (context) => playwright('e2e', context, { config: SITE }) },
  peers: { lane: 'browsers', everyday: false, run: (context) => playwright('peers', context) },
  firefox: { lane: 'browsers', everyday: false, run: (context) => firefox('firefox', context) },
  webkit: { lane: 'browsers', everyday: false, run: (context) => webkit('webkit', context) },
  'real-time': { lane: 'alone', everyday: false, run: realTime },
  display: { lane: 'alone', everyday: false, run: fastDisplay },
};

/** Run directly: no shell and no npx between it and a Ctrl-C. */
function tool(script: string): string {
  return join('node_modules', script);
}

async function threads(context: PartContext): Promise<void> {
  // Without it, the test of rooms in several processes is skipped, and says so.
  await findOrInstallRedis();
  await vitest(['threads', 'react'], context);
}

const PAGES = 'playwright.config.ts';
const SITE = 'playwright.site.config.ts';

const reporter = (name: string): string => fileURLToPath(new URL(`${name}.ts`, import.meta.url));

async function lint(context: PartContext): Promise<void> {
  await check(tool('oxlint/bin/oxlint'), ['--deny-warnings'], context);
  await check(tool('oxfmt/bin/oxfmt'), ['--check'], context);
  await check('scripts/lint/documents.js', [], context);
}

/** A tool that is one test, and reports by its exit code. */
async function check(script: string, args: readonly string[], context: PartContext): Promise<void> {
  const { onOutcome, onOutput, runnerArgs } = context;
  const name = [script.split('/').at(-1), ...args].join(' ');
  let output = '';
  const exitCode = await runScript(script, [...args, ...runnerArgs], {
    ...(onOutput && {
      onOutput: (text) => {
        output += text;
      },
    }),
  });
  const reason = reasonOf(output) || `exit code ${exitCode}`;
  onOutcome(
    exitCode === 0
      ? { name, result: 'passed' }
      : { name, result: 'failed', reason, detail: output },
  );
}

function vitest(projects: readonly string[], context: PartContext): Promise<void> {
  // A single part is watched as it runs, and prints its runner's output.
  return runTests(
    tool('vitest/vitest.mjs'),
    [
      'run',
      ...projects.map((project) => `--project=${project}`),
      `--reporter=${reporter('vitest-reporter')}`,
      ...(context.onOutput === undefined ? ['--reporter=default'] : []),
      ...context.runnerArgs,
    ],
    context,
  );
}

/** What differs between the runs of Playwright. */
interface PlaywrightRun {
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function playwright(
  project: string,
  context: PartContext,
  { config = PAGES, env = {} }: PlaywrightRun = {},
  flags: readonly string[] = [],
): Promise<void> {
  const reporters = [reporter('playwright-reporter'), ...(context.onOutput ? [] : ['list'])];
  await runTests(
    tool('@playwright/test/cli.js'),
    [
      'test',
      `--config=${config}`,
      `--project=${project}`,
      `--reporter=${reporters.join(',')}`,
      // A file argument may belong to another project; a part without any test is detected by its
      // counts.
      '--pass-with-no-tests',
      ...flags,
      ...context.runnerArgs,
    ],
    context,
    {
      env: {
        ...env,
        ...(browserVariable in env ? {} : { CHROMIUM_PATH: await findOrInstallChromium() }),
      },
    },
  );
}

/** The cases of each run are the same, so that a failure is due to a change. */
const ATTACK_SEED = '7';

/**
 * Each part of the attack is one test. A minute for all of them by default. It takes that long
 * whatever its share of the processors, and so has a lower priority than the browsers.
 */
function attack(context: PartContext): Promise<void> {
  const args = ['--seed', ATTACK_SEED, ...context.runnerArgs];
  return runTests('tests/attack/main.ts', args, context, { niceness: 10 });
}

/** Cases that check rates and latencies, in worker threads and in every available browser. */
async function realTime(context: PartContext): Promise<void> {
  await vitest(['real-time'], context);
  await playwright('real-time', context);
  await firefox('firefox-real-time', context);
  await webkit('webkit-real-time', context);
}

async function fastDisplay(context: PartContext): Promise<void> {
  const display = await openFastDisplay(await findOrInstallChromium());
  if ('reason' in display) {
    await skipAll('display-144', `no fast display: ${display.reason}`, context, { config: SITE });
    return;
  }
  try {
    context.onOutput?.(`Using the ${display.description}.\n`);
    await playwright('display-144', context, { config: SITE, env: display.env });
  } finally {
    await display.close();
  }
}

async function firefox(project: string, context: PartContext): Promise<void> {
  const command = await findOrInstallFirefox();
  if (command !== undefined) {
    // For tests that draw: without a window, Firefox has no WebGL.
    const display = await openPlainDisplay();
    try {
      const env = { ...drivenEnv('firefox', command), ...display?.env };
      await playwright(project, context, { env });
    } finally {
      await display?.close();
    }
    return;
  }
  const reason = 'no Firefox: install it, or set FIREFOX_PATH to its executable';
  await skipAll(project, reason, context, { env: drivenEnv('firefox', '') });
}

async function webkit(project: string, context: PartContext): Promise<void> {
  const opened = await openWebKit();
  if ('reason' in opened) {
    const reason = `no WebKit: ${opened.reason}`;
    await skipAll(project, reason, context, { env: drivenEnv('webkit', '') });
    return;
  }
  try {
    const env = { ...drivenEnv('webkit', opened.driverPath), ...opened.env };
    await playwright(project, context, { env });
  } finally {
    await opened.close();
  }
}

const drivenEnv = (name: BrowserName, command: string): Record<string, string> => ({
  [browserVariable]: name,
  [commandVariable]: command,
});

/** Counts the tests of a project as skipped, for one reason. */
async function skipAll(
  project: string,
  reason: string,
  context: PartContext,
  playwrightRun: PlaywrightRun,
): Promise<void> {
  const { found } = context.outcomes;
  await playwright(project, context, playwrightRun, ['--list']);
  for (let test = found; test < context.outcomes.found; test += 1) {
    context.onOutcome({ name: project, result: 'skipped', reason });
  }
}

/** Runs a test runner that has one of our reporters, or is one of our own. */
async function runTests(
  script: string,
  args: readonly string[],
  { outcomes, onOutcome, onOutput }: PartContext,
  options: Pick<RunOptions, 'env' | 'niceness'> = {},
): Promise<void> {
  const failedBefore = outcomes.failed;
  let output = '';
  const exitCode = await runScript(script, args, {
    ...options,
    ...(onOutput && {
      onOutput: (text) => {
        output += text;
        onOutput(text);
      },
    }),
    onMessage: (message) => {
      if (!isReporterMessage(message)) return;
      if (message.type === 'betwixt-test-total') outcomes.found += message.total;
      else onOutcome(message.outcome);
    },
  });
  if (exitCode === 0 || outcomes.failed > failedBefore) return;
  // It did not start, or something went wrong between tests: the totals must never look better than
  // the run was.
  onOutcome({
    name: script.split('/').at(-1) ?? script,
    result: 'failed',
    reason: `exit code ${exitCode} without a failed test`,
    detail: output.split('\n').slice(-40).join('\n'),
  });
}

function runScript(script: string, args: readonly string[], options: RunOptions): Promise<number> {
  const loader = script.endsWith('.ts') ? ['--import', 'tsx'] : [];
  return run(process.execPath, [...loader, script, ...args], options);
}
