/**
 * Types that public declarations are made of and that no entry point exports: what an option holds, what a result
 * consists of. They are reached from what uses them (`ConnectOptions['display']`), and the reference has to say what they
 * are all the same.
 */
import { join } from 'node:path';
import { repositoryRoot } from '../child-process.js';
import type { ExportedSymbol, TypeScript } from './api-compiler.js';
import { isHidden } from './api-declarations.js';

type Compiler = typeof TypeScript;

const SOURCES = join(repositoryRoot, 'src/');

/**
 * Of the names of an entry point, and of their own parts.
 *
 * @param known Types that have a place in the reference. What is found is added.
 */
export function partsOf(
  ts: Compiler,
  symbols: readonly ExportedSymbol[],
  known: Set<TypeScript.Symbol>,
  checker: TypeScript.TypeChecker,
): ExportedSymbol[] {
  const parts: ExportedSymbol[] = [];
  const visit = (node: TypeScript.Node): void => {
    // What a function does, and how a value is made, is not what it is.
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

/** What a name stands for, behind all files that pass it on. */
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
  declarations.some((node) => node.getSourceFile().fileName.startsWith(SOURCES));
