import { join } from 'node:path';
import { run } from './child-process.js';
import { browserVariable, type BrowserName, commandVariable } from './driven-browsers.js';
import { findOrInstallChromium } from './find-chromium.js';
import { findOrInstallFirefox } from './find-firefox.js';
import { openWebKit } from './find-webkit.js';
import {
  type Counts,
  countCheck,
  countListed,
  countPlaywright,
  countVitest,
  sum,
} from './test-report.js';
import { openFastDisplay } from './virtual-display.js';

/** What a part of the tests is told. */
export interface PartContext {
  /** A folder for its reports, which is deleted afterwards. */
  readonly reportFolder: string;
  /** Further arguments for its test runner, such as a file name. */
  readonly runnerArgs: readonly string[];
}

export type Part = (context: PartContext) => Promise<Counts>;

/** All parts, in the order in which they run: what fails fastest comes first. */
export const parts: Readonly<Record<string, Part>> = {
  types: ({ runnerArgs }) => check('typescript/bin/tsc', '-b', ...runnerArgs),
  lint: async ({ runnerArgs }) =>
    sum([
      await check('oxlint/bin/oxlint', '--deny-warnings', ...runnerArgs),
      await check('oxfmt/bin/oxfmt', '--check', ...runnerArgs),
    ]),
  unit: (context) => vitest('unit', context),
  scenes: (context) => vitest('scenes', context),
  threads: (context) => vitest('threads*', context),
  package: (context) => vitest('package', context),
  browser: (context) => withRealTime('browser', 'real-time', context),
  e2e: (context) => playwright('e2e', context, { config: SITE }),
  display: fastDisplay,
  firefox,
  webkit,
};

async function check(script: string, ...args: string[]): Promise<Counts> {
  return countCheck(await runTool(script, args));
}

async function vitest(project: string, context: PartContext): Promise<Counts> {
  const report = join(context.reportFolder, 'vitest.json');
  const args = ['run', '--project', project, '--reporter=default', '--reporter=json'];
  const exitCode = await runTool('vitest/vitest.mjs', [
    ...args,
    `--outputFile.json=${report}`,
    ...context.runnerArgs,
  ]);
  return countVitest(report, exitCode);
}

/** What differs between the runs of Playwright. */
interface PlaywrightRun {
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const PAGES = 'playwright.config.ts';
const SITE = 'playwright.site.config.ts';

/** First those that may have any company, then those that watch the clock. */
async function withRealTime(
  project: string,
  realTime: string,
  context: PartContext,
  options: PlaywrightRun = {},
): Promise<Counts> {
  return sum([
    await playwright(project, context, options),
    await playwright(realTime, context, options),
  ]);
}

async function playwright(
  project: string,
  context: PartContext,
  { config = PAGES, env = {} }: PlaywrightRun,
): Promise<Counts> {
  const report = join(context.reportFolder, `${project}.json`);
  const exitCode = await runTool(
    '@playwright/test/cli.js',
    // A file that is asked for may be in the other project; a part without any test is found out by its counts.
    [
      'test',
      '--config',
      config,
      '--project',
      project,
      '--reporter=list,json',
      '--pass-with-no-tests',
      ...context.runnerArgs,
    ],
    {
      ...env,
      ...(browserVariable in env ? {} : { CHROMIUM_PATH: await findOrInstallChromium() }),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    },
  );
  return countPlaywright(report, exitCode);
}

async function fastDisplay(context: PartContext): Promise<Counts> {
  const display = await openFastDisplay(await findOrInstallChromium());
  if ('reason' in display) return skipDisplayTests(display.reason, context);
  try {
    console.log(`Using the ${display.description}.`);
    return await playwright('display-144', context, { config: SITE, env: display.env });
  } finally {
    await display.close();
  }
}

async function skipDisplayTests(reason: string, context: PartContext): Promise<Counts> {
  sayLoudly(`THE DISPLAY TESTS DID NOT RUN: there is no fast display.\n${reason}`);
  return countSkipped(['display-144'], context, { config: SITE });
}

async function firefox(context: PartContext): Promise<Counts> {
  const command = await findOrInstallFirefox();
  if (command !== undefined)
    return withRealTime('firefox', 'firefox-real-time', context, {
      env: drivenEnv('firefox', command),
    });
  return skipBrowser('firefox', 'Install Firefox, or set FIREFOX_PATH to its executable.', context);
}

async function webkit(context: PartContext): Promise<Counts> {
  const opened = await openWebKit();
  if ('reason' in opened) return skipBrowser('webkit', opened.reason, context);
  try {
    const env = drivenEnv('webkit', opened.driverPath);
    return await withRealTime('webkit', 'webkit-real-time', context, {
      env: { ...env, ...opened.env },
    });
  } finally {
    await opened.close();
  }
}

const drivenEnv = (name: BrowserName, command: string): Record<string, string> => ({
  [browserVariable]: name,
  [commandVariable]: command,
});

function skipBrowser(name: BrowserName, reason: string, context: PartContext): Promise<Counts> {
  sayLoudly(`THE TESTS DID NOT RUN IN ${name.toUpperCase()}: there is none.\n${reason}`);
  return countSkipped([name, `${name}-real-time`], context, { env: drivenEnv(name, '') });
}

function sayLoudly(text: string): void {
  const bar = '!'.repeat(80);
  console.log(`${bar}\n${text}\n${bar}`);
}

/** Counts the tests of projects without running them. */
async function countSkipped(
  projects: readonly string[],
  context: PartContext,
  { config = PAGES, env = {} }: PlaywrightRun,
): Promise<Counts> {
  const report = join(context.reportFolder, `${projects[0]}-list.json`);
  const chosen = projects.flatMap((project) => ['--project', project]);
  const args = ['test', '--list', '--config', config, ...chosen, '--reporter=json'];
  await runTool('@playwright/test/cli.js', [...args, ...context.runnerArgs], {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  return { passed: 0, failed: 0, skipped: countListed(report) };
}

/** Runs a tool of `node_modules` directly: no shell and no npx between it and a Ctrl-C. */
function runTool(
  script: string,
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<number> {
  return run(process.execPath, [join('node_modules', script), ...args], env);
}
