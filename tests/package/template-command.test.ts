/** The package's command, as a shell runs it. */
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
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFolder } from '../../scripts/package/package-layout.js';

const folder = mkdtempSync(join(tmpdir(), 'betwixt-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs it without a terminal. */
function betwixt(...args: string[]) {
  const command = join(packageFolder, 'bin/cli.js');
  return spawnSync(process.execPath, [command, ...args], { cwd: folder, encoding: 'utf8' });
}

test('makes an app with its own release, and prints the next steps', () => {
  const { status, stdout, stderr } = betwixt('create', 'first-app');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('cd first-app\n  npm install && npm start\n');
  const manifest = JSON.parse(readFileSync(join(folder, 'first-app/package.json'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  expect(manifest.dependencies.betwixt).toBe(`^${version}`);
});

describe('installed from a packed file', () => {
  const project = join(folder, 'project');
  const installed = join(project, 'node_modules/betwixt');
  /** As npm installs it. */
  beforeAll(() => {
    cpSync(packageFolder, installed, { recursive: true });
    const resolved = 'file:../packed/betwixt-0.1.0.tgz';
    const record = { packages: { 'node_modules/betwixt': { version: '0.1.0', resolved } } };
    writeFileSync(join(project, 'node_modules/.package-lock.json'), JSON.stringify(record));
  });
  const create = (name: string) =>
    spawnSync(process.execPath, [join(installed, 'bin/cli.js'), 'create', name], {
      cwd: folder,
      encoding: 'utf8',
    });

  test('it refuses to use another one if the file is gone', () => {
    const { status, stderr } = create('lost-app');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^betwixt: betwixt was installed from .*0\.tgz, which is no longer/);
  });

  test('makes an app with that file', () => {
    mkdirSync(join(folder, 'packed'));
    writeFileSync(join(folder, 'packed/betwixt-0.1.0.tgz'), '');
    const { status, stderr } = create('file-app');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const manifest = JSON.parse(readFileSync(join(folder, 'file-app/package.json'), 'utf8'));
    expect(manifest.dependencies.betwixt).toBe('file:../packed/betwixt-0.1.0.tgz');
  });
});

test('helps', () => {
  for (const args of [[], ['--help'], ['create', '-h']]) {
    const { status, stdout } = betwixt(...args);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^usage: npm create betwixt@latest FOLDER/);
  }
});

test.each([
  [['create'], /a folder is needed/],
  [['create', 'full'], /full is not empty/],
])('refuses %j with one line and exit code 2, and writes nothing', (args, message) => {
  mkdirSync(join(folder, 'full'), { recursive: true });
  writeFileSync(join(folder, 'full/notes.txt'), 'mine');
  const before = readdirSync(folder, { recursive: true });
  const { status, stdout, stderr } = betwixt(...args);
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^betwixt: [^\n]+\n$/);
  expect(readdirSync(folder, { recursive: true })).toEqual(before);
});
