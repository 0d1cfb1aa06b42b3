/** The package's command, as a shell runs it, without a terminal. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { packageFolder } from '../../scripts/package/package-layout.js';

const folder = mkdtempSync(join(tmpdir(), 'betwixt-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command of an installed package. */
function run(installed: string, ...args: string[]) {
  const command = join(installed, 'bin/cli.js');
  return spawnSync(process.execPath, [command, ...args], { cwd: folder, encoding: 'utf8' });
}

/** @returns Its output, and which betwixt the app depends on. */
function create(installed: string, app: string) {
  const { status, stdout, stderr } = run(installed, 'create', app);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { dependencies } = JSON.parse(readFileSync(join(folder, app, 'package.json'), 'utf8'));
  return { stdout, betwixt: dependencies.betwixt as string };
}

test('the command makes an app with its own release, and prints the next steps', () => {
  const { stdout, betwixt } = create(packageFolder, 'first-app');
  expect(stdout).toContain('cd first-app\n  npm install && npm start\n');
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  expect(betwixt).toBe(`^${version}`);
});

test('the command of a package from a packed file makes an app with that file, and refuses to use another one if it is gone', () => {
  const modules = join(folder, 'project/node_modules');
  const installed = join(modules, 'betwixt');
  // As npm installs it.
  cpSync(packageFolder, installed, { recursive: true });
  const resolved = 'file:../packed/betwixt-0.1.0.tgz';
  const record = { packages: { 'node_modules/betwixt': { version: '0.1.0', resolved } } };
  writeFileSync(join(modules, '.package-lock.json'), JSON.stringify(record));
  const { status, stderr } = run(installed, 'create', 'lost-app');
  expect(status).toBe(2);
  expect(stderr).toMatch(/^betwixt: betwixt was installed from .*0\.tgz, which is no longer/);
  mkdirSync(join(folder, 'packed'));
  writeFileSync(join(folder, 'packed/betwixt-0.1.0.tgz'), '');
  expect(create(installed, 'file-app').betwixt).toBe(resolved);
});

test.each([[[]], [['--help']], [['create', '-h']]])('the command helps with %j', (args) => {
  const { status, stdout } = run(packageFolder, ...args);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^usage: npm create betwixt@latest FOLDER/);
});

test.each([
  [['create'], /a folder is needed/],
  [['create', 'full'], /full is not empty/],
])('the command refuses %j with one line and exit code 2, and writes nothing', (args, message) => {
  mkdirSync(join(folder, 'full'), { recursive: true });
  writeFileSync(join(folder, 'full/notes.txt'), 'mine');
  const before = readdirSync(folder, { recursive: true });
  const { status, stdout, stderr } = run(packageFolder, ...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^betwixt: [^\n]+\n$/);
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});
