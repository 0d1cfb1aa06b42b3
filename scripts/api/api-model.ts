/** The package's exports, read from the sources: names, declarations, doc comments. */
import {
  type ApiSources,
  type ExportedSymbol,
  openSources,
  locationOf,
  ts,
  type TypeScript,
} from './api-compiler.js';
import { declarationText, isHidden, nameOf } from './api-declarations.js';

/** An entry point of the package. */
export interface ApiEntry {
  /** As it is imported: `betwixt/worker`. */
  readonly specifier: string;
  readonly symbols: readonly ApiSymbol[];
  /** Types that these are made of and that have no name to import. */
  readonly parts: readonly ApiSymbol[];
}

/** An exported name, or a member of one. */
export interface ApiSymbol {
  readonly name: string;
  readonly kind: ApiKind;
  /** The declaration, without its body. Several for overloads. */
  readonly declaration: string;
  /** The doc comment, empty when it has none. */
  readonly comment: string;
  readonly tags: readonly ApiTag[];
  /** File and line from the root of the repository, for messages. */
  readonly location: string;
  readonly members: readonly ApiSymbol[];
}

/** The declarations of a name, in the order of the page. */
export const API_KINDS = ['function', 'class', 'interface', 'type', 'constant', 'member'] as const;
export type ApiKind = (typeof API_KINDS)[number];

/** A part of a doc comment: `@param name text`. */
export interface ApiTag {
  readonly tag: string;
  /** Name of a parameter. Empty for other tags. */
  readonly name: string;
  readonly text: string;
}

export function readApi({ modules, checker }: ApiSources = openSources()): readonly ApiEntry[] {
  const readAll = (symbols: readonly ExportedSymbol[]): ApiSymbol[] =>
    symbols
      .map((exported) => read(exported, checker))
      .toSorted((a, b) => order(a) - order(b) || (a.name < b.name ? -1 : 1));
  return modules.map(({ specifier, symbols, parts }) => ({
    specifier,
    symbols: readAll(symbols),
    parts: readAll(parts),
  }));
}

function order({ kind }: ApiSymbol): number {
  return API_KINDS.indexOf(kind);
}

function read({ name, symbol }: ExportedSymbol, checker: TypeScript.TypeChecker): ApiSymbol {
  const declarations = symbol.declarations ?? [];
  const [first] = declarations;
  if (first === undefined) throw new Error(`${name} is exported and not declared`);
  // An interface of the same name has further members of a class.
  const isClass = ts.isClassDeclaration(first);
  const own = declarations.filter(
    (declaration) =>
      !isImplementation(declaration, declarations) &&
      !(isClass && ts.isInterfaceDeclaration(declaration)),
  );
  const members = declarations.flatMap((declaration) => membersOf(declaration, checker));
  return {
    name,
    kind: kindOf(first, checker),
    declaration: own
      .map((declaration) => declarationText(ts, declaration, checker))
      .filter((text, index, all) => all.indexOf(text) === index)
      .join('\n'),
    ...commentOf(symbol, checker),
    location: locationOf(first),
    members,
  };
}

/** The implementation behind overloads is not public. */
export function isImplementation(
  node: TypeScript.Declaration,
  all: readonly TypeScript.Declaration[],
): boolean {
  return all.length > 1 && ts.isFunctionDeclaration(node) && node.body !== undefined;
}

function kindOf(node: TypeScript.Declaration, checker: TypeScript.TypeChecker): ApiKind {
  if (ts.isFunctionDeclaration(node)) return 'function';
  if (ts.isClassDeclaration(node)) return 'class';
  if (ts.isInterfaceDeclaration(node)) return 'interface';
  if (ts.isTypeAliasDeclaration(node)) return 'type';
  // Hooks and components, which are not declared as functions.
  const isCallable = checker.getTypeAtLocation(node).getCallSignatures().length > 0;
  return isCallable ? 'function' : 'constant';
}

function membersOf(
  declaration: TypeScript.Declaration,
  checker: TypeScript.TypeChecker,
): ApiSymbol[] {
  const nodes = memberNodes(declaration);
  const found = new Map<string, ApiSymbol>();
  for (const node of nodes) {
    if (isHidden(ts, node)) continue;
    const name = nameOf(ts, node);
    const symbol = node.name === undefined ? undefined : checker.getSymbolAtLocation(node.name);
    const text = declarationText(ts, node, checker);
    const before = found.get(name);
    // A pair of accessors, or overloads, is one member with several declarations.
    const declarationOfAll = before === undefined ? text : `${before.declaration}\n${text}`;
    const comment = symbol === undefined ? directComment(node) : commentOf(symbol, checker);
    found.set(name, {
      name,
      kind: 'member',
      declaration: declarationOfAll,
      ...comment,
      location: locationOf(node),
      members: [],
    });
  }
  return [...found.values()];
}

export type Member = TypeScript.TypeElement | TypeScript.ClassElement;

/** The contents of a declaration's braces. */
export function memberNodes(node: TypeScript.Declaration): readonly Member[] {
  if (ts.isInterfaceDeclaration(node)) return node.members;
  if (ts.isClassDeclaration(node)) return node.members;
  if (ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type)) return node.type.members;
  return [];
}

export function commentOf(
  symbol: TypeScript.Symbol,
  checker: TypeScript.TypeChecker,
): Pick<ApiSymbol, 'comment' | 'tags'> {
  return {
    comment: plain(ts.displayPartsToString(symbol.getDocumentationComment(checker))),
    tags: symbol.getJsDocTags(checker).flatMap(readTag),
  };
}

/** Constructors and index signatures have no separate symbol. */
export function directComment(node: TypeScript.Node): Pick<ApiSymbol, 'comment' | 'tags'> {
  const comments = ts.getJSDocCommentsAndTags(node).filter((part) => ts.isJSDoc(part));
  const text = comments.map((part) => ts.getTextOfJSDocComment(part.comment) ?? '').join('\n');
  const tags = comments.flatMap((part) => part.tags ?? []);
  return {
    comment: plain(text),
    tags: tags.map((tag) => ({
      tag: tag.tagName.text,
      name: ts.isJSDocParameterTag(tag) ? tag.name.getText() : '',
      text: plain(ts.getTextOfJSDocComment(tag.comment) ?? ''),
    })),
  };
}

function readTag({ name: tag, text: parts = [] }: TypeScript.JSDocTagInfo): ApiTag[] {
  const isNamed = tag === 'param' || tag === 'typeParam';
  const text = plain(ts.displayPartsToString([...parts]));
  const [, name = '', rest = text] = (isNamed && /^(\S+)\s*([\s\S]*)$/.exec(text)) || [];
  // Errors may be listed in sequence on a line, and in braces.
  return rest
    .split(/\s@throws\s/)
    .map((part) => ({ tag, name, text: part.replaceAll(/^\{(\w+)\}/g, '$1').trim() }));
}

/** Links become code: the names that they refer to are on the same page or part of the language. */
function plain(text: string): string {
  return text.replaceAll(/\{@link\s+([^}\s|]+)[^}]*\}/g, '`$1`').trim();
}
