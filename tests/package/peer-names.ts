/** The names that `@react-three/rapier` declares, those that `betwixt/react` lacks, and those of which it takes less. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  COMPILER_OPTIONS,
  createHost,
  ts,
  type TypeScript,
} from '../../scripts/api/api-compiler.js';
import { repositoryRoot } from '../../scripts/child-process.js';

const OURS = join(repositoryRoot, 'src/react/index.ts');
const PEER = createRequire(import.meta.url)
  .resolve('@react-three/rapier/package.json')
  .replace(/package\.json$/, 'dist/declarations/src/index.d.ts');

const program = ts.createProgram([OURS, PEER], COMPILER_OPTIONS, createHost());
const checker = program.getTypeChecker();

type Exports = ReadonlyMap<string, TypeScript.Symbol>;

function exportsOf(path: string): Exports {
  const file = program.getSourceFile(path);
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${path} exports nothing`);
  return new Map(
    checker.getExportsOfModule(module).map((symbol) => [symbol.name, resolved(symbol)]),
  );
}

const resolved = (symbol: TypeScript.Symbol): TypeScript.Symbol =>
  (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);

/**
 * Names of exports, and of members of exported types that applications may use, with the members of those, such as
 * `RapierContext.world.step`. Members of a type are compared once.
 */
export function missingNames(): string[] {
  const [ours, peer] = [exportsOf(OURS), exportsOf(PEER)];
  const found: string[] = [];
  const compared = new Set<TypeScript.Type>();
  // Classes of handles before the payloads that contain them.
  for (const [name, symbol] of [...peer].toSorted().toReversed()) {
    const own = ours.get(name);
    if (own === undefined) found.push(name);
    else if (isType(symbol)) {
      const [a, b] = [
        checker.getDeclaredTypeOfSymbol(own),
        checker.getDeclaredTypeOfSymbol(symbol),
      ];
      found.push(...missingOf(name, a, b, compared));
    }
  }
  return found;
}

const OF_HANDLES = /^(?:ref$|on[A-Z]|RapierContext$|RefGetter$)|(?:Payload|Target|Handler)$/;

/**
 * Names of exported types, and of their members, that do not take every value of the other package's type, such as
 * `BallArgs` or `BallColliderProps.friction`. An application shows what is left out here: how handlers, refs and the answer
 * of `useRapier` are used, whose handles are objects of other classes.
 */
export function narrowerNames(): string[] {
  const ours = exportsOf(OURS);
  return [...exportsOf(PEER)].flatMap(([name, symbol]) => {
    const own = ours.get(name);
    if (own === undefined || !isType(symbol) || OF_HANDLES.test(name)) return [];
    const [a, b] = [checker.getDeclaredTypeOfSymbol(own), checker.getDeclaredTypeOfSymbol(symbol)];
    if (takes(a, b)) return [];
    const members = b.isUnion() || checker.isArrayLikeType(b) ? [] : b.getProperties();
    if (members.length === 0) return [name];
    return members.flatMap((member) => {
      const found = a.getProperty(member.name);
      const isNarrower = found !== undefined && !takes(valueOf(found), valueOf(member));
      const isCompared = !isInternal(member) && !OF_HANDLES.test(member.name);
      return isNarrower && isCompared ? [`${name}.${member.name}`] : [];
    });
  });
}

const takes = (own: TypeScript.Type, peer: TypeScript.Type): boolean =>
  checker.isTypeAssignableTo(peer, own);

const isType = ({ flags }: TypeScript.Symbol): boolean => (flags & ts.SymbolFlags.Type) !== 0;

function missingOf(
  path: string,
  own: TypeScript.Type,
  peer: TypeScript.Type,
  compared: Set<TypeScript.Type>,
): string[] {
  if (compared.has(peer) || checker.isArrayLikeType(peer)) return [];
  compared.add(peer);
  return peer.getProperties().flatMap((property) => {
    if (isInternal(property)) return [];
    const name = `${path}.${property.name}`;
    const found = own.getProperty(property.name);
    if (found === undefined) return [name];
    const [a, b] = [valueOf(found), valueOf(property)];
    const isOfData = b.getCallSignatures().length === 0 && name.split('.').length < 3;
    return isOfData ? missingOf(name, a, b, compared) : [];
  });
}

const valueOf = (property: TypeScript.Symbol): TypeScript.Type =>
  checker.getNonNullableType(checker.getTypeOfSymbol(property));

function isInternal({ name, declarations = [] }: TypeScript.Symbol): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return (
    name.startsWith('__@') ||
    declarations.some(
      (node) =>
        (ts.getCombinedModifierFlags(node) & hidden) !== 0 ||
        ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal'),
    )
  );
}
