/**
 * CHANGELOG.md, as Keep a Changelog wants it. The changesets' own generators put every change under "Minor Changes" or "Patch
 * Changes" instead, so they are turned off, and this writes the sections.
 */
import { RefusedError } from '../cli/errors.js';

/** In their order. */
export const CATEGORIES = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

const UNRELEASED = '## [Unreleased]';

/** A changeset: its file without the ending, and its text. */
export interface Change {
  readonly id: string;
  readonly summary: string;
}

/**
 * The changelog with a section for a release: what was under "Unreleased", and the texts of the changesets, each at the end of its
 * category.
 *
 * @param date `YYYY-MM-DD`.
 * @throws RefusedError for a changeset without categories, and if there is nothing to release.
 */
export function released(
  changelog: string,
  changes: readonly Change[],
  version: string,
  date: string,
): string {
  const { before, section, after } = split(changelog, UNRELEASED);
  const { introduction, categories } = parse(section);
  for (const { id, summary } of changes) {
    const added = parse(summary);
    if (added.introduction !== '' || added.categories.size === 0) {
      throw new RefusedError(
        `.changeset/${id}.md must have its text under ${CATEGORIES.map((name) => `"### ${name}"`).join(', ')}`,
      );
    }
    for (const [name, text] of added.categories) {
      const earlier = categories.get(name);
      categories.set(name, earlier === undefined ? text : `${earlier}\n${text}`);
    }
  }
  if (categories.size === 0) throw new RefusedError('there is nothing to release');
  const parts = CATEGORIES.flatMap((name) => {
    const text = categories.get(name);
    return text === undefined ? [] : [`### ${name}\n\n${text}`];
  });
  const texts = introduction === '' ? parts : [introduction, ...parts];
  const sections = [
    UNRELEASED,
    `## [${version}] - ${date}`,
    ...texts,
    ...(after === '' ? [] : [after]),
  ];
  return `${before.trimEnd()}\n\n${sections.join('\n\n').trimEnd()}\n`;
}

/** What a version's section says. Undefined if there is none. */
export function notesOf(changelog: string, version: string): string | undefined {
  const heading = changelog.split('\n').find((line) => line.startsWith(`## [${version}] - `));
  return heading === undefined ? undefined : split(changelog, heading).section;
}

/** The text before a section, in it, and from the next one on. */
function split(changelog: string, heading: string) {
  const start = changelog.indexOf(`${heading}\n`);
  if (start === -1) throw new RefusedError(`CHANGELOG.md has no section "${heading}"`);
  const from = start + heading.length;
  const next = changelog.indexOf('\n## [', from);
  const end = next === -1 ? changelog.length : next;
  return {
    before: changelog.slice(0, start),
    section: changelog.slice(from, end).trim(),
    after: changelog.slice(end).trim(),
  };
}

/** @throws RefusedError for a category that Keep a Changelog does not have. */
function parse(section: string): { introduction: string; categories: Map<string, string> } {
  const [introduction = '', ...rest] = `\n${section}`.split(/\n### /);
  const categories = new Map<string, string>();
  for (const text of rest) {
    const [name = '', ...lines] = text.split('\n');
    if (!CATEGORIES.includes(name.trim())) {
      throw new RefusedError(`"### ${name}" must be one of ${CATEGORIES.join(', ')}`);
    }
    categories.set(name.trim(), lines.join('\n').trim());
  }
  return { introduction: introduction.trim(), categories };
}
