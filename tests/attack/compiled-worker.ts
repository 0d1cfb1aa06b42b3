/** Compiles the script of worker threads once, when a walk needs it: hundreds of threads start from it. */
import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileForNode } from '../../scripts/test/compile-for-node.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/**
 * In the repository, so that its dependencies are found; of this process, so that two can run at
 * the same time.
 */
const outDir = `${root}build/attack.${process.pid}`;

let counting: Promise<URL> | undefined;

/** @returns The script of the simulation that counts. */
export const compileCounting = (): Promise<URL> => (counting ??= compile());

async function compile(): Promise<URL> {
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  const scripts = { counting: 'tests/fixtures/workers/counting.worker.ts' };
  await compileForNode({ outDir, scripts });
  return pathToFileURL(`${outDir}/counting.js`);
}
