/**
 * Where a guide links to an entry of the reference, the entry links back to the heading above that link. A member that a guide
 * links to gets a heading, by which the search finds it. The build of the site refuses links that lead nowhere.
 */
import { anchorOf } from '../lint/documents.js';

/** A section of a document that links to an entry. */
export interface Guide {
  readonly title: string;
  /** From the folder of the reference: `../world.md#events`. */
  readonly address: string;
}

/** The guides by what they link to: a page of the reference and the anchor of a heading, `world.md#createworld`. */
export type Guides = ReadonlyMap<string, readonly Guide[]>;

/** @param documents Texts by the names of their files in `docs`. */
export function readGuides(documents: ReadonlyMap<string, string>): Guides {
  const found = new Map<string, Guide[]>();
  for (const [file, text] of documents) {
    let guide = { title: file, address: `../${file}` };
    for (const line of text.replaceAll(/^```[^]*?^```$/gm, '').split('\n')) {
      const [, level, title] = /^(#+) (.+)$/.exec(line) ?? [];
      if (title !== undefined) {
        guide = { title, address: `../${file}${level === '#' ? '' : `#${anchorOf(title)}`}` };
      }
      for (const [, target = ''] of line.matchAll(/\]\(api\/([\w-]+\.md#[\w-]+)\)/g)) {
        const guides = found.get(target) ?? [];
        if (!guides.some(({ address }) => address === guide.address)) guides.push(guide);
        found.set(target, guides);
      }
    }
  }
  return found;
}
