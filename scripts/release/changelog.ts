/** CHANGELOG.md, as Keep a Changelog wants it. */
import { RefusedError } from '../cli/errors.js';

const CATEGORIES = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

const UNRELEASED = '## [Unreleased]';

/**
 * The changelog with a section for a release: what was under "Unreleased".
 *
 * @param date `YYYY-MM-DD`.
 * @throws RefusedError for a category that Keep a Changelog does not have, and if there is nothing to release.
 */
export function released(changelog: string, version: string, date: string): string {
  const { before, section, after } = split(changelog, UNRELEASED);
  const categories = [...section.matchAll(/^### (.*)$/gm)].map(([, name = '']) => name);
  const unknown = categories.find((name) => !CATEGORIES.includes(name));
  if (unknown !== undefined) {
    throw new RefusedError(`"### ${unknown}" must be one of ${CATEGORIES.join(', ')}`);
  }
  if (categories.length === 0) throw new RefusedError('there is nothing to release');
  const parts = [before.trimEnd(), UNRELEASED, `## [${version}] - ${date}`, section, after];
  return `${parts.join('\n\n').trimEnd()}\n`;
}

/** The text of a version's section. Undefined if there is none. */
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
