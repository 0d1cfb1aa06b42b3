#!/usr/bin/env node
/**
 * The package's command: `npx betwixt create my-app`.
 *
 * Exit codes: 0; 1 when files cannot be written; 2 for what is refused, with one line on stderr that says what is
 * wrong and what to do; 130 when a question was left by Ctrl-C.
 */
import { relative, resolve } from 'node:path';
import { HELP, readArguments, type CreateArguments } from './arguments.js';
import { packageNameOf, packageSource, requireEmptyFolder, requireOwnName } from './checks.js';
import { AbandonedError, askFolder, askTemplate } from './questions.js';
import { RefusedError } from './refused-error.js';
import { createApp, type App } from './templates.js';

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', () => process.exit());
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const given = readArguments(args);
    if (given === undefined) {
      process.stdout.write(HELP);
      return 0;
    }
    const app = await complete(given);
    createApp(app);
    process.stdout.write(nextSteps(app));
    return 0;
  } catch (error) {
    if (error instanceof AbandonedError) return 130;
    const isRefusal = error instanceof RefusedError;
    // Such as a disk that is full or a folder that is someone else's.
    if (!isRefusal && !(error instanceof Error && 'syscall' in error)) throw error;
    process.stderr.write(`betwixt: ${error.message}\n`);
    return isRefusal ? 2 : 1;
  }
}

/** Everything is checked before anything is written. */
async function complete(given: CreateArguments): Promise<App> {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const terminal = { input: process.stdin, output: process.stdout };
  if (given.folder === undefined && !isTerminal) {
    throw new RefusedError('a folder is needed, such as "npx betwixt create my-app"');
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
  return `Made ${name} from the template ${template}. Next:\n\n${enter}  npm install && npm start\n`;
}
