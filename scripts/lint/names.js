/**
 * Checks that a name in `src` means one thing: no two files and no two types have one name, and a class that has the name of a
 * file is in it. What may share a name is in names.json, with the reason. `--variables` also lists the variables that have the
 * name of a type and are of others.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Classes and interfaces of a module, and the types that it exports: its other aliases only shorten a name. */
const TYPE =
  /^(?:export )?(?:abstract )?(?:class|interface) (\w+)|^export (?:declare )?type (\w+)/gm;
const CLASS = /^(?:export )?(?:abstract )?class (\w+)/gm;
const VARIABLE = /(?<![\w.])#?([a-z]\w*)\??: (?:readonly )?([A-Z]\w*)\b(?!\.)/g;

/** @typedef {ReadonlyMap<string, string>} Sources Texts by their paths in `src`. */
/** @typedef {Map<string, Set<string>>} Places */

/**
 * @param {Sources} sources
 * @param {Readonly<Record<string, string>>} allowed Reasons by names.
 * @returns {readonly string[]} One line for each problem.
 */
export function problemsIn(sources, allowed) {
  const files = filesOf(sources);
  /** @type {Places} */
  const shared = new Map();
  for (const [name, places] of [...files, ...declared(sources, TYPE)]) {
    if (places.size > 1) add(shared, name, ...places);
  }
  for (const [name, places] of declared(sources, CLASS)) {
    const named = files.get(kebabCase(name));
    if (named === undefined || [...places].some((path) => named.has(path))) continue;
    add(shared, name, ...places, ...named);
  }
  const problems = [...shared]
    .filter(([name]) => !(name in allowed))
    .map(([name, places]) => `${name} means several things: ${[...places].join(', ')}`);
  const unused = Object.keys(allowed)
    .filter((name) => !shared.has(name))
    .map((name) => `${name} means one thing: remove it from scripts/lint/names.json`);
  return [...problems, ...unused];
}

/**
 * @param {Sources} sources
 * @returns {readonly string[]} One line for each name: its types.
 */
export function variablesIn(sources) {
  const types = declared(sources, TYPE);
  /** @type {Places} */
  const found = new Map();
  for (const text of sources.values()) {
    for (const [, variable = '', type = ''] of text.matchAll(VARIABLE)) {
      const own = variable.replace(/^./, (first) => first.toUpperCase());
      if (own !== type && types.has(own) && types.has(type)) add(found, variable, type);
    }
  }
  return [...found].map(([name, others]) => `${name}: ${[...others].join(', ')}`).toSorted();
}

/** @param {Sources} sources */
function filesOf(sources) {
  /** @type {Places} */
  const files = new Map();
  for (const path of sources.keys()) {
    const name = basename(path).replace(/\.tsx?$/, '');
    // Names of entry points do not count.
    if (name !== 'index') add(files, name, path);
  }
  return files;
}

/**
 * @param {Sources} sources
 * @param {RegExp} pattern Its first group that matches is the name.
 */
function declared(sources, pattern) {
  /** @type {Places} */
  const found = new Map();
  for (const [path, text] of sources) {
    for (const [, name, alias] of text.matchAll(pattern)) add(found, name ?? alias ?? '', path);
  }
  return found;
}

/**
 * @param {Places} places
 * @param {string} name
 * @param {readonly string[]} added
 */
function add(places, name, ...added) {
  places.set(name, new Set([...(places.get(name) ?? []), ...added]));
}

/** @param {string} name */
const kebabCase = (name) => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const src = fileURLToPath(new URL('../../src/', import.meta.url));
  const sources = new Map(
    readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => [path, readFileSync(join(src, path), 'utf8')]),
  );
  const allowed = JSON.parse(readFileSync(new URL('names.json', import.meta.url), 'utf8'));
  if (process.argv.includes('--variables')) console.log(variablesIn(sources).join('\n'));
  const problems = problemsIn(sources, allowed);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
