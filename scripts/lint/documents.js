/**
 * Checks the documents and the pages: their words, and that links within the repository lead somewhere; and that no file has
 * the markers of a conflict that a merge has left.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findWords } from './words.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Besides the files of the root itself. */
const FOLDERS = ['bench', 'docs', 'examples', 'lab', 'templates', '.github'];
/** Made from doc comments with the site and the package, and not committed. */
const GENERATED = join('docs', 'api');

/** The document that names the files of the repository. */
const ARCHITECTURE = join('docs', 'architecture.md');
const SOURCE_FILE = /`([\w./-]+\.tsx?)`/g;
/** @type {readonly string[] | undefined} */
let sources;

const CODE_BLOCK = /^```[\s\S]*?^```$/gm;
/** Attributes that are not read as text. */
const KEYS =
  / (?:id|class|for|href|src|name|type|value|data-[\w-]+|aria-(?:controls|\w+by))="[^"]*"/g;

/** @returns {readonly string[]} Paths from the root. */
export function documentFiles() {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  );
  return [...readdirSync(root), ...inFolders].filter(
    (path) => /\.(?:md|html)$/.test(path) && !path.startsWith(GENERATED),
  );
}

/**
 * @param {string} path From the root.
 * @param {string} text
 * @returns {readonly string[]} One line for each problem.
 */
export function problemsOf(path, text) {
  // Line numbers stay.
  const code = path.endsWith('.md') ? CODE_BLOCK : KEYS;
  const prose = text.replaceAll(code, (found) => found.replaceAll(/[^\n]/g, ' '));
  const at = (/** @type {number} */ index) => `${path}:${prose.slice(0, index).split('\n').length}`;
  const words = findWords(prose).map(({ index, message }) => `${at(index)}: ${message}`);
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(({ index, 1: target = '' }) =>
    isBroken(path, target) ? [`${at(index)}: the link ${target} leads nowhere.`] : [],
  );
  const named = path === ARCHITECTURE ? [...prose.matchAll(SOURCE_FILE)] : [];
  const files = named.flatMap(({ index, 1: file = '' }) =>
    isSource(file) ? [] : [`${at(index)}: there is no file ${file}.`],
  );
  return [...words, ...links, ...files];
}

/**
 * A compiler does not see markers in comments, styles and documents.
 *
 * @param {string} folder
 * @returns {readonly string[]} Lines of files that Git does not ignore, with their places.
 */
export function conflictsIn(folder) {
  const search = ['grep', '--no-index', '--exclude-standard', '-nE', '^(<{7}|>{7})( |$)'];
  const { stdout, error } = spawnSync('git', search, { cwd: folder, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return stdout.split('\n').filter((line) => line !== '');
}

/** @param {string} file The end of its path. */
function isSource(file) {
  sources ??= ['src', 'tests', 'lab', 'demo'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `/${folder}/${name}`,
    ),
  );
  return sources.some((name) => name.endsWith(`/${file}`));
}

/**
 * @param {string} path
 * @param {string} target
 */
function isBroken(path, target) {
  if (/^[a-z]+:/.test(target)) return false;
  const [file = '', anchor] = target.split('#');
  const found = file === '' ? join(root, path) : join(root, dirname(path), file);
  // The build of the site checks the links of its documents. Others would lead nowhere in the repository's own view.
  if (found.startsWith(join(root, GENERATED))) return !path.startsWith('docs');
  if (!existsSync(found)) return true;
  if (anchor === undefined || statSync(found).isDirectory()) return false;
  return !anchorsOf(readFileSync(found, 'utf8')).has(anchor);
}

/** @param {string} markdown */
function anchorsOf(markdown) {
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(headings.map(anchorOf));
}

/**
 * The anchor that GitHub gives to a heading. The documentation site gives the same.
 *
 * @param {string} heading
 */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = documentFiles().flatMap((path) =>
    problemsOf(relative(root, join(root, path)), readFileSync(join(root, path), 'utf8')),
  );
  problems.push(...conflictsIn(root));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
