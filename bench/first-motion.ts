/**
 * `npm run bench:first-motion`: how long a built application takes from the navigation to its first frame and to the first
 * motion, with an empty cache, and how long a second world takes to its first motion. On betwixt/react and on
 * @react-three/rapier, alternately, in one browser.
 */
import { writeFileSync } from 'node:fs';
import { chromium, type Browser } from '@playwright/test';
import { chromiumFlags } from '../scripts/browsers/chromium-flags.js';
import { findOrInstallChromium } from '../scripts/browsers/find-chromium.js';
import { integer, parseFlags } from '../scripts/cli/arguments.js';
import { EXIT_CODES } from '../scripts/cli/exit-codes.js';
import { runCommand } from '../scripts/cli/run-command.js';
import { machineLines } from './engine/summary.js';
import { thisMachine } from './peers/cli/this-machine.js';
import { median } from './react/figures.js';
import type { FirstMotion } from './react/first-motion/app.js';
import {
  SUBJECTS,
  buildApp,
  serveApp,
  type BuiltApp,
  type ServedFile,
  type SubjectName,
} from './react/first-motion/built-app.js';

const HELP = `Measures how long a built application takes from the navigation to its first motion.

  npm run bench:first-motion

  --repeats N     navigations of each, alternately (default 7)
  --uncompressed  files are served without gzip
  --json FILE     the result, with the files of each navigation, for scripts
`;

const OPTIONS = {
  repeats: { type: 'string' },
  uncompressed: { type: 'boolean' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const RATES_MBITS = [undefined, 20] as const;

interface Visit extends FirstMotion {
  readonly files: readonly ServedFile[];
}

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseFlags({ args: [...args], options: OPTIONS, strict: true });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT_CODES.done;
  }
  const repeats = integer('--repeats', values.repeats ?? '7', 1, 1000);
  const built = new Map<SubjectName, ReadonlyMap<string, Buffer>>();
  for (const subject of SUBJECTS) built.set(subject, await buildApp(subject));
  const browser = await chromium.launch({
    executablePath: await findOrInstallChromium(),
    args: [...chromiumFlags],
  });
  const machine = thisMachine(browser.version());
  process.stdout.write(`${machineLines(machine).join('\n')}\n`);
  const results = [];
  for (const mbits of RATES_MBITS) {
    const apps = new Map<SubjectName, BuiltApp>();
    const isCompressed = values.uncompressed !== true;
    for (const [subject, files] of built) {
      apps.set(subject, await serveApp(files, { mbits, isCompressed }));
    }
    const visits = await visitAll(browser, apps, repeats);
    for (const app of apps.values()) await app.close();
    results.push({ mbits, visits: Object.fromEntries(visits) });
    print(mbits, visits);
  }
  await browser.close();
  if (values.json !== undefined) {
    const made = new Date().toISOString();
    writeFileSync(values.json, `${JSON.stringify({ made, machine, results }, undefined, 1)}\n`);
  }
  return EXIT_CODES.done;
}

async function visitAll(
  browser: Browser,
  apps: ReadonlyMap<SubjectName, BuiltApp>,
  repeats: number,
): Promise<ReadonlyMap<SubjectName, Visit[]>> {
  const visits = new Map(SUBJECTS.map((subject): [SubjectName, Visit[]] => [subject, []]));
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [subject, app] of apps) visits.get(subject)?.push(await visit(browser, app));
  }
  return visits;
}

async function visit(browser: Browser, app: BuiltApp): Promise<Visit> {
  // It has an empty cache.
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    app.takeServed();
    await page.goto(app.address, { waitUntil: 'commit' });
    const moved = await page.waitForFunction(() => globalThis.firstMotion, undefined, {
      polling: 100,
    });
    return { ...((await moved.jsonValue()) as FirstMotion), files: app.takeServed() };
  } finally {
    await context.close();
  }
}

function print(mbits: number | undefined, visits: ReadonlyMap<SubjectName, Visit[]>): void {
  process.stdout.write(`\n${mbits === undefined ? 'without a limit' : `${mbits} Mbit/s`}\n`);
  for (const [subject, all] of visits) {
    const [shown, moved, second, bytes] = [
      median(all.map(({ shownMs }) => shownMs)),
      median(all.map(({ movedMs }) => movedMs)),
      median(all.map(({ secondMs }) => secondMs)),
      median(all.map(({ files }) => files.reduce((sum, file) => sum + file.bytes, 0))),
    ];
    process.stdout.write(
      `${subject.padEnd(24)} shown ${shown.toFixed(0).padStart(5)} ms, moved ${moved.toFixed(0).padStart(5)} ms, ` +
        `second world ${second.toFixed(0).padStart(4)} ms, ${(bytes / 1e6).toFixed(2)} MB\n`,
    );
  }
}

process.exit(await runCommand('bench:first-motion', main));
