/**
 * The sources of the package's exports, as a compiler sees them. This project's compiler is native
 * and has no API, so this uses the TypeScript that ts-morph brings. As a direct dependency it
 * would replace the compiler as the command `tsc`.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ts, type ts as TypeScript } from '@ts-morph/common';
import { repositoryRoot } from '../child-process.js';
import { type EntryPoint, entryPoints } from '../package/package-layout.js';
import { partsOf, resolveAlias } from './api-parts.js';

export { ts, type TypeScript };

/** The types of the language: those of the native compiler. What ts-morph brings has none as files. */
const libraries = join(
  dirname(
    createRequire(createRequire(import.meta.url).resolve('typescript/package.json')).resolve(
      `@typescript/typescript-${process.platform}-${process.arch}/package.json`,
    ),
  ),
  'lib',
);

/** Reads what the entry points export. */
export interface ApiSources {
  readonly program: TypeScript.Program;
  readonly checker: TypeScript.TypeChecker;
  readonly modules: readonly ApiModule[];
}

/** An entry point of the package. */
export interface ApiModule {
  /** As it is imported: `betwixt/worker`. */
  readonly specifier: string;
  /** Where the names are declared, behind all files that re-export them. */
  readonly symbols: readonly ExportedSymbol[];
  /** Types that these are made of and that have no name to import. */
  readonly parts: readonly ExportedSymbol[];
}

/** An exported name of an entry point, and its declarations. */
export interface ExportedSymbol {
  readonly name: string;
  readonly symbol: TypeScript.Symbol;
}

/**
 * @param entries Default: those of package.json.
 * @param host Reads the files. Default: from the disk.
 * @param others Further files of the program, from the root of the repository.
 * @throws Error if an entry point exports nothing.
 */
export function openSources(
  entries: readonly Pick<EntryPoint, 'specifier' | 'source'>[] = entryPoints(),
  host: TypeScript.CompilerHost = createHost(),
  others: readonly string[] = [],
): ApiSources {
  const files = entries.map(({ source }) => join(repositoryRoot, source));
  const program = ts.createProgram(
    [...files, ...others.map((file) => join(repositoryRoot, file))],
    COMPILER_OPTIONS,
    host,
  );
  const checker = program.getTypeChecker();
  const exported = entries.map((_, index) => {
    const file = program.getSourceFile(files[index] ?? '');
    const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${files[index]} exports nothing`);
    return checker
      .getExportsOfModule(module)
      .map((symbol) => ({ name: symbol.name, symbol: resolveAlias(ts, symbol, checker) }));
  });
  const known = new Set(exported.flat().map(({ symbol }) => symbol));
  const modules = entries.map(({ specifier }, index) => {
    const symbols = exported[index] ?? [];
    return { specifier, symbols, parts: partsOf(ts, symbols, known, checker) };
  });
  return { program, checker, modules };
}

export const COMPILER_OPTIONS: TypeScript.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
  types: ['node'],
  jsx: ts.JsxEmit.ReactJSX,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};

/** Reads files from the disk. */
export function createHost(): TypeScript.CompilerHost {
  const host = ts.createCompilerHost(COMPILER_OPTIONS);
  return {
    ...host,
    getDefaultLibLocation: () => libraries,
    getDefaultLibFileName: (options) => join(libraries, ts.getDefaultLibFileName(options)),
  };
}

/** File and line from the root of the repository, for messages. */
export function locationOf(node: TypeScript.Node): string {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${file.fileName.slice(repositoryRoot.length)}:${line + 1}`;
}
