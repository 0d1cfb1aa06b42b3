/** A simulation holds as much memory as docs/performance.md says, and nothing for bodies that do not exist. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { measuredBy } from '../fixtures/measured-process.js';
import { present } from '../fixtures/present.js';
import type { HeldBytes, TouchedMB } from '../fixtures/workers/memory.worker.js';

/** Measured; the documentation has a third column, and then a formula. */
const BODIES = [100, 1000];
const MANY = { bodies: 10_000, column: 2 };
const FORMULA_COLUMN = 3;

/** Rows of the table in the documentation, by what they are of. */
const ROWS: Readonly<Record<keyof HeldBytes, string>> = {
  shared: 'shared by page and worker',
  sharedOfWorld: 'the same, of a world',
  packet: 'a snapshot as a message',
  worker: "the worker's arrays, with Rapier",
  engine: "Rapier's memory, SIMD build",
  savedState: 'one saved state, with Rapier',
  handles: 'handles of a world on the page',
};
/** Objects have the sizes that an engine gives them: another version may need more, but not a multiple. */
const ABOUT: ReadonlySet<string> = new Set(['handles']);

/** Other objects that a process makes and collects, such as compiled code. */
const OTHER_OBJECTS_BYTES = 600_000;

/** @param text Such as `1.90 MB`. */
function bytesIn(text: string): number {
  const [, number, unit = ''] = /^(?:about )?([\d.,]+) (bytes|kB|MB)$/.exec(text) ?? [];
  return Number(number?.replaceAll(',', '')) * ({ kB: 1e3, MB: 1e6 }[unit] ?? 1);
}

const documented = new Map(
  readFileSync('docs/performance.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '))
    .map(([name = '', ...cells]) => [name, cells] as const),
);
let measured: readonly HeldBytes[];
beforeAll(async () => {
  measured = await Promise.all(BODIES.map((bodies) => measuredBy<HeldBytes>('memory', [bodies])));
});

test.each(Object.entries(ROWS))('docs/performance.md has the bytes of %s: %s', (name, row) => {
  const cells = present(documented.get(row));
  for (const [index, held] of measured.entries()) {
    const bytes = held[name as keyof HeldBytes];
    const noise = ABOUT.has(name) ? Math.max(OTHER_OBJECTS_BYTES, bytes / 2) : bytes / 100;
    expect(Math.abs(bytesIn(present(cells[index])) - bytes)).toBeLessThan(noise);
  }
});

test.each(['shared', 'sharedOfWorld', 'packet', 'worker', 'savedState'] as const)(
  'the formula of %s in docs/performance.md is that of the measured bytes, and of its last column',
  (name) => {
    const cells = present(documented.get(ROWS[name]));
    const [, constant = '0 bytes', perBody = ''] =
      /^(?:(.+) \+ )?([\d.,]+ (?:bytes|kB)) × /.exec(present(cells[FORMULA_COLUMN])) ?? [];
    const reckoned = (bodies: number) => bytesIn(constant) + bytesIn(perBody) * bodies;
    for (const [index, held] of measured.entries()) {
      expect(Math.abs(reckoned(present(BODIES[index])) / held[name] - 1)).toBeLessThan(0.01);
    }
    // The queues of larger capacities grow by powers of two.
    if (cells[FORMULA_COLUMN]?.endsWith(', up to 4,096')) return;
    const last = bytesIn(present(cells[MANY.column]));
    expect(Math.abs(reckoned(MANY.bodies) / last - 1)).toBeLessThan(0.01);
  },
);

/** MB that a process gains and loses by itself: compiled code, garbage. */
const NOISE_MB = 10;

test('room for bodies that do not exist takes no memory', async ({ skip }) => {
  skip(process.platform !== 'linux', 'only Linux says which pages of a mapping are in use');
  const { shared, sharedUsed, sharedUsedByControl, worker, workerUsed, workerUsedByControl } =
    await measuredBy<TouchedMB>('memory', [100, 500_000, 1_000_000]);
  expect(shared).toBeGreaterThan(380);
  expect(sharedUsed).toBeLessThan(NOISE_MB);
  expect(worker).toBeGreaterThan(80);
  expect(workerUsed).toBeLessThan(NOISE_MB);
  // The control: one array of poses that is written counts.
  expect(sharedUsedByControl - sharedUsed).toBeGreaterThan(15);
  expect(workerUsedByControl - workerUsed).toBeGreaterThan(30);
});
