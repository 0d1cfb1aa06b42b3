/**
 * Compiles scripts of the repository, with all that they import, to a file each that Node runs: threads and processes that
 * tests and measurements start by the hundred would otherwise load a compiler each.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface NodeScripts {
  /** In the repository, so that its dependencies are found. */
  readonly outDir: string;
  /** Paths in the repository, by the names that the files get, without an ending. */
  readonly scripts: Readonly<Record<string, string>>;
  /** As an application has it. Default false: errors name lines that can be read. */
  readonly minify?: boolean;
  /** Default true. Without it, a loop that only wastes time is kept. */
  readonly treeshake?: boolean;
}

export async function compileForNode({
  outDir,
  scripts,
  minify = false,
  treeshake = true,
}: NodeScripts): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // Tests run with React's production build, which has no functions for development.
    oxc: { jsx: { development: false } },
    build: {
      outDir,
      ssr: true,
      target: 'node20',
      minify,
      rolldownOptions: {
        input: Object.fromEntries(
          Object.entries(scripts).map(([name, path]) => [name, `${root}${path}`]),
        ),
        treeshake,
        output: { entryFileNames: '[name].js' },
      },
    },
  });
}
