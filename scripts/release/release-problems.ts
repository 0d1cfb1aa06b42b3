/** Why a tag cannot be released. */

/** The facts about a release before it is published. */
export interface ReleaseFacts {
  readonly tag: string;
  /** In package.json. */
  readonly version: string;
  /** The version's section of the changelog. */
  readonly notes: string | undefined;
  /** `repository.url` in package.json. */
  readonly address: string;
  /** The repository in whose workflow it is built. Undefined outside of GitHub. */
  readonly builtIn: string | undefined;
}

/** One line for each problem. */
export function problemsOf(facts: ReleaseFacts): readonly string[] {
  const { tag, version, notes, address, builtIn } = facts;
  const problems: string[] = [];
  if (tag !== `v${version}`) {
    problems.push(`The tag is ${tag}, but package.json has the version ${version}.`);
  }
  if (notes === undefined || notes === '') {
    problems.push(
      `CHANGELOG.md has no section for ${version}: run "npm run release:version -- ${version}".`,
    );
  }
  // A registry refuses a provenance that names another repository.
  if (builtIn !== undefined && address !== `git+${builtIn}.git`) {
    problems.push(
      `"repository" in package.json is ${address}, but this is ${builtIn}: set it to git+${builtIn}.git.`,
    );
  }
  return problems;
}
