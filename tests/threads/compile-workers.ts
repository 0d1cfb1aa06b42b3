/**
 * Compiles what worker threads and processes run to JavaScript, once, before the first test.
 * Otherwise each of hundreds of them loads a compiler and compiles the library again, which takes
 * most of them longer than their actual work. For the same reason each of them is few files, and
 * without a source map.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';
import { compileForNode } from '../../scripts/test/compile-for-node.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = 'tests/fixtures/workers/';
/** Commands that are tested as processes, and what threads of the benchmarks run. */
const COMMANDS = ['bench/cli/main', 'bench/worker/node-bench.worker', 'demo/cli/replay'];
/** In the repository, so that its dependencies are found; of this process, so that two can test at the same time. */
const outDir = `${root}build/threads.${process.pid}`;

export async function setup(project: TestProject): Promise<void> {
  project.provide('workerScripts', pathToFileURL(`${outDir}/${SOURCES}`).href);
  project.provide('compiledCode', outDir);
  project.onTestsRerun(compile);
  // The projects of one process share it.
  if (!existsSync(outDir)) await compile();
}

export function teardown(): void {
  rmSync(outDir, { recursive: true, force: true });
}

async function compile(): Promise<void> {
  const names = readdirSync(root + SOURCES).filter((name) => name.endsWith('.worker.ts'));
  const scripts = [...names.map((name) => SOURCES + name.replace(/\.ts$/, '')), ...COMMANDS];
  await compileForNode({
    outDir,
    scripts: Object.fromEntries(scripts.map((name) => [name, `${name}.ts`])),
    treeshake: false,
  });
}
