/** Measures what an application does not see: `npm run bench:parts`. */
import { choice } from '../../scripts/cli/arguments.js';
import { defineCommand, parseCommand } from '../../scripts/cli/command.js';
import { EXIT_CODES } from '../../scripts/cli/exit-codes.js';
import { runCommand } from '../../scripts/cli/run-command.js';
import { requireWritable } from '../cli/result-files.js';
import { TableOutput } from '../tables/output.js';
import { thisMachine } from '../tables/this-machine.js';
import type { Part } from './part.js';

/** In their order: the inner loops come first, before others have compiled their functions for other data. */
const PARTS = {
  kernels: {
    about: 'the inner loops (half a minute)',
    load: async () => (await import('./kernels.js')).measureKernels,
  },
  rewind: {
    about: 'keeping states, and going back to them (half a minute)',
    load: async () => (await import('./rewind.js')).measureRewind,
  },
  world: {
    about: 'a world of the page, and the same scene in a hand-written simulation (two minutes)',
    load: async () => (await import('./world.js')).measureWorld,
  },
  level: {
    about: 'a level of a glTF file with 58,000 triangles (half a minute)',
    load: async () => (await import('./level.js')).measureLevel,
  },
  overhead: {
    about: "the worker's loop besides the step, in Node and in Chromium (three minutes)",
    load: async () => (await import('./overhead.js')).measureOverhead,
  },
} as const satisfies Readonly<Record<string, Part>>;

const NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

const COMMAND = defineCommand({
  name: 'bench:parts',
  operands: '[PART…]',
  about: `Measures parts of the library on this machine, all or those that are named:

${NAMES.map((name) => `  ${name.padEnd(10)}${PARTS[name].about}`).join('\n')}

A missed goal is marked, and the exit code is 0 all the same: a busy machine is not a defect of the code.`,
  flags: {
    quick: { about: 'as few turns as show that it works' },
    json: { value: 'FILE', about: 'all values, for scripts' },
  },
});

process.exit(await runCommand(COMMAND, main));

async function main(args: readonly string[]): Promise<number> {
  const { values, operands } = parseCommand(COMMAND, args);
  requireWritable({ json: values.json });
  const chosen = operands.map((name) => choice('PART', name, NAMES));
  const isQuick = values.quick ?? false;
  const parts = NAMES.filter((name) => chosen.length === 0 || chosen.includes(name));
  const output = new TableOutput(thisMachine(), { parts, isQuick }, values.json);
  for (const name of parts) {
    process.stderr.write(`${name} …\n`);
    const measure = await PARTS[name].load();
    for (const table of await measure({ isQuick })) output.add(table);
  }
  return EXIT_CODES.done;
}
