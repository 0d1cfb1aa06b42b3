/** How long a built application takes to its first motion: `npm run bench:first-motion`. */
import type { Browser } from '@playwright/test';
import { integer } from '../../../scripts/cli/arguments.js';
import { defineCommand, parseCommand } from '../../../scripts/cli/command.js';
import { EXIT_CODES } from '../../../scripts/cli/exit-codes.js';
import { runCommand } from '../../../scripts/cli/run-command.js';
import { requireWritable } from '../../cli/result-files.js';
import { launchChromium } from '../../peers/production-browser.js';
import { alternately, tableOf, type Metric } from '../../tables/figures.js';
import { TableOutput } from '../../tables/output.js';
import { thisMachine } from '../../tables/this-machine.js';
import type { FirstMotion } from './app.js';
import { SUBJECTS, buildApp, serveApp, type BuiltApp } from './built-app.js';

const COMMAND = defineCommand({
  name: 'bench:first-motion',
  about: `Measures how long a built application takes from the navigation to its first frame and to the first motion, with an empty
cache, and how long a second world takes to its first motion: on betwixt/react and on @react-three/rapier, in one browser.`,
  flags: {
    repeats: { value: 'N', about: 'navigations of each, alternately (default 7)' },
    uncompressed: { about: 'files are served without gzip' },
    json: { value: 'FILE', about: 'all values, for scripts' },
  },
});

const RATES_MBITS = [undefined, 20] as const;

interface Visit extends FirstMotion {
  readonly bytes: number;
}

const METRICS: readonly Metric<Visit>[] = [
  { what: 'shown', unit: 'ms', of: ({ shownMs }) => shownMs },
  { what: 'moved', unit: 'ms', of: ({ movedMs }) => movedMs },
  { what: 'second world', unit: 'ms', of: ({ secondMs }) => secondMs },
  { what: 'transferred', unit: 'MB', of: ({ bytes }) => bytes / 1e6 },
];

process.exit(await runCommand(COMMAND, main));

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseCommand(COMMAND, args);
  requireWritable({ json: values.json });
  const repeats = integer('--repeats', values.repeats ?? '7', 1, 1000);
  const isCompressed = values.uncompressed !== true;
  const built: ReadonlyMap<string, Buffer>[] = [];
  for (const subject of SUBJECTS) built.push(await buildApp(subject));
  const browser = await launchChromium();
  try {
    const output = new TableOutput(
      thisMachine(browser.version()),
      { repeats, isCompressed },
      values.json,
    );
    for (const mbits of RATES_MBITS) {
      const apps = await Promise.all(
        built.map((files) => serveApp(files, { mbits, isCompressed })),
      );
      const [theirs = [], ...all] = await alternately(apps, repeats, (app) => visit(browser, app));
      for (const app of apps) await app.close();
      for (const [index, ours] of all.entries()) {
        const title = mbits === undefined ? 'without a limit' : `${mbits} Mbit/s`;
        const head = { title, ours: SUBJECTS[index + 1] ?? '', theirs: SUBJECTS[0] };
        output.add(tableOf(head, [ours, theirs], METRICS));
      }
    }
  } finally {
    await browser.close();
  }
  return EXIT_CODES.done;
}

async function visit(browser: Browser, app: BuiltApp): Promise<Visit> {
  // A new context has an empty cache.
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    app.takeServed();
    await page.goto(app.address, { waitUntil: 'commit' });
    const moved = await page.waitForFunction(() => globalThis.firstMotion, undefined, {
      polling: 100,
    });
    const bytes = app.takeServed().reduce((sum, file) => sum + file.bytes, 0);
    return { ...((await moved.jsonValue()) as FirstMotion), bytes };
  } finally {
    await context.close();
  }
}
