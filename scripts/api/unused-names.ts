/**
 * Exported names, and members of exported types, that have no user: no example, template, page of the site, snippet or document
 * has them, and neither Rapier nor `@react-three/rapier`. They should go, or have a reason in `unused-names.json`.
 *
 *     npx tsx scripts/api/unused-names.ts
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ApiSources, openSources, ts, type TypeScript } from './api-compiler.js';
import { isHidden, nameOf } from './api-declarations.js';
import type { Member } from './api-model.js';
import { resolveAlias } from './api-parts.js';
import { repositoryRoot } from '../child-process.js';
import { EXIT_CODES } from '../cli/exit-codes.js';

/** Where applications are, or what is like one. */
const USERS = [
  'examples',
  'templates',
  'demo',
  'lab/page',
  'bench/page',
  'bench/runner',
  'docs/snippets',
  'site',
];
/** Tests of the repository's own pages, which may use what these do not. */
const OTHER = /^(?!templates\/).*\/tests\//;
/** Libraries whose names are ours, so that an application can move. */
const PEERS = [
  'node_modules/@react-three/rapier/dist/declarations/src',
  'node_modules/@dimforge/rapier3d-simd-compat',
  // The peer's own version.
  'node_modules/rapier3d-compat-0.19',
  'node_modules/@types/three/examples/jsm/physics',
];

/** Documents that explain the library's own code. */
const FOR_DEVELOPERS = /^docs\/(?:architecture|protocol|reliability)\.md$/;

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');

function filesIn(...patterns: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--', ...patterns], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  });
  return listed.split('\n').filter((file) => file !== '');
}

const wordsOf = (text: string): readonly string[] => text.match(/\w+/g) ?? [];

/** The words in the code of the documents. */
function documented(): readonly string[] {
  return filesIn('README.md', 'docs/*.md')
    .filter((file) => !FOR_DEVELOPERS.test(file))
    .flatMap((file) => read(file).match(/```[\s\S]*?```|`[^`\n]+`/g) ?? [])
    .flatMap(wordsOf);
}

function peerNames(): readonly string[] {
  return PEERS.flatMap((folder) =>
    ts.sys
      .readDirectory(join(repositoryRoot, folder), ['.d.ts'])
      .flatMap((file) => wordsOf(readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, ''))),
  );
}

/** The declarations that files refer to: by a name, a property of an object, an attribute or a pattern. */
function usedIn(
  files: readonly TypeScript.SourceFile[],
  checker: TypeScript.TypeChecker,
): ReadonlySet<TypeScript.Node> {
  const used = new Set<TypeScript.Node>();
  const note = (symbol: TypeScript.Symbol | undefined): void => {
    if (symbol === undefined) return;
    for (const declaration of resolveAlias(ts, symbol, checker).declarations ?? []) {
      used.add(declaration);
    }
  };
  const noteProperty = (type: TypeScript.Type | undefined, name: string): void => {
    const parts = type === undefined ? [] : type.isUnion() ? type.types : [type];
    for (const part of parts) note(part.getProperty(name));
  };
  const visit = (node: TypeScript.Node): void => {
    if (ts.isIdentifier(node)) note(checker.getSymbolAtLocation(node));
    else if (ts.isObjectLiteralExpression(node)) {
      const type = checker.getContextualType(node);
      for (const { name } of node.properties) if (name) noteProperty(type, name.getText());
    } else if (ts.isJsxAttributes(node)) {
      const type = checker.getContextualType(node);
      for (const { name } of node.properties) if (name) noteProperty(type, name.getText());
    } else if (ts.isObjectBindingPattern(node)) {
      const type = checker.getTypeAtLocation(node);
      for (const { propertyName, name } of node.elements) {
        noteProperty(type, (propertyName ?? name).getText());
      }
    }
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(file);
  return used;
}

/** The public members of a declaration, and of the literal types of these. */
function membersOf(declaration: TypeScript.Declaration): readonly Member[] {
  const found: Member[] = [];
  const visit = (node: TypeScript.Node): void => {
    if (ts.isBlock(node) || ts.isParameter(node) || ts.isTypeParameterDeclaration(node)) return;
    if (ts.isClassElement(node) || ts.isTypeElement(node)) {
      if (isHidden(ts, node)) return;
      if (node.name !== undefined) found.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return found;
}

/** The names without a user, such as `SimulationHandle.pause`. */
function unusedNames(
  { modules, checker, program }: ApiSources,
  users: readonly string[],
): ReadonlySet<string> {
  const files = users.flatMap((file) => program.getSourceFile(join(repositoryRoot, file)) ?? []);
  const used = usedIn(files, checker);
  const known = new Set([...documented(), ...peerNames()]);
  const isUsed = (name: string, nodes: readonly TypeScript.Node[]): boolean =>
    known.has(name) || nodes.some((node) => used.has(node));
  const found = modules.flatMap(({ symbols, parts }) => [
    // Types are for those who declare something of them.
    ...symbols
      .filter(({ symbol }) => (symbol.flags & ts.SymbolFlags.Value) !== 0)
      .filter(({ name, symbol }) => !isUsed(name, symbol.declarations ?? []))
      .map(({ name }) => name),
    ...[...symbols, ...parts].flatMap(({ name: owner, symbol }) =>
      (symbol.declarations ?? [])
        .flatMap(membersOf)
        .filter((node) => !isUsed(nameOf(ts, node), [node]))
        .map((node) => `${owner}.${nameOf(ts, node)}`),
    ),
  ]);
  return new Set(found);
}

const isOf = (name: string, owner: string): boolean =>
  name === owner || name.startsWith(`${owner}.`);

/** A line for each name without a user or a reason, and for each reason without such a name. */
export function problemsOfUse(): string[] {
  const users = filesIn(...USERS).filter((file) => /\.tsx?$/.test(file) && !OTHER.test(file));
  const unused = unusedNames(openSources(undefined, undefined, users), users);
  const reasons = JSON.parse(read('scripts/api/unused-names.json')) as Record<string, string[]>;
  const allowed = Object.values(reasons).flat();
  const without = [...unused]
    .filter((name) => !allowed.some((owner) => isOf(name, owner)))
    .map((name) => `${name} has no user: remove it, or say why not in unused-names.json`);
  const needless = allowed
    .filter((owner) => ![...unused].some((name) => isOf(name, owner)))
    .map((owner) => `${owner} needs no reason in unused-names.json: it has users, or is gone`);
  return [...without, ...needless].toSorted();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = problemsOfUse();
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length > 0 ? EXIT_CODES.failed : EXIT_CODES.done;
}
