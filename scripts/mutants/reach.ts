/** A setup file of Vitest: notes which functions of `src` each test file runs, and how long it takes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';

/** The functions that one file of tests runs. */
export interface Reach {
  /** The test file. */
  readonly test: string;
  readonly seconds: number;
  /** Names of functions, by source file. The empty name is the module itself. */
  readonly functions: Readonly<Record<string, readonly string[]>>;
}

const folder = process.env.BETWIXT_REACH;

if (folder !== undefined) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const startMs = performance.timeOrigin + performance.now();
  const test = relative(process.cwd(), expect.getState().testPath ?? '');

  afterAll(() => {
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      const functions = Object.fromEntries(
        result.flatMap(({ url, functions: found }) => {
          const file = relative(process.cwd(), url.replace('file://', ''));
          if (!file.startsWith('src/')) return [];
          const names = found
            .filter(({ ranges }) => ranges.some(({ count }) => count > 0))
            .map(({ functionName }) => functionName.replace(/^(get|set) /, ''));
          return [[file, [...new Set(names)]]];
        }),
      );
      const seconds = (performance.timeOrigin + performance.now() - startMs) / 1000;
      const reach: Reach = { test, seconds, functions };
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${folder}/${test.replaceAll('/', '~')}.json`, JSON.stringify(reach));
    });
    session.disconnect();
  });
}
