/** The files that a release writes, and the faults that stop it. */
import { expect, test } from 'vitest';
import { notesOf, released } from '../release/changelog.js';
import { problemsOf } from '../release/release-problems.js';

const CHANGELOG = `# Changelog

About the format.

## [Unreleased]

### Added

- A first thing,
  on two lines.

### Fixed

- A mistake.

## [0.1.0] - 2026-01-02

### Added

- All of it.
`;

const text = released(CHANGELOG, '0.2.0', '2026-03-04');

test('the changelog of a release has what was unreleased, before the earlier releases', () => {
  expect(text).toBe(
    CHANGELOG.replace('## [Unreleased]\n', '## [Unreleased]\n\n## [0.2.0] - 2026-03-04\n'),
  );
});

test('the changelog has the notes of each version', () => {
  expect(notesOf(text, '0.2.0')).toMatch(/^### Added\n\n- A first[\s\S]*- A mistake\.$/);
  expect(notesOf(text, '0.1.0')).toBe('### Added\n\n- All of it.');
  expect(notesOf(text, '0.3.0')).toBeUndefined();
});

test('the changelog of the first release keeps its introduction', () => {
  const first =
    '# Changelog\n\n## [Unreleased]\n\nThe first version.\n\n### Added\n\n- All of it.\n';
  expect(released(first, '0.1.0', '2026-01-02')).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-02\n\nThe first version.\n\n### Added\n\n- All of it.\n',
  );
});

test.each([
  ['### New\n\n- No such category.', /"### New" must be one of Added, Changed/],
  ['', /nothing to release/],
])('a release of %j is refused', (section, message) => {
  const changelog = `# Changelog\n\n## [Unreleased]\n\n${section}\n\n## [0.1.0] - 2026-01-02\n\n### Added\n\n- x\n`;
  expect(() => released(changelog, '0.2.0', '2026-03-04')).toThrow(message);
});

const good = {
  tag: 'v0.2.0',
  version: '0.2.0',
  notes: '### Added',
  address: 'git+https://github.com/some/where.git',
  builtIn: 'https://github.com/some/where',
};

test('a tag can be released, also outside of GitHub', () => {
  expect(problemsOf(good)).toEqual([]);
  expect(problemsOf({ ...good, builtIn: undefined })).toEqual([]);
});

test.each([
  [{ tag: 'v0.2.1' }, /tag is v0\.2\.1, but package\.json has the version 0\.2\.0/],
  [{ notes: undefined }, /no section for 0\.2\.0/],
  [
    { builtIn: 'https://github.com/else/where' },
    /set it to git\+https:\/\/github\.com\/else\/where\.git/,
  ],
])('a tag is refused with %j', (change, message) => {
  const problems = problemsOf({ ...good, ...change });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(message);
});
