/** Runs loops on the real clock of a real browser: `npm run lab:real`. */
import type {} from '../real/real-page.js';
import { number } from '../../scripts/cli/arguments.js';
import { defineCommand, parseCommand } from '../../scripts/cli/command.js';
import { EXIT_CODES } from '../../scripts/cli/exit-codes.js';
import { runCommand } from '../../scripts/cli/run-command.js';
import { WORKER_STEPPERS } from '../engine/loops/registry.js';
import { DEFAULT_SCENARIO, isDeterministic } from '../engine/index.js';
import { formatTable } from './table.js';

/** Work of an update, in ms. */
const UPDATE_MS = 0.2;

const COMMAND = defineCommand({
  name: 'lab:real',
  operands: '[SECONDS]',
  about: `Runs the loops that can run in a worker in a real browser on the real clock, for 0.1 to 3600 seconds (default 10), and
prints the lab's columns.`,
  flags: {},
});

process.exit(await runCommand(COMMAND, main));

async function main(args: readonly string[]): Promise<number> {
  const [seconds = '10'] = parseCommand(COMMAND, args).operands;
  const duration = number('seconds', seconds, 0.1, 3600);
  // Loading the browser driver takes a second; a mistyped argument should fail without it.
  const { withBrowserPage } = await import('../../scripts/browsers/browser-session.js');
  process.stdout.write(`${WORKER_STEPPERS.length} loops side by side, for ${duration} s …\n\n`);
  const reports = await withBrowserPage(async (page, address) => {
    await page.goto(`${address}/lab/real/real.html`);
    await page.waitForFunction(() => 'lab' in globalThis);
    return page.evaluate(
      ([kinds, given, updateMs]) =>
        globalThis.lab.run(kinds.map((kind) => ({ stepper: { kind }, seconds: given, updateMs }))),
      [WORKER_STEPPERS, duration, UPDATE_MS] as const,
    );
  });
  // Deterministic is a property of the loop, not of a run: virtual time determines it.
  const rows = reports.map((report) =>
    Object.assign(report, {
      deterministic: isDeterministic(() => ({ kind: report.stepper }), DEFAULT_SCENARIO),
    }),
  );
  process.stdout.write(`${formatTable(rows, process.stdout.columns)}\n`);
  return EXIT_CODES.done;
}
