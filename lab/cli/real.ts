/**
 * `npm run lab:real -- [seconds]`: runs the loops that can run in a worker there, in a real browser on the
 * real clock, and prints the lab's columns.
 */
import type {} from '../real/real-page.js';
import { WORKER_STEPPERS } from '../../src/shared/steppers/worker-steppers.js';
import { DEFAULT_SCENARIO, isDeterministic } from '../engine/index.js';
import { formatTable } from './table.js';

/** What an update costs, in ms of work. */
const UPDATE_MS = 0.2;

const seconds = Number(process.argv[2] ?? 10);
if (!(seconds > 0 && seconds <= 3600)) {
  process.stderr.write(
    `lab:real: seconds must be a number above 0, up to 3600, and is "${process.argv[2]}"\n`,
  );
  process.exit(2);
}
// Loading what drives a browser takes a second, which a mistyped argument need not wait for.
const { withBrowserPage } = await import('../../scripts/browser-session.js');
process.stdout.write(`${WORKER_STEPPERS.length} loops side by side, for ${seconds} s …\n\n`);
const reports = await withBrowserPage(async (page, address) => {
  await page.goto(`${address}/lab/real/real.html`);
  await page.waitForFunction(() => 'lab' in globalThis);
  return page.evaluate(
    ([kinds, duration, updateMs]) =>
      globalThis.lab.run(kinds.map((kind) => ({ stepper: { kind }, seconds: duration, updateMs }))),
    [WORKER_STEPPERS, seconds, UPDATE_MS] as const,
  );
});
// Deterministic is a property of the loop and not of a run: it comes from virtual time.
const rows = reports.map((report) =>
  Object.assign(report, {
    deterministic: isDeterministic(() => ({ kind: report.stepper }), DEFAULT_SCENARIO),
  }),
);
process.stdout.write(`${formatTable(rows, process.stdout.columns)}\n`);
process.exit(0);
