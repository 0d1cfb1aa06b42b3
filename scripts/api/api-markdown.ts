/** The API reference as Markdown: a page for each entry point, and an index. */
import { anchorOf } from '../lint/documents.js';
import type { Guides } from './api-guides.js';
import {
  API_KINDS,
  type ApiEntry,
  type ApiKind,
  type ApiSymbol,
  type ApiTag,
} from './api-model.js';

const HEADINGS: Readonly<Record<ApiKind, string>> = {
  function: 'Functions',
  class: 'Classes',
  interface: 'Interfaces',
  type: 'Types',
  constant: 'Constants',
  member: 'Members',
};

const GENERATED = '<!-- Generated from the sources by `npm run docs:api`. -->\n\n';

/** Name of an entry point's page: `worker.md` for `betwixt/worker`. */
export function pageName(specifier: string): string {
  return `${specifier.split('/').slice(1).join('-') || specifier}.md`;
}

/** All pages by their names. */
export function pages(
  entries: readonly ApiEntry[],
  purposes: ReadonlyMap<string, string>,
  guides: Guides,
): Map<string, string> {
  const found = new Map([['README.md', contents(entries, purposes)]]);
  for (const entry of entries) {
    const { specifier } = entry;
    const parent = entries.find(
      (other) => specifier === `${other.specifier}/${lastPart(specifier)}`,
    );
    found.set(pageName(specifier), page(entry, purposes.get(specifier) ?? '', guides, parent));
  }
  return found;
}

function contents(entries: readonly ApiEntry[], purposes: ReadonlyMap<string, string>): string {
  const rows = entries.map(({ specifier, symbols }) => {
    const names = symbols
      .filter(({ kind }) => kind === 'function' || kind === 'class')
      .map(({ name }) => `\`${name}\``);
    const purpose = purposes.get(specifier)?.replace(/^Entry point for |\.$/g, '') ?? '';
    return `| [\`${specifier}\`](${pageName(specifier)}) | ${purpose} | ${names.join(', ')} |`;
  });
  return [
    `${GENERATED}# API reference`,
    'One page for each entry point of the package. Times are in ms and frequencies in Hz unless the name says otherwise.',
    ['| entry point | for | functions and classes |', '|---|---|---|', ...rows].join('\n'),
    '',
  ].join('\n\n');
}

/** Parts of types that no entry point exports. */
const PARTS =
  'Types that the above is made of. They have no name to import, and are reached from what uses them, such as ' +
  "`ConnectOptions['recovery']`.";

const lastPart = (specifier: string): string => specifier.split('/').at(-1) ?? '';

/** @param parent The entry point `betwixt/rapier` of `betwixt/rapier/compat`: what it has, too, is on its page. */
function page(entry: ApiEntry, purpose: string, guides: Guides, parent?: ApiEntry): string {
  const { specifier } = entry;
  const guidesOf: GuidesOf = (heading) => {
    const found = guides.get(`${pageName(specifier)}#${anchorOf(heading)}`) ?? [];
    const links = found.map(({ title, address }) => `[${title}](${address})`);
    return links.length === 0 ? '' : `Guide: ${links.join(', ')}`;
  };
  // Readers look for `World.castRay`: a part is known by the name of what extends it.
  const ownerOf = ({ name }: ApiSymbol): string =>
    entry.symbols.find(({ declaration }) => declaration.endsWith(` extends ${name}`))?.name ?? name;
  const textOf = (symbol: ApiSymbol): string => symbolText(symbol, symbol.name, guidesOf);
  const partOf = (symbol: ApiSymbol): string => symbolText(symbol, ownerOf(symbol), guidesOf);
  const ofParent = parent === undefined ? [] : [...parent.symbols, ...parent.parts];
  const places = new Set(ofParent.map(({ location }) => location));
  const isOwn = ({ location }: ApiSymbol): boolean => !places.has(location);
  const symbols = entry.symbols.filter(isOwn);
  const parts = entry.parts.filter(isOwn);
  const others = entry.symbols.filter((symbol) => !isOwn(symbol)).map(({ name }) => `\`${name}\``);
  const sections = API_KINDS.flatMap((kind) => {
    const own = symbols.filter((symbol) => symbol.kind === kind);
    return own.length === 0 ? [] : [`## ${HEADINGS[kind]}`].concat(own.map(textOf));
  });
  if (parts.length > 0) sections.push('## Parts', PARTS, ...parts.map(partOf));
  if (parent !== undefined && others.length > 0) {
    const from = `[\`${parent.specifier}\`](${pageName(parent.specifier)})`;
    sections.push(`As in ${from}: ${others.join(', ')}.`);
  }
  const intro = `${GENERATED}# \`${specifier}\``;
  const index = '[All entry points](README.md)';
  return [intro, `${purpose} ${index}`.trim(), ...sections].join('\n\n').trimEnd() + '\n';
}

/** The links of a heading to its guides, if there are any. */
type GuidesOf = (heading: string) => string;

/** @param owner The name before the members' in their headings. */
function symbolText(symbol: ApiSymbol, owner: string, guidesOf: GuidesOf): string {
  const { name, members } = symbol;
  const headed = members
    .map((member) => [`${owner}.${member.name}`, member] as const)
    .filter(([heading]) => guidesOf(heading) !== '');
  const listed = members.filter((member) => !headed.some(([, other]) => other === member));
  return [
    [`### ${name}`, described(symbol), guidesOf(name)],
    listed.map(memberText),
    // After the list, which a heading would end.
    headed.map(([heading, member]) => [`#### ${heading}`, described(member), guidesOf(heading)]),
  ]
    .flat(2)
    .filter((text) => text !== '')
    .join('\n\n');
}

const described = ({ declaration, comment, tags }: ApiSymbol): string =>
  [code(declaration), comment, ...tagTexts(tags)].filter((text) => text !== '').join('\n\n');

/** A list of members is easier to read than a heading for each. */
function memberText({ declaration, comment, tags }: ApiSymbol): string {
  const isShort = !declaration.includes('\n');
  const head = isShort ? `- **\`${declaration}\`**` : `- ${code(declaration)}`;
  const body = [comment, ...tagTexts(tags)].filter((text) => text !== '').join('\n\n');
  return `${head}\n\n${body}`.trimEnd().replaceAll(/\n(?=[^\n])/g, '\n  ');
}

function tagTexts(tags: readonly ApiTag[]): string[] {
  const listed = tags.map(({ tag, name, text }) => {
    const words: Readonly<Record<string, string>> = {
      param: `\`${name}\`: ${text}`,
      typeParam: `\`${name}\`: ${text}`,
      returns: `Returns: ${lowerFirst(text)}`,
      throws: `Throws ${text}`,
      see: `See \`${text}\``,
    };
    return `- ${words[tag] ?? text}`.replaceAll('\n', '\n  ');
  });
  return listed.length === 0 ? [] : [listed.join('\n')];
}

/** After a colon, unless it begins with a name. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z]* /.test(text) ? (text[0] ?? '').toLowerCase() + text.slice(1) : text;
}

function code(text: string): string {
  return `\`\`\`typescript\n${text}\n\`\`\``;
}
