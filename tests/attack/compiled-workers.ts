/**
 * Compiles scripts of worker threads once, when the first part needs one: hundreds of threads start
 * from them.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileForNode } from '../../scripts/test/compile-for-node.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/**
 * In the repository, so that its dependencies are found; of this process, so that two can run at
 * the same time.
 */
const outDir = `${root}build/attack.${process.pid}`;
const NAMES = ['counting', 'demo', 'toy'];

let compiled: Promise<void> | undefined;

/** @param name Name of a fixtures' worker that is attacked: one of `counting`, `demo` and `toy`. */
export async function compiledWorker(name: string): Promise<URL> {
  compiled ??= compile();
  await compiled;
  return pathToFileURL(`${outDir}/${name}.js`);
}

async function compile(): Promise<void> {
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await compileForNode({
    outDir,
    scripts: Object.fromEntries(
      NAMES.map((name) => [name, `tests/fixtures/workers/${name}.worker.ts`]),
    ),
  });
}
