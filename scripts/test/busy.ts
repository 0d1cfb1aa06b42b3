/**
 * Runs the tests under load: `tsx scripts/test/busy.ts [--with N] [arguments of the tests…]`.
 *
 * N processes, 4 by default, occupy the processors in bursts of random length. The tests must still
 * pass, only later: they do not depend on the speed of the machine.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { interrupt, run } from '../child-process.js';
import { integer } from '../cli/arguments.js';
import { runCommand } from '../cli/run-command.js';

const MAX_PROCESSES = 64;

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
process.exit(await runCommand('test:busy', main));

async function main(args: readonly string[]): Promise<number> {
  const index = args.indexOf('--with');
  const text = index === -1 ? '4' : (args[index + 1] ?? '');
  const others = index === -1 ? args : args.toSpliced(index, 2);
  const count = integer('--with', text, 1, MAX_PROCESSES);
  const spinning = Array.from({ length: count }, () => fork(here('spinning-process.ts')));
  console.log(`Running next to ${count} processes that spin in bursts of 0.2 to 3 s.`);
  try {
    const tests = ['--import', 'tsx', here('main.ts'), ...others];
    return await run(process.execPath, tests);
  } finally {
    for (const child of spinning) child.kill('SIGKILL');
  }
}
