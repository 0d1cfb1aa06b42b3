/** Runs the tests under load: `npm run test:busy`. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { interrupt, run } from '../child-process.js';
import { integer } from '../cli/arguments.js';
import { defineCommand } from '../cli/command.js';
import { runCommand } from '../cli/run-command.js';
import { parseArguments } from './arguments.js';
import { parts } from './parts.js';

const MAX_PROCESSES = 64;

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const COMMAND = defineCommand({
  name: 'test:busy',
  operands: '[arguments of npm test…]',
  about: `Runs the tests while other processes occupy the processors in bursts of random length. They must still pass, only later: they
do not depend on the speed of the machine.`,
  flags: { with: { value: 'N', about: `how many processes, 1 to ${MAX_PROCESSES} (default 4)` } },
});

process.exit(await runCommand(COMMAND, main));

async function main(args: readonly string[]): Promise<number> {
  const index = args.indexOf('--with');
  const text = index === -1 ? '4' : (args[index + 1] ?? '');
  const others = index === -1 ? args : args.toSpliced(index, 2);
  const count = integer('--with', text, 1, MAX_PROCESSES);
  parseArguments(others, parts);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  const spinning = Array.from({ length: count }, () => fork(here('spinning-process.ts')));
  console.log(`Running next to ${count} processes that spin in bursts of 0.2 to 3 s.`);
  try {
    const tests = ['--import', 'tsx', here('main.ts'), ...others];
    return await run(process.execPath, tests);
  } finally {
    for (const child of spinning) child.kill('SIGKILL');
  }
}
