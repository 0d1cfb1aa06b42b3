/**
 * The sources of the package's exports, as a compiler sees them. This project's compiler is native
 * and has no API, so this uses the TypeScript that API Extractor brings. As a direct dependency it
 * would replace the compiler as the command `tsc`.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as TypeScript from '../../node_modules/@microsoft/api-extractor/node_modules/typescript/lib/typescript.js';
import { repositoryRoot } from '../child-process.js';
import { type EntryPoint, entryPoints } from '../package/package-layout.js';
import { partsOf, resolveAlias } from './api-parts.js';

export type { TypeScript };

const here = createRequire(import.meta.url);

export const ts = createRequire(here.resolve('@microsoft/api-extractor'))(
  'typescript',
) as typeof TypeScript;

/** Reads what the entry points export. */
export interface ApiSources {
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
 * @throws Error if an entry point exports nothing.
 */
export function openSources(
  entries: readonly Pick<EntryPoint, 'specifier' | 'source'>[] = entryPoints(),
  host: TypeScript.CompilerHost = ts.createCompilerHost(COMPILER_OPTIONS),
): ApiSources {
  const files = entries.map(({ source }) => join(repositoryRoot, source));
  const program = ts.createProgram(files, COMPILER_OPTIONS, host);
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
  return { checker, modules };
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

/** File and line from the root of the repository, for messages. */
export function locationOf(node: TypeScript.Node): string {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${file.fileName.slice(repositoryRoot.length)}:${line + 1}`;
}
