/**
 * Types in public declarations that no entry point exports, such as the type of an option. Users reach
 * them through their owner (`ConnectOptions['display']`), and the reference has to document them.
 */
import { join } from 'node:path';
import { repositoryRoot } from '../child-process.js';
import type { ExportedSymbol, TypeScript } from './api-compiler.js';
import { isHidden } from './api-declarations.js';

type Compiler = typeof TypeScript;

const SOURCES = join(repositoryRoot, 'src/');

/** Describes members of another package's classes, which that package documents. */
const OTHERS = join(SOURCES, 'rapier/any-rapier.ts');

/**
 * The parts of an entry point's names, recursively.
 *
 * @param known Types that have a place in the reference. Found types are added.
 */
export function partsOf(
  ts: Compiler,
  symbols: readonly ExportedSymbol[],
  known: Set<TypeScript.Symbol>,
  checker: TypeScript.TypeChecker,
): ExportedSymbol[] {
  const parts: ExportedSymbol[] = [];
  const visit = (node: TypeScript.Node): void => {
    // Function bodies and initializers are not part of a type.
    if (ts.isBlock(node) || (ts.isClassElement(node) && isHidden(ts, node))) return;
    const name = typeNameOf(ts, node);
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol !== undefined) add(resolveAlias(ts, symbol, checker));
    ts.forEachChild(node, (child) => {
      if ((node as { readonly initializer?: TypeScript.Node }).initializer !== child) visit(child);
    });
  };
  const add = (symbol: TypeScript.Symbol): void => {
    const isParameter = (symbol.flags & ts.SymbolFlags.TypeParameter) !== 0;
    if (isParameter || known.has(symbol) || !isOwn(symbol)) return;
    known.add(symbol);
    parts.push({ name: symbol.name, symbol });
    symbol.declarations?.forEach(visit);
  };
  for (const { symbol } of symbols) symbol.declarations?.forEach(visit);
  return parts;
}

/** Resolves a name through all files that re-export it. */
export function resolveAlias(
  ts: Compiler,
  symbol: TypeScript.Symbol,
  checker: TypeScript.TypeChecker,
): TypeScript.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

function typeNameOf(ts: Compiler, node: TypeScript.Node): TypeScript.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  return ts.isExpressionWithTypeArguments(node) ? node.expression : undefined;
}

const isOwn = ({ declarations = [] }: TypeScript.Symbol): boolean =>
  declarations.some((node) => {
    const { fileName } = node.getSourceFile();
    return fileName.startsWith(SOURCES) && fileName !== OTHERS;
  });
