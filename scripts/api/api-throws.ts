/**
 * Whether a function throws to its caller: by its own statement, or by a check that it calls
 * directly.
 */
import { ts, type TypeScript } from './api-compiler.js';

/**
 * Functions that validate their arguments: `requireNumber`, `resolveOptions`, `parseKind`,
 * `#requireLive`.
 */
const CHECK = /^#?(?:require|resolve|parse)(?:[A-Z]|$)/;

/** Maximum depth of checks that call each other, more than ever occurs. */
const MAX_DEPTH = 8;

/**
 * The throwing code of this function or of the first check that throws: `throw new RangeError(…)`,
 * `requireNumber(…)`. Undefined when nothing here throws. Nested functions and caught errors do not
 * count.
 */
export function whatThrows(
  node: TypeScript.Node,
  checker: TypeScript.TypeChecker,
  depth = 0,
): string | undefined {
  const { body } = node as { readonly body?: TypeScript.Node };
  return body === undefined || depth > MAX_DEPTH ? undefined : search(body, checker, depth);
}

function search(
  node: TypeScript.Node,
  checker: TypeScript.TypeChecker,
  depth: number,
): string | undefined {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return undefined;
  if (ts.isThrowStatement(node)) return `throw ${head(node.expression)}`;
  if (ts.isTryStatement(node) && node.catchClause !== undefined) {
    return (
      search(node.catchClause, checker, depth) ??
      (node.finallyBlock && search(node.finallyBlock, checker, depth))
    );
  }
  if (ts.isCallExpression(node) && isThrowing(node.expression, checker, depth)) {
    return head(node);
  }
  return ts.forEachChild(node, (child) => search(child, checker, depth));
}

function isThrowing(
  callee: TypeScript.Expression,
  checker: TypeScript.TypeChecker,
  depth: number,
): boolean {
  if (callee.getText() === 'Promise.reject') return true;
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  if (!(ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) || !CHECK.test(name.text)) {
    return false;
  }
  return declarationsOf(name, checker).some(
    (declaration) => whatThrows(declaration, checker, depth + 1) !== undefined,
  );
}

/** The functions behind a name, through imports and constants. */
function declarationsOf(
  name: TypeScript.Node,
  checker: TypeScript.TypeChecker,
): readonly TypeScript.Node[] {
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return [];
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const { declarations = [] } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
  return declarations.map((node) =>
    ts.isVariableDeclaration(node) && node.initializer !== undefined ? node.initializer : node,
  );
}

/** `new RangeError(…)` or `requireNumber(…)` without the arguments. */
function head(node: TypeScript.Node): string {
  const callee = ts.isCallExpression(node) || ts.isNewExpression(node) ? node.expression : node;
  return `${ts.isNewExpression(node) ? 'new ' : ''}${callee.getText()}`;
}
