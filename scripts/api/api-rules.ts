/**
 * The contents that doc comments of public names must have. `scripts/api/api-words.ts` has the words.
 *
 * - `default`: an optional property of an options interface (its name ends in `Options`) says what
 *   applies when it is left out.
 * - `range`: a number among these properties gives its range.
 * - `unit`: a number that goes in or out gives its unit, its range or what it counts, unless its
 *   name ends in a unit (`Ms`, `S`, `Hz`, `Ticks`, …). A property has it in its comment, which may
 *   refer to another one (`As x.`); a part of a literal may leave it to the whole. A parameter has
 *   a `@param`, or the one before it of the same type has (x speaks for y and z); or the function's
 *   comment says it, if the parameter is its only number or named there. A result has the comment
 *   or `@returns`. Numbers in a promise, an array or a union with words are numbers too; ids, which
 *   have a separate type, are not.
 * - `throws`: a function whose own body throws, or calls a check that does (`require…`, `resolve…`,
 *   `parse…`), has a `@throws`; if it returns a promise, "rejects with" is enough.
 */
import { type ApiSources, locationOf, ts, type TypeScript } from './api-compiler.js';
import { isHidden, nameOf } from './api-declarations.js';
import {
  type ApiTag,
  commentOf,
  directComment,
  isImplementation,
  type Member,
  memberNodes,
} from './api-model.js';
import { isNumeric } from './api-numbers.js';
import { whatThrows } from './api-throws.js';
import {
  mentions,
  namesUnit,
  referredTo,
  statesDefault,
  statesQuantity,
  statesRange,
} from './api-words.js';

export type ApiRule = 'default' | 'range' | 'unit' | 'throws';

/** A rule that a doc comment breaks. */
export interface Breach {
  readonly rule: ApiRule;
  /** `ConnectOptions.capacity`, `SimulationHandle.step(ticks)`. */
  readonly name: string;
  readonly location: string;
  /** For people: what is missing, and why it is required. */
  readonly reason: string;
}

/** A doc comment: its own text, and its tags. */
interface Doc {
  readonly comment: string;
  readonly tags: readonly ApiTag[];
}

/** Every broken rule, each once, as `location name: rule, reason`. */
export function brokenRules(sources: ApiSources): string[] {
  const breaches = sources.modules.flatMap(({ symbols, parts }) =>
    [...symbols, ...parts].flatMap(({ name, symbol }) =>
      new RuleReader(sources.checker).read(name, symbol),
    ),
  );
  const texts = breaches.map(
    ({ location, name, rule, reason }) => `${location} ${name}: ${rule}, ${reason}`,
  );
  return [...new Set(texts)].toSorted();
}

class RuleReader {
  readonly #checker: TypeScript.TypeChecker;
  readonly #found: Breach[] = [];

  constructor(checker: TypeScript.TypeChecker) {
    this.#checker = checker;
  }

  read(name: string, symbol: TypeScript.Symbol): readonly Breach[] {
    const declarations = symbol.declarations ?? [];
    const doc = commentOf(symbol, this.#checker);
    for (const node of declarations) {
      if (ts.isFunctionDeclaration(node)) {
        // The overloads describe an implementation's parameters, and its callers what it throws.
        if (!isImplementation(node, declarations)) this.#signature(name, node, doc);
        this.#throws(name, node, doc);
      } else if (ts.isVariableDeclaration(node)) {
        this.#variable(name, node, doc);
      } else if (ts.isTypeAliasDeclaration(node)) {
        this.#typeNode(name, node.type, doc);
      }
      const members = memberNodes(node).filter((member) => !isHidden(ts, member));
      for (const member of members) this.#member(name, member, members);
    }
    return this.#found;
  }

  #member(owner: string, node: Member, all: readonly Member[]): void {
    const own = nameOf(ts, node);
    const name = `${owner}.${own}`;
    const doc = this.#docOf(node);
    if (ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)) {
      const referred = all.filter((other) => referredTo(doc.comment).includes(nameOf(ts, other)));
      const texts = [doc, ...referred.map((other) => this.#docOf(other))];
      const text = texts.map(({ comment }) => comment).join('\n');
      if (owner.endsWith('Options') && node.questionToken !== undefined) {
        this.#option(name, node, doc, text);
      }
      this.#number(name, node, own, text);
      if (node.type !== undefined) this.#typeNode(name, node.type, doc);
    } else if (ts.isFunctionLike(node)) {
      this.#signature(name, node, doc);
      this.#throws(name, node, doc);
    }
  }

  #docOf(node: Member): Doc {
    const symbol =
      node.name === undefined ? undefined : this.#checker.getSymbolAtLocation(node.name);
    return symbol === undefined ? directComment(node) : commentOf(symbol, this.#checker);
  }

  #option(name: string, node: TypeScript.Declaration, doc: Doc, text: string): void {
    if (!statesDefault(doc.comment) && !doc.tags.some(({ tag }) => tag === 'default')) {
      this.#note('default', name, node, 'says nothing of what holds when it is left out');
    }
    if (this.#isNumeric(node) && !statesRange(text)) {
      this.#note('range', name, node, 'is a number and does not say from where to where');
    }
  }

  #variable(name: string, node: TypeScript.VariableDeclaration, doc: Doc): void {
    const { initializer } = node;
    if (initializer !== undefined && ts.isFunctionLike(initializer)) {
      this.#signature(name, initializer, doc);
      this.#throws(name, initializer, doc);
    } else {
      this.#number(name, node, name, doc.comment);
    }
  }

  /** The numbers in a written-out type: of functions, and of literals inside it. */
  #typeNode(name: string, node: TypeScript.Node, doc: Doc): void {
    if (ts.isFunctionTypeNode(node)) {
      this.#signature(name, node, doc);
    } else if (ts.isPropertySignature(node)) {
      const own = this.#docOf(node);
      const inner = own.comment === '' ? doc : own;
      const path = `${name}.${nameOf(ts, node)}`;
      this.#number(path, node, nameOf(ts, node), inner.comment);
      if (node.type !== undefined) this.#typeNode(path, node.type, inner);
    } else {
      ts.forEachChild(node, (child) => this.#typeNode(name, child, doc));
    }
  }

  #signature(name: string, node: TypeScript.SignatureDeclaration, doc: Doc): void {
    const numbers = node.parameters.filter((parameter) => this.#isNumeric(parameter));
    let group: string | undefined;
    let groupType: TypeScript.Type | undefined;
    for (const parameter of numbers) {
      const own = parameter.name.getText();
      const type = this.#checker.getTypeAtLocation(parameter);
      if (type !== groupType) group = undefined;
      group = doc.tags.find(({ tag, name: of }) => tag === 'param' && of === own)?.text ?? group;
      groupType = type;
      const isMeant = numbers.length === 1 || mentions(doc.comment, own);
      const text = group ?? (isMeant ? doc.comment : '');
      this.#quantity(`${name}(${own})`, parameter, own, text);
    }
    if (ts.isConstructorDeclaration(node) || ts.isSetAccessor(node)) return;
    const signature = this.#checker.getSignatureFromDeclaration(node);
    if (signature === undefined) return;
    if (!isNumeric(signature.getReturnType(), this.#checker)) return;
    const own = name.split('.').at(-1) ?? name;
    const returns = doc.tags.filter(({ tag }) => tag === 'returns').map(({ text }) => text);
    this.#quantity(`${name}()`, node, own, [doc.comment, ...returns].join('\n'));
  }

  #number(name: string, node: TypeScript.Node, own: string, text: string): void {
    if (this.#isNumeric(node)) this.#quantity(name, node, own, text);
  }

  #isNumeric(node: TypeScript.Node): boolean {
    return isNumeric(this.#checker.getTypeAtLocation(node), this.#checker);
  }

  #quantity(name: string, node: TypeScript.Node, own: string, text: string): void {
    if (namesUnit(own) || statesQuantity(text)) return;
    this.#note('unit', name, node, 'is a number and says no unit, no range and not what it counts');
  }

  #throws(name: string, node: TypeScript.SignatureDeclaration, doc: Doc): void {
    const cause = whatThrows(node, this.#checker);
    if (cause === undefined || doc.tags.some(isThrows)) return;
    if (this.#isPromised(node) && /\brejects? with\b/i.test(doc.comment)) return;
    this.#note('throws', name, node, `has no @throws for ${cause}`);
  }

  #isPromised(node: TypeScript.SignatureDeclaration): boolean {
    const type = this.#checker.getSignatureFromDeclaration(node)?.getReturnType();
    return type !== undefined && this.#checker.getAwaitedType(type) !== type;
  }

  #note(rule: ApiRule, name: string, node: TypeScript.Node, reason: string): void {
    this.#found.push({ rule, name, location: locationOf(node), reason });
  }
}

/** An empty tag does not count. */
function isThrows({ tag, text }: ApiTag): boolean {
  return tag === 'throws' && text !== '';
}
