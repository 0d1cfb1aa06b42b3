/** The parts of the tests: what each runs, and what may run at the same time. */
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, type RunOptions } from '../child-process.js';
import { browserVariable, type BrowserName, commandVariable } from '../browsers/driven-browsers.js';
import { findOrInstallChromium } from '../browsers/find-chromium.js';
import { findOrInstallFirefox } from '../browsers/find-firefox.js';
import { openWebKit } from '../browsers/find-webkit.js';
import { openVirtualDisplay } from '../browsers/virtual-display.js';
import { findOrInstallRedis } from '../find-redis.js';
import { installRooms } from '../rooms/install.js';
import { installArmNode } from './emulated-node.js';
import { installNode } from './install-node.js';
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
  /** Whether it runs only by its name: it takes as long as all others together, or needs what few machines have. */
  readonly isExtra?: boolean;
  readonly run: (context: PartContext) => Promise<void>;
}

const code = { lane: 'code', everyday: true } as const;
const browsers = { lane: 'browsers', everyday: true } as const;
const restOfCode = { lane: 'code', everyday: false } as const;
const restOfBrowsers = { lane: 'browsers', everyday: false } as const;

/** Runs of the attack are the same, so that a failure is due to a change. */
const SAME_CASES = { BETWIXT_ATTACK_SEED: '7' };

/**
 * All parts, in the order in which those of a lane run: quick ones and those that fail most often first.
 *
 * Parts that a change of the library can break are everyday. The rest need another browser, another Node, a server, a package
 * or a quiet machine.
 */
export const parts: Readonly<Record<string, Part>> = {
  types: { ...code, run: (context) => check(tool('typescript/bin/tsc'), ['-b'], context) },
  lint: { ...code, run: lint },
  unit: { ...code, run: (context) => vitest(['unit'], context) },
  tools: { ...code, run: (context) => vitest(['tools'], context) },
  react: { ...code, run: (context) => vitest(['react'], context) },
  threads: { ...code, run: (context) => vitest(['threads'], context) },
  browser: { ...browsers, run: (context) => playwright('browser', context) },
  site: { ...browsers, run: (context) => playwright('site', context, { config: SITE }) },
  // Tables of which `unit` tries a part.
  thorough: { ...restOfCode, run: (context) => vitest(['thorough'], context) },
  rooms: { ...restOfCode, run: rooms },
  // The same behaviour as in `unit`, in worker threads.
  transports: {
    ...restOfCode,
    run: (context) => vitest(['transport-shared', 'transport-transfer'], context),
  },
  package: { ...restOfCode, run: (context) => vitest(['package'], context) },
  bundlers: { ...restOfCode, isExtra: true, run: (context) => vitest(['bundlers'], context) },
  attack: { ...restOfCode, run: attack },
  nodes: { ...restOfCode, run: nodes },
  arm64: { ...restOfCode, isExtra: true, run: arm64 },
  firefox: { ...restOfBrowsers, run: (context) => firefox('firefox', context) },
  webkit: { ...restOfBrowsers, run: (context) => webkit('webkit', context) },
  renderers: { ...restOfBrowsers, run: (context) => playwright('renderers', context) },
  soak: {
    ...restOfBrowsers,
    run: (context) => playwright('soak', context, { config: SITE, env: SAME_CASES }),
  },
  peers: { ...restOfBrowsers, run: (context) => playwright('peers', context) },
  'real-time': { lane: 'alone', everyday: false, run: realTime },
  display: { lane: 'alone', everyday: false, run: fastDisplay },
};

/** Run directly: no shell and no npx between it and a Ctrl-C. */
function tool(script: string): string {
  return join('node_modules', script);
}

/** The example's server and many rooms at once, with what only they need. */
async function rooms(context: PartContext): Promise<void> {
  // Without it, the test of rooms in several processes is skipped, and says so.
  await findOrInstallRedis();
  await installRooms(context.onOutput);
  await check(tool('typescript/bin/tsc'), ['-b', 'tsconfig.rooms.json'], {
    ...context,
    runnerArgs: [],
  });
  await vitest(['rooms'], context);
}

/** Versions in `engines` that are newer than the one in `.nvmrc`. */
const NODES = ['22', '24'];
/** Tests in a browser do not depend on it. */
const NODE_PROJECTS = ['unit', 'threads'];

/** Code on newer versions of Node. Arguments: versions, and then those of the runner. */
async function nodes(context: PartContext): Promise<void> {
  const versions = context.runnerArgs.filter((arg) => /^\d+$/.test(arg));
  const runnerArgs = context.runnerArgs.filter((arg) => !/^\d+$/.test(arg));
  for (const version of versions.length > 0 ? versions : NODES) {
    const node = await installNode(version, context.onOutput);
    if (node === undefined) {
      const reason = 'npm has no such version for this system';
      context.onOutcome({ name: `Node ${version}`, result: 'skipped', reason });
      continue;
    }
    await vitest(
      NODE_PROJECTS,
      {
        ...context,
        runnerArgs,
        onOutcome: (outcome) =>
          context.onOutcome({ ...outcome, name: `Node ${version} › ${outcome.name}` }),
      },
      { node },
    );
  }
}

/** Whatever a processor may compute differently, on ARM: on this machine if it is one, or else emulated. */
async function arm64(context: PartContext): Promise<void> {
  const node =
    process.arch === 'arm64' ? { path: process.execPath } : await installArmNode(context.onOutput);
  if ('reason' in node) {
    context.onOutcome({ name: 'arm64', result: 'skipped', reason: node.reason });
    return;
  }
  await vitest(['arm64'], context, { env: { BETWIXT_TEST_NODE: node.path } });
}

const PAGES = 'playwright.config.ts';
const SITE = 'playwright.site.config.ts';

const reporter = (name: string): string => fileURLToPath(new URL(`${name}.ts`, import.meta.url));

async function lint(context: PartContext): Promise<void> {
  await check(tool('oxlint/bin/oxlint'), ['--deny-warnings'], context);
  await check(tool('oxfmt/bin/oxfmt'), ['--check'], context);
  await check('scripts/lint/documents.js', [], context);
  await check('scripts/lint/names.js', [], context);
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

function vitest(
  projects: readonly string[],
  context: PartContext,
  options: ScriptOptions = {},
): Promise<void> {
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
    options,
  );
}

/** The differences between the runs of Playwright. */
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

/** The attack takes its time whatever its share of the processors, and so has a lower priority than the browsers. */
function attack(context: PartContext): Promise<void> {
  return vitest(['attack'], context, { niceness: 10, env: SAME_CASES });
}

/** Cases that check rates and latencies, in worker threads and in every available browser. */
async function realTime(context: PartContext): Promise<void> {
  await vitest(['real-time'], context);
  await playwright('real-time', context);
  await firefox('firefox-real-time', context);
  await webkit('webkit-real-time', context);
}

async function fastDisplay(context: PartContext): Promise<void> {
  const display = await openVirtualDisplay();
  if (display === undefined) {
    const reason = 'no virtual display, which needs Linux, Xorg and its dummy driver';
    await skipAll('display-144', reason, context, { config: SITE });
    return;
  }
  try {
    await playwright('display-144', context, { config: SITE, env: display.env });
  } finally {
    await display.close();
  }
}

async function firefox(project: string, context: PartContext): Promise<void> {
  const command = await findOrInstallFirefox();
  if (command !== undefined) {
    // For tests that draw: without a window, Firefox has no WebGL.
    const display = await openVirtualDisplay();
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

interface ScriptOptions extends Pick<RunOptions, 'env' | 'niceness'> {
  /** Another Node than that of this process. All that the script starts as `node` is that one, too. */
  readonly node?: string;
}

/** Runs a test runner that has one of our reporters. */
async function runTests(
  script: string,
  args: readonly string[],
  { outcomes, onOutcome, onOutput }: PartContext,
  options: ScriptOptions = {},
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
  // The run did not start, or something went wrong between tests: the totals must never look better than
  // the run was.
  onOutcome({
    name: script.split('/').at(-1) ?? script,
    result: 'failed',
    reason: `exit code ${exitCode} without a failed test`,
    detail: output.split('\n').slice(-40).join('\n'),
  });
}

function runScript(
  script: string,
  args: readonly string[],
  { node, ...options }: RunOptions & ScriptOptions,
): Promise<number> {
  const loader = script.endsWith('.ts') ? ['--import', 'tsx'] : [];
  if (node === undefined) return run(process.execPath, [...loader, script, ...args], options);
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  return run(node, [...loader, script, ...args], {
    ...options,
    env: { ...options.env, PATH: path },
  });
}
