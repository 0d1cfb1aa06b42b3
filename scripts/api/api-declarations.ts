/**
 * Declarations as the API reference shows them: without bodies, initial values and redundant words.
 */
import type { TypeScript } from './api-compiler.js';

type Compiler = typeof TypeScript;

/** Not for users: private members, and what a base class has already declared. */
export function isHidden(ts: Compiler, node: TypeScript.Declaration): boolean {
  const name = ts.getNameOfDeclaration(node);
  if (name !== undefined && ts.isPrivateIdentifier(name)) return true;
  if (ts.isClassStaticBlockDeclaration(node) || ts.isSemicolonClassElement(node)) return true;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Override;
  return (ts.getCombinedModifierFlags(node) & hidden) !== 0;
}

/** The name of a member. */
export function nameOf(ts: Compiler, node: TypeScript.Declaration): string {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  return ts.getNameOfDeclaration(node)?.getText() ?? '[index]';
}

export function declarationText(
  ts: Compiler,
  node: TypeScript.Declaration,
  checker: TypeScript.TypeChecker,
): string {
  if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) {
    return tidy(node.getText().slice(0, openingBrace(ts, node)));
  }
  if (ts.isVariableDeclaration(node)) {
    const type = checker.getTypeAtLocation(node);
    const flags = ts.TypeFormatFlags.NoTruncation;
    return `const ${node.name.getText()}: ${node.type?.getText() ?? checker.typeToString(type, node, flags)}`;
  }
  if (ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type)) {
    return tidy(`type ${node.name.text} = {…}`);
  }
  if (ts.isTypeAliasDeclaration(node) && ts.isUnionTypeNode(node.type)) {
    const names = namesIn(checker.getTypeAtLocation(node));
    const isWritten = node.type.types.every((type) => ts.isLiteralTypeNode(type));
    if (names !== undefined && !isWritten) return `type ${node.name.text} =\n${names.join('\n')}`;
  }
  if (ts.isFunctionLike(node)) return signatureText(ts, node, checker);
  if (ts.isPropertyDeclaration(node)) return propertyText(node, checker);
  return tidy(node.getText());
}

/** The names that a union consists of, which may follow from other types. Undefined: it has something else. */
function namesIn(type: TypeScript.Type): string[] | undefined {
  if (!type.isUnion()) return undefined;
  const names = type.types.flatMap((each) => (each.isStringLiteral() ? [each.value] : []));
  return names.length === type.types.length
    ? names.toSorted().map((name) => `| '${name}'`)
    : undefined;
}

/** Where the members begin, behind type parameters and heritage, which may have braces too. */
function openingBrace(
  ts: Compiler,
  node: TypeScript.ClassDeclaration | TypeScript.InterfaceDeclaration,
): number {
  const brace = node.getChildren().find(({ kind }) => kind === ts.SyntaxKind.OpenBraceToken);
  return (brace?.getStart() ?? node.end) - node.getStart();
}

function signatureText(
  ts: Compiler,
  node: TypeScript.SignatureDeclaration,
  checker: TypeScript.TypeChecker,
): string {
  const { body } = node as { readonly body?: TypeScript.Node };
  const end = body === undefined ? node.end : body.getFullStart();
  const text = tidy(node.getText().slice(0, end - node.getStart()));
  if (node.type !== undefined || ts.isConstructorDeclaration(node) || ts.isSetAccessor(node)) {
    return text;
  }
  const signature = checker.getSignatureFromDeclaration(node);
  if (signature === undefined) return text;
  return `${text}: ${checker.typeToString(signature.getReturnType(), node)}`;
}

function propertyText(
  node: TypeScript.PropertyDeclaration,
  checker: TypeScript.TypeChecker,
): string {
  const head = node.getText().slice(0, node.name.end - node.getStart());
  const type = node.type?.getText() ?? checker.typeToString(checker.getTypeAtLocation(node), node);
  return tidy(`${head}${node.questionToken === undefined ? '' : '?'}: ${type}`);
}

function tidy(text: string): string {
  const lines = text
    .replace(/^(?:export |declare |async |override |public )+/, '')
    .replace(/[;\s]+$/, '')
    .split('\n');
  // Inner lines are indented as deep as their declaration is in its file.
  const indents = lines
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map(indentOf);
  const common = Math.min(...indents, indentOf(lines.at(-1) ?? ''));
  return lines.map((line, index) => (index === 0 ? line : line.slice(common))).join('\n');
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
