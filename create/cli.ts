#!/usr/bin/env node
/**
 * The package's command: `npx betwixt create my-app`.
 *
 * Exit codes: 0; 1 when files cannot be written; 2 for refused arguments, with one line on stderr
 * that says what is wrong and what to do; 130 when a question was cancelled by Ctrl-C.
 */
import { relative, resolve } from 'node:path';
import { helpOf } from '../scripts/cli/command.js';
import { RefusedError } from '../scripts/cli/errors.js';
import { EXIT_CODES } from '../scripts/cli/exit-codes.js';
import { runCommand } from '../scripts/cli/run-command.js';
import { CREATE, readArguments, type CreateArguments } from './arguments.js';
import { packageNameOf, packageSource, requireEmptyFolder, requireOwnName } from './checks.js';
import { AbandonedError, askFolder, askTemplate } from './questions.js';
import { createExample, isExample, type ExampleName } from './examples.js';
import { createApp, type AppOf, type TemplateName } from './templates.js';

process.exitCode = await runCommand(CREATE, main);

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0) {
    process.stdout.write(helpOf(CREATE));
    return EXIT_CODES.done;
  }
  try {
    const app = await complete(readArguments(args));
    const { template } = app;
    if (isExample(template)) createExample({ ...app, template });
    else createApp({ ...app, template });
    process.stdout.write(nextSteps(app));
    return EXIT_CODES.done;
  } catch (error) {
    if (error instanceof AbandonedError) return EXIT_CODES.interrupted;
    // Such as a full disk or a folder without write permission.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    process.stderr.write(`betwixt: ${error.message}\n`);
    return EXIT_CODES.failed;
  }
}

type App = AppOf<TemplateName | ExampleName>;

/** Everything is checked before anything is written. */
async function complete(given: CreateArguments): Promise<App> {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const terminal = { input: process.stdin, output: process.stdout };
  if (given.folder === undefined && !isTerminal) {
    throw new RefusedError('a folder is needed, such as "npm create betwixt@latest my-app"');
  }
  const folder = given.folder ?? (await askFolder(terminal));
  requireEmptyFolder(folder);
  const name = packageNameOf(folder);
  const template = given.template ?? (isTerminal ? await askTemplate(terminal) : 'vanilla');
  requireOwnName(name, template);
  return { folder, name, template, betwixt: packageSource(given.package, resolve(folder)) };
}

function nextSteps({ folder, name, template }: App): string {
  const path = relative(process.cwd(), resolve(folder));
  const quoted = path.includes(' ') ? `"${path}"` : path;
  const enter = path === '' ? '' : `  cd ${quoted}\n`;
  // `npm start` of Next.js serves what was built.
  const serve = template === 'next' ? 'npm run dev' : 'npm start';
  return `Made ${name} from the template ${template}. Next:\n\n${enter}  npm install && ${serve}\n`;
}
