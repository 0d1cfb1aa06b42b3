/** `npm run bench:world` as a process. It asserts counts; what is measured depends on the machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the benchmark of worlds measures everything, and loses no impulse and no body', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'betwixt-bench-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const json = join(folder, 'world.json');
  const args = ['--expose-gc', '--import', 'tsx', 'bench/world.ts', '--quick', '--json', json];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(stdout).toMatch(/1000 impulses: the calls .* 0\.5 ms, (within|OVER)/);
  const measured = expect.objectContaining({ ratio: expect.any(Number) as number });
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
    goals: { tick: expect.any(Boolean), idleFrame: expect.any(Boolean) },
    results: {
      tick: measured,
      idle: { us: measured },
      impulses: { callsMs: measured, wrong: 0, frames: 60 },
      creation: { pageMs: measured, drawn: 1000 },
    },
  });
});

test('the benchmark of worlds refuses other arguments in one line', async () => {
  const args = ['--import', 'tsx', 'bench/world.ts', '--slow'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(stderr).toMatch(/^bench:world: [^\n]+\n$/);
});
