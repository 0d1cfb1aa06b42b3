/** Small faults that can be made in a source file: what a test suite should notice. */
import { parseAst } from 'rolldown/parseAst';

export interface Change {
  readonly kind: 'comparison' | 'arithmetic' | 'logic' | 'call' | 'constant' | 'condition';
  /** Where the text begins that is replaced, in UTF-16 units. */
  readonly start: number;
  readonly before: string;
  readonly after: string;
  readonly line: number;
  /** The nearest function with a name around it, as V8 calls it. Undefined: it runs when the module loads. */
  readonly within: string | undefined;
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>;

const OPERATORS: Readonly<Record<string, readonly [Change['kind'], string]>> = {
  '<': ['comparison', '<='],
  '<=': ['comparison', '<'],
  '>': ['comparison', '>='],
  '>=': ['comparison', '>'],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
};

/** All changes that can be made in a file, in the order of its text. */
export function changesIn(source: string, fileName: string): Change[] {
  const changes: Change[] = [];

  const change = (
    kind: Change['kind'],
    start: number,
    end: number,
    after: string,
    within: string | undefined,
  ): void => {
    const line = source.slice(0, start).split('\n').length;
    changes.push({ kind, start, before: source.slice(start, end), after, line, within });
  };

  const visit = (node: Node, parent: Node | undefined, around: string | undefined): void => {
    const within = nameOf(node, parent) ?? around;
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const [left, right] = [node.left as Node, node.right as Node];
      const [kind, after] = OPERATORS[node.operator as string] ?? [];
      const between = source.slice(left.end, right.start);
      const start = left.end + between.indexOf(node.operator as string);
      if (kind !== undefined && after !== undefined && ![left, right].some(isText)) {
        change(kind, start, start + (node.operator as string).length, after, within);
      }
    }
    const test = node.test as Node | undefined;
    if (test && ['IfStatement', 'ConditionalExpression', 'WhileStatement'].includes(node.type)) {
      change('condition', test.start, test.end, `!(${source.slice(test.start, test.end)})`, within);
    }
    if (node.type === 'ExpressionStatement' && isPlainCall(node.expression as Node)) {
      change('call', node.start, node.end, ';', within);
    }
    if (node.type === 'Literal' && typeof node.value === 'number' && parent?.type !== 'Property') {
      change('constant', node.start, node.end, String(node.value + 1), within);
    }
    if (node.type === 'Literal' && typeof node.value === 'boolean') {
      change('constant', node.start, node.end, String(!node.value), within);
    }
    for (const child of childrenOf(node)) visit(child, node, within);
  };

  const program: unknown = parseAst(source, { lang: fileName.endsWith('x') ? 'tsx' : 'ts' });
  visit(program as Node, undefined, undefined);
  return changes.toSorted((a, b) => a.start - b.start);
}

const isText = ({ type, value }: Node): boolean =>
  type === 'TemplateLiteral' || typeof value === 'string';

function isPlainCall(expression: Node): boolean {
  const call = expression.type === 'AwaitExpression' ? (expression.argument as Node) : expression;
  return call.type === 'CallExpression' && (call.callee as Node).type !== 'Super';
}

function nameOf(node: Node, parent: Node | undefined): string | undefined {
  if (['FunctionDeclaration', 'ClassDeclaration'].includes(node.type)) {
    return (node.id as { name: string }).name;
  }
  if (node.type === 'PropertyDefinition') return '<instance_members_initializer>';
  if (!['FunctionExpression', 'ArrowFunctionExpression'].includes(node.type)) return undefined;
  // A constructor is called by its class.
  if (parent?.kind === 'constructor') return undefined;
  const key = (parent?.type === 'VariableDeclarator' ? parent.id : parent?.key) as Node | undefined;
  const name = key?.name as string | undefined;
  return key?.type === 'PrivateIdentifier' ? `#${name}` : name;
}

/** Types can have no faults: they are not there when a program runs. */
const isCode = ({ type }: Node): boolean =>
  !type.startsWith('TS') ||
  ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(type);

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string')
    .filter(isCode);
}
