/**
 * The lint rule that imports go only in the directions of `layers.js`: static, dynamic, and of
 * types.
 */
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { LAYERS, INTERNALS, PACKAGES } from './layers.js';

const root = new URL('../../', import.meta.url);

/** @type {{ readonly exports: Readonly<Record<string, string>> }} */
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const ENTRY_POINTS = new Set(Object.values(manifest.exports).map((file) => posix.normalize(file)));

requireSense();

/**
 * The fault of an import; undefined if it is allowed.
 *
 * @param {string} file Its path from the root of the repository.
 * @param {string} specifier
 * @returns {string | undefined}
 */
function faultOf(file, specifier) {
  if (!specifier.startsWith('.')) return packageFault(file, specifier);
  const from = folderOf(file, LAYERS);
  const allowed = from === undefined ? 'any' : LAYERS[from];
  if (allowed === undefined || allowed === 'any') return undefined;
  const target = posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
  const to = folderOf(target, LAYERS);
  if (to !== undefined && from !== undefined && isIn(to, from)) return undefined;
  if (!allowed.some((place) => isIn(target, place))) {
    const others = allowed.length === 0 ? 'nothing else' : `only ${allowed.join(', ')}`;
    return `${from} must not import ${target}: besides itself it may import ${others}.`;
  }
  if (isPublic(target) || file.startsWith('src/') || isExcepted(file, target)) return undefined;
  return `${target} is no entry point of the package: import one of those, or say in INTERNALS why not.`;
}

/**
 * @param {string} file
 * @param {string} specifier
 * @returns {string | undefined}
 */
function packageFault(file, specifier) {
  const folder = folderOf(file, PACKAGES);
  const allowed = folder === undefined ? undefined : PACKAGES[folder];
  const isAllowed = allowed?.some((name) =>
    name.endsWith(':')
      ? specifier.startsWith(name)
      : specifier === name || specifier.startsWith(`${name}/`),
  );
  if (isAllowed !== false) return undefined;
  const others = allowed?.length === 0 ? 'none' : `only ${allowed?.join(', ')}`;
  return `${folder} must not import the package ${specifier}: it may import ${others}.`;
}

/** @param {string} target */
function isPublic(target) {
  return !target.startsWith('src/') || ENTRY_POINTS.has(target);
}

/**
 * @param {string} file
 * @param {string} target
 */
function isExcepted(file, target) {
  return INTERNALS.some(({ by, files }) => isIn(file, by) && files.includes(target));
}

/**
 * The deepest of the folders that contain a file.
 *
 * @param {string} file
 * @param {object} folders
 */
function folderOf(file, folders) {
  return Object.keys(folders)
    .filter((folder) => isIn(file, folder))
    .toSorted((a, b) => b.length - a.length)[0];
}

/**
 * @param {string} file
 * @param {string} folder
 */
function isIn(file, folder) {
  return file === folder || file.startsWith(`${folder}/`);
}

/**
 * Folders that import each other in a cycle, and exceptions for deleted files, are errors as well.
 */
function requireSense() {
  for (const folder of Object.keys(LAYERS)) requireNoCycle(folder, []);
  for (const place of Object.values(LAYERS).flat()) {
    if (place !== 'any' && !existsSync(new URL(place, root))) {
      throw new Error(`layers.js: ${place} is gone`);
    }
  }
  for (const { files } of INTERNALS) {
    const lost = files.find((file) => !existsSync(new URL(file, root)) || ENTRY_POINTS.has(file));
    if (lost !== undefined)
      throw new Error(`layers.js: ${lost} needs no exception: it is gone or public`);
  }
}

/**
 * @param {string} folder
 * @param {readonly string[]} way
 */
function requireNoCycle(folder, way) {
  if (way.includes(folder)) throw new Error(`layers.js: a cycle: ${[...way, folder].join(' → ')}`);
  const allowed = LAYERS[folder];
  if (allowed === undefined) throw new Error(`layers.js: there is no folder ${folder}`);
  if (allowed === 'any') return;
  for (const place of allowed) {
    const next = folderOf(place, LAYERS);
    if (next === undefined) throw new Error(`layers.js: ${place} is in no folder`);
    if (next !== folder) requireNoCycle(next, [...way, folder]);
  }
}

export default {
  meta: { name: 'layers' },
  rules: {
    'import-directions': {
      /** @param {{ filename: string, cwd: string, report: (fault: object) => void }} context */
      create({ filename, cwd, report }) {
        const file = posix.relative(cwd.replaceAll('\\', '/'), filename.replaceAll('\\', '/'));
        /** @param {{ source?: { value?: unknown } | null }} node */
        const check = (node) => {
          const specifier = node.source?.value;
          const message = typeof specifier === 'string' ? faultOf(file, specifier) : undefined;
          if (message !== undefined) report({ node, message });
        };
        return {
          ImportDeclaration: check,
          ExportNamedDeclaration: check,
          ExportAllDeclaration: check,
          ImportExpression: check,
          TSImportType: check,
        };
      },
    },
  },
};
