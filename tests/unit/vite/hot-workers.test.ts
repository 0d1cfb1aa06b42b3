import { expect, test } from 'vitest';
import { changedWorkers, type HotModule } from '../../../src/vite/hot-workers.js';

const WORKER = '/sim.worker.ts?worker_file&type=module';

/** The modules of an app by what imports them; `accepts` has those that importers replace by themselves. */
function modulesOf(
  importers: Readonly<Record<string, readonly string[]>>,
  accepts: Readonly<Record<string, readonly string[]>> = {},
): (name: string) => HotModule {
  const made = new Map<string, HotModule>();
  const moduleOf = (url: string): HotModule => {
    const known = made.get(url);
    if (known !== undefined) return known;
    const importersOfIt = new Set<HotModule>();
    const acceptedHmrDeps = new Set<HotModule>();
    const isSelfAccepting = accepts[url]?.includes(url) ?? false;
    const module = { url, importers: importersOfIt, acceptedHmrDeps, isSelfAccepting };
    made.set(url, module);
    for (const importer of importers[url] ?? []) importersOfIt.add(moduleOf(importer));
    for (const accepted of accepts[url] ?? []) acceptedHmrDeps.add(moduleOf(accepted));
    return module;
  };
  return moduleOf;
}

const ofApp = modulesOf({
  '/rules.ts': ['/sim.ts'],
  '/sim.ts': [WORKER, '/circle.ts'],
  '/circle.ts': ['/sim.ts'],
  '/shared.ts': ['/sim.ts', '/main.ts'],
  '/two.ts': [WORKER, '/other.worker.js?type=module&worker_file'],
});

test.each([
  ['the entry', WORKER, [WORKER]],
  ['what it imports, also in circles', '/rules.ts', [WORKER]],
  ['what two of them have', '/two.ts', [WORKER, '/other.worker.js?type=module&worker_file']],
  ['what the page has as well', '/shared.ts', []],
  ['what only the page has', '/main.ts', []],
])('when what has changed is %s, the workers that run it are replaced', (_, changed, workers) => {
  expect(changedWorkers([ofApp(changed)])).toEqual(workers);
});

test('a changed file may have no modules, or several', () => {
  expect(changedWorkers([])).toEqual([]);
  expect(changedWorkers([ofApp('/rules.ts'), ofApp('/two.ts')])).toHaveLength(2);
  expect(changedWorkers([ofApp('/rules.ts'), ofApp('/main.ts')])).toEqual([]);
});

const importers = {
  '/rules.ts': ['/sim.ts', '/other.ts'],
  '/sim.ts': [WORKER],
  '/other.ts': [WORKER],
};

test('modules that accept changes on all ways are left to Vite, by themselves or by their importers', () => {
  const byItself = modulesOf(importers, { '/rules.ts': ['/rules.ts'] });
  expect(changedWorkers([byItself('/rules.ts')])).toEqual([]);
  const accepts = { '/sim.ts': ['/rules.ts'], '/other.ts': ['/rules.ts'] };
  const byImporters = modulesOf(importers, accepts);
  for (const url of Object.keys(accepts)) byImporters(url);
  expect(changedWorkers([byImporters('/rules.ts')])).toEqual([]);
});

test('modules that accept changes on one of two ways do not spare the worker', () => {
  const moduleOf = modulesOf(importers, { '/sim.ts': ['/rules.ts'] });
  expect(changedWorkers([moduleOf('/rules.ts')])).toEqual([WORKER]);
});

test('modules of the page that accept changes are the page, and what it shares with a worker reloads it', () => {
  const moduleOf = modulesOf({ '/shared.ts': ['/main.ts', WORKER] }, { '/main.ts': ['/main.ts'] });
  expect(changedWorkers([moduleOf('/shared.ts')])).toEqual([]);
});
