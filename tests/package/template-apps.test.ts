/**
 * Each template, as a user works with it: both packages are published to a registry of our own, and then `npm create
 * betwixt@latest`, install, typecheck, test, open it, build, open it again.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { findOrInstallChromium } from '../../scripts/browsers/find-chromium.js';
import { repositoryRoot } from '../../scripts/child-process.js';
import { createPackageFolder, packageFolder } from '../../scripts/package/package-layout.js';
import { freePort } from '../fixtures/free-port.js';
import { startRegistry, type Registry } from './registry.js';
import { expectToRun, launchBrowser } from './running-app.js';
import { outputOf, runIn, startVite } from './template-app.js';

/** The first is installed first, into an empty cache of npm, and has what the others have. */
const TEMPLATES = [
  { template: 'react', hasEngine: true },
  { template: 'vanilla', hasEngine: true },
  { template: 'custom', hasEngine: false },
] as const;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'betwixt-stranger-')));
const apps = join(folder, 'apps');
const folderOf = (template: string): string => join(apps, `${template}-app`);
let browser: Browser;
let registry: Registry | undefined;
let published: readonly Publication[];

beforeAll(async () => {
  browser = await launchBrowser();
  mkdirSync(apps);
  registry = await startRegistry(folder);
  published = [await publish(packageFolder), await publish(createPackageFolder)];
  const [first, ...others] = TEMPLATES.map(({ template }) => template);
  await createAndInstall(first ?? '', []);
  // By now, packages in the cache are from this registry and of this run.
  await Promise.all(others.map((template) => createAndInstall(template, ['--prefer-offline'])));
});

afterAll(async () => {
  await browser?.close();
  await registry?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** npm's report on a package that it has published. */
interface Publication {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  readonly warnings: string;
}

/** Without the proof of where it was built, which there is only on GitHub. */
async function publish(packageToPublish: string): Promise<Publication> {
  const args = ['publish', packageToPublish, '--json', '--provenance=false'];
  const dry = await npm(folder, [...args, '--dry-run']);
  const real = await npm(folder, args);
  const [publication] = Object.values(JSON.parse(real.stdout)) as [Omit<Publication, 'warnings'>];
  return { ...publication, warnings: dry.stderr + real.stderr };
}

const npm = (where: string, args: readonly string[]) => outputOf(where, 'npm', args, registry?.env);

async function createAndInstall(template: string, flags: readonly string[]): Promise<void> {
  const options = ['--', '--template', template];
  await npm(apps, ['create', '--yes', ...flags, 'betwixt@latest', `${template}-app`, ...options]);
  await npm(folderOf(template), ['install', ...flags]);
}

test('npm publishes both packages without a warning', () => {
  expect(published).toMatchObject([
    { name: 'betwixt', warnings: '' },
    { name: 'create-betwixt', warnings: '' },
  ]);
});

// The templates in parallel, and the steps of one app in sequence.
describe.concurrent.each(TEMPLATES)('the template $template', ({ template, hasEngine }) => {
  const app = folderOf(template);
  const script = (name: string): Promise<string> => runIn(app, 'npm', ['run', name]);

  const serveAndRun = async (args: readonly string[], context: TestContext): Promise<void> => {
    const server = await startVite(app, args);
    context.onTestFinished(() => server.stop());
    await expectToRun(browser, server.url, context.expect);
  };

  test.sequential('is installed from our registry alone, with what was published there', () => {
    const { packages } = JSON.parse(readFileSync(join(app, 'package-lock.json'), 'utf8'));
    const { '': _app, ...installed } = packages as Record<string, { readonly resolved: string }>;
    const from = Object.entries(installed).map(([name, { resolved }]) => `${name} ${resolved}`);
    expect(from.length).toBeGreaterThan(10);
    expect(from.filter((line) => !line.includes(` ${registry?.url}`))).toEqual([]);
    // Only apps with rooms have that.
    expect(from.filter((line) => line.includes('colyseus'))).toEqual([]);
    const [{ version, integrity } = {}] = published;
    expect(packages['node_modules/betwixt']).toMatchObject({ version, integrity });
  });

  test.sequential('is named after its folder, and has what it needs and no more', () => {
    const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
    expect(manifest.name).toBe(`${template}-app`);
    const names = Object.keys(manifest.dependencies);
    expect(names.some((name) => name.startsWith('@dimforge/'))).toBe(hasEngine);
    expect(names).toContain('betwixt');
    expect(readFileSync(join(app, '.gitignore'), 'utf8')).toContain('node_modules');
    expect(readFileSync(join(app, 'README.md'), 'utf8')).toMatch(`# ${template}-app\n`);
  });

  test.sequential('typechecks', () => script('typecheck'));

  test.sequential('passes its own test in Node', async () => {
    expect(await script('test')).toMatch(/Tests\s+\d+ passed/);
  });

  test.sequential('passes its own test in a browser', async () => {
    const env = { CHROMIUM_PATH: await findOrInstallChromium(), PORT: String(await freePort()) };
    expect(await runIn(app, 'npm', ['run', 'test:browser'], env)).toMatch(/[1-4] passed/);
  });

  test.sequential('runs from the development server, which finds all dependencies before its first page', async (context) => {
    rmSync(join(app, 'node_modules/.vite'), { recursive: true, force: true });
    await serveAndRun([], context);
  });

  test.sequential('builds, and the build runs', async (context) => {
    await script('build');
    expect(existsSync(join(app, 'dist/_headers'))).toBe(true);
    await serveAndRun(['preview'], context);
  });
});

test('the simulation of docs/own-simulation.md passes its test and those of the template custom in an app of it', async () => {
  const app = folderOf('custom');
  cpSync(join(repositoryRoot, 'docs/snippets/fountain/src'), join(app, 'src'), { recursive: true });
  const ownTest = 'tests/fountain.test.ts';
  cpSync(join(repositoryRoot, 'docs/snippets/fountain', ownTest), join(app, ownTest));
  expect(await runIn(app, 'npm', ['run', 'test'])).toMatch(/Tests\s+3 passed/);
  // The page still listens to a removed event, and the typecheck reports it as in the document.
  const text = readFileSync(join(repositoryRoot, 'docs/own-simulation.md'), 'utf8');
  const complaint = /^src\/main\.ts\(.*$/m.exec(text)?.[0] ?? 'no line in the document';
  await expect(runIn(app, 'npm', ['run', 'typecheck'])).rejects.toThrow(complaint);
});
