/** Warnings for developers, in apps that have the package from other bundlers than the repository's: on while one develops, and off in a build. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumFlags } from '../../scripts/browsers/chromium-flags.js';
import { findOrInstallChromium } from '../../scripts/browsers/find-chromium.js';
import { BUNDLERS, PATIENCE_MS, installBundler, openApp, pack, writeApp } from './bundlers.js';

/** An event without a handler, and a body that is moved behind the library's back: each side warns of one. */
const WORKER = `
import { rapierSimulation } from 'betwixt/rapier';
import { runSimulation } from 'betwixt/worker';
runSimulation(rapierSimulation(({ context, physics, rapier }) => {
  const body = physics.world.createRigidBody(rapier.RigidBodyDesc.dynamic());
  physics.add(body);
  return {
    step(dt, tick) {
      physics.step(dt);
      if (tick === 5) context.events.emit('bang', null);
      if (tick === 10) body.setTranslation({ x: 50, y: 0, z: 0 }, true);
      if (tick === 20) context.events.emit('end', null);
    },
  };
}));
`;

/** The page's timer is later than those of its warnings. */
const PAGE = `
import { connect } from 'betwixt';
export async function main() {
  const sim = await connect(() => new Worker(new URL('./sim.worker.js', import.meta.url), { type: 'module' }));
  const draw = (stamp) => { sim.sample(stamp); requestAnimationFrame(draw); };
  requestAnimationFrame(draw);
  sim.on('end', () => setTimeout(() => console.log('the end'), 4000));
}
`;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'betwixt-warnings-')));
let browser: Browser;
let archive: string;
beforeAll(async () => {
  const executablePath = await findOrInstallChromium();
  browser = await chromium.launch({ executablePath, args: [...chromiumFlags] });
  archive = await pack(folder);
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The app below has its simulation in its own worker. */
const bundlers = BUNDLERS.filter(({ without = [] }) => !without.includes('an own simulation'));
describe.each(bundlers)('$name', (bundler) => {
  const app = join(folder, bundler.name.replaceAll(/\W+/g, '-'));

  beforeAll(async () => {
    await installBundler(app, bundler, archive);
    writeApp(app, bundler, { 'main.js': PAGE, 'sim.worker.js': WORKER });
  });

  const isDeveloped = (bundler.develop ?? bundler.developBuild) !== undefined;
  test.runIf(isDeveloped)('development turns on the warnings of page and worker', async () => {
    expect(await openApp(browser, app, bundler, 'development', warningsOn)).toEqual([
      expect.stringContaining('setTranslation moved body'),
      expect.stringContaining('the simulation emits "bang"'),
    ]);
  });

  test('a build runs, and warns of nothing', async () => {
    expect(await openApp(browser, app, bundler, 'production', warningsOn)).toEqual([]);
  });
});

async function warningsOn(page: Page, address: string): Promise<string[]> {
  const lines: string[] = [];
  page.on('console', (message) => lines.push(message.text()));
  page.on('pageerror', (error) => lines.push(String(error)));
  await page.goto(address);
  await expect.poll(() => lines, { timeout: PATIENCE_MS }).toContain('the end');
  return lines.filter((line) => line.startsWith('betwixt: ')).toSorted();
}
