/**
 * The template `next`, as a user works with it: made and installed from the packed package, and then, with each bundler of
 * Next.js, developed, and built and served. Last, exported for a host of plain files.
 */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageFolder } from '../../scripts/package/package-layout.js';
import { freePort } from '../fixtures/free-port.js';
import { pack, serve } from './bundlers.js';
import { expectToRun, launchBrowser } from '../package/running-app.js';
import { runIn, startServer } from '../package/template-app.js';

const NEXT = 'node_modules/next/dist/bin/next';
const BUNDLERS = [
  ['Turbopack', []],
  ['webpack', ['--webpack']],
] as const;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'betwixt-next-')));
const app = join(folder, 'gems');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
  const archive = await pack(folder);
  const command = join(packageFolder, 'bin/cli.js');
  const args = ['create', app, '--template', 'next', '--package', archive];
  await runIn(folder, process.execPath, [command, ...args]);
  await runIn(app, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund']);
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a server of Next.js, which renders the page without a warning, and looks at the page in a browser. */
async function expectToServe(...command: readonly string[]): Promise<void> {
  const port = String(await freePort());
  const address = ['--hostname', '127.0.0.1', '--port', port];
  const server = await startServer(app, [NEXT, ...command, ...address]);
  try {
    const rendered = await (await fetch(server.url)).text();
    expect(rendered).toContain('<canvas');
    expect(rendered).toContain('Click or tap the gems');
    await expectToRun(browser, server.url, expect);
    expect(server.output()).not.toMatch(/⚠|⨯|warn|error/i);
  } finally {
    await server.stop();
  }
}

test('its types are right', () => runIn(app, 'npm', ['run', 'typecheck']));

test.each(BUNDLERS)('it is developed with %s', (_, flags) => expectToServe('dev', ...flags));

test.each(BUNDLERS)('it is built with %s, and served', async (_, flags) => {
  expect(await runIn(app, process.execPath, [NEXT, 'build', ...flags])).not.toContain('⚠');
  await expectToServe('start');
});

test('it is exported as its README says, for a host that sends the headers', async () => {
  const file = join(app, 'next.config.ts');
  const config = readFileSync(file, 'utf8');
  writeFileSync(file, config.replace(/headers: .*/, "output: 'export',"));
  expect(await runIn(app, process.execPath, [NEXT, 'build'])).not.toContain('⚠');
  const context = await browser.newContext();
  try {
    await serve(context, join(app, 'out'));
    await expectToRun(context, 'http://localhost/', expect);
  } finally {
    await context.close();
  }
});
