/** Differences of the site: the documents are written for the repository's own view. */
import type { MarkdownRenderer } from 'vitepress';

/** Links to index pages have the names of their files, and the site has no sources. */
export function repositoryLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('repository-links', ({ tokens }) => {
    for (const { children } of tokens) {
      for (const [index, token] of (children ?? []).entries()) {
        const href = token.type === 'link_open' ? String(token.attrGet('href')) : '';
        if (isOutside(href)) unlink(children ?? [], index);
        else if (href !== '') token.attrSet('href', rewritten(href));
      }
    }
  });
}

/** Within the repository, but not among the documents. `docs/api` links to documents with `../`, too. */
const isOutside = (href: string): boolean => /^(?:\.\.\/)+(?:src|tests|scripts)\//.test(href);

/** The words stay. A link contains no other one, so the next end is its own. */
function unlink(children: { type: string }[], index: number): void {
  const end = children.findIndex(({ type }, at) => at > index && type === 'link_close');
  for (const at of [index, end]) {
    const token = children[at];
    if (token !== undefined) Object.assign(token, { type: 'text', tag: '', content: '' });
  }
}

/** The page that a file of the repository is, where the two have different names. */
function rewritten(href: string): string {
  if (/^[a-z]+:/.test(href)) return href;
  return href.replace(/(^|\/)README\.md(?=#|$)/, '$1index.md');
}

/** Code that is indented gets the box that code in fences has, which scrolls where it is too wide. */
export function indentedCode(md: MarkdownRenderer): void {
  md.core.ruler.push('indented-code', ({ tokens, env }) => {
    const { relativePath = '' } = env as { relativePath?: string };
    for (const token of tokens) {
      if (token.type !== 'code_block') continue;
      // Examples of doc comments are code, and drawings of other documents are not.
      const info = relativePath.startsWith('api/') ? 'ts' : 'text';
      Object.assign(token, { type: 'fence', tag: 'code', markup: '```', info });
    }
  });
}

const DEMO = /^<!-- demo: (\S+) "([^"]+)" -->\s*$/;

/**
 * A line `<!-- demo: examples/boxes/index.html "Boxes that fall" -->` shows a page of the site in a frame. The repository's view
 * shows nothing.
 */
export function demos(md: MarkdownRenderer): void {
  md.core.ruler.push('demos', ({ tokens, env }) => {
    const { relativePath = '' } = env as { relativePath?: string };
    const toRoot = '../'.repeat(relativePath.split('/').length);
    for (const token of tokens) {
      const [, page, label] = (token.type === 'html_block' && DEMO.exec(token.content)) || [];
      if (page === undefined || label === undefined) continue;
      const { escapeHtml } = md.utils;
      token.content = `<Demo address="${escapeHtml(toRoot + page)}" label="${escapeHtml(label)}" />\n`;
    }
  });
}

/** Moving pictures can be stopped: they are those in `docs/pictures`. */
export function pictures(md: MarkdownRenderer): void {
  const image = md.renderer.rules.image;
  md.renderer.rules.image = (tokens, index, options, env, self) => {
    const rendered = image?.(tokens, index, options, env, self) ?? '';
    const isMoving = tokens[index]?.attrGet('src')?.endsWith('.svg') ?? false;
    return isMoving ? `<span class="picture">${rendered}<PauseButton /></span>` : rendered;
  };
}

/** The empty heads of columns are no heads, which a screen reader would announce. */
export function emptyHeads(md: MarkdownRenderer): void {
  md.core.ruler.push('empty-heads', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[index + 1]?.content !== '') continue;
      token.tag = 'td';
      const end = tokens[index + 2];
      if (end !== undefined) end.tag = 'td';
    }
  });
}

/** Before a capital or a dot, and after other signs: there a name in code may be broken. */
const NAME_PART = /(?<=[a-z\d])(?=[A-Z])|(?<=[\w)\]])(?=\.[a-z])|(?<=[/(,:=_|])(?=[^\s/)])/;

/** On a phone, names in tables break between their words, and a cell with a sentence (`long`) is not too narrow to read. */
export function narrowTables(md: MarkdownRenderer): void {
  md.core.ruler.push('narrow-tables', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'td_open') continue;
      const parts = tokens[index + 1]?.children ?? [];
      if (parts.map(({ content }) => content).join('').length > 30) token.attrJoin('class', 'long');
      for (const code of parts) {
        if (code.type !== 'code_inline') continue;
        const words = code.content.split(NAME_PART).map((word) => md.utils.escapeHtml(word));
        Object.assign(code, {
          type: 'html_inline',
          content: `<code v-pre>${words.join('<wbr>')}</code>`,
        });
      }
    }
  });
}
