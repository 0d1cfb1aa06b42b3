/** Links between built pages: VitePress itself looks for the pages, but not for their anchors, nor for pages of others. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const LINK = /<(?:a|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g;
const ID = /\sid="([^"]*)"/g;

/**
 * @param folder A built site. Links may leave it for other pages next to it.
 * @returns One line for each link that leads nowhere.
 */
export function deadLinksIn(folder: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html'))
    .map((path) => join(folder, path));
  const anchors = new Map<string, Set<string>>();
  const anchorsOf = (file: string): Set<string> => {
    let found = anchors.get(file);
    if (found === undefined) {
      const ids = [...readFileSync(file, 'utf8').matchAll(ID)].map(([, id = '']) => id);
      anchors.set(file, (found = new Set(ids)));
    }
    return found;
  };
  return pages.flatMap((page) => {
    const targets = [...readFileSync(page, 'utf8').matchAll(LINK)].map(([, target = '']) => target);
    return [...new Set(targets)]
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const file = fileOf(page, target.replace(/[?#].*$/, ''));
        const anchor = /#(.+)$/.exec(target)?.[1];
        if (file === undefined) return true;
        return anchor !== undefined && !anchorsOf(file).has(decodeURIComponent(anchor));
      })
      .map((target) => `${relative(folder, page)}: ${target}`);
  });
}

/** The file that a server sends for an address. */
function fileOf(page: string, address: string): string | undefined {
  if (address === '') return page;
  const path = join(dirname(page), decodeURIComponent(address));
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path;
  return existsSync(file) ? file : undefined;
}
