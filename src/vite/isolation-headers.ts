/** The response headers that make a page cross-origin isolated, and the file that static hosts read them from. */

/**
 * How a page treats files of other origins that do not specify who may use them: `require-corp` refuses them,
 * `credentialless` fetches them without cookies. Safari only supports the first, and is not isolated with the second.
 */
export type EmbedderPolicy = 'require-corp' | 'credentialless';

/** Names and values of the three headers, as returned by {@link isolationHeaders}. */
export interface IsolationHeaders {
  /** Windows of other origins may not keep a reference to this one. */
  readonly 'Cross-Origin-Opener-Policy': 'same-origin';
  /** How the page treats files of other origins. */
  readonly 'Cross-Origin-Embedder-Policy': EmbedderPolicy;
  /** Who may use the file that is sent. */
  readonly 'Cross-Origin-Resource-Policy': 'same-origin';
}

/**
 * The response headers that make a page cross-origin isolated, for use in your own server. Without isolation a browser
 * has no `SharedArrayBuffer` and only a coarse clock.
 *
 * Every response needs them, not only the page: a worker is isolated only if the response for its own script has them,
 * and a browser refuses a script that it cached without them.
 *
 * @param embedderPolicy For files of other origins. Default `'require-corp'`.
 */
export function isolationHeaders(
  embedderPolicy: EmbedderPolicy = 'require-corp',
): IsolationHeaders {
  return {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': embedderPolicy,
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}

/** The pattern in a `_headers` file that matches every address of a site. */
const EVERYTHING = '/*';

/**
 * A `_headers` file for Netlify and Cloudflare Pages that contains the headers.
 *
 * @param existing The application's own file. Its values of these headers for every address are kept.
 */
export function headersFile(headers: IsolationHeaders, existing = ''): string {
  const lines = existing.split(/\r?\n/);
  while (lines.at(-1)?.trim() === '') lines.pop();
  const start = lines.findIndex((line) => line.trim() === EVERYTHING);
  if (start === -1) {
    const rule = [EVERYTHING, ...headerLines(headers)];
    return [...lines, ...(lines.length > 0 ? [''] : []), ...rule, ''].join('\n');
  }
  const end = endOfRule(lines, start);
  const said = new Set(lines.slice(start + 1, end).map(nameIn));
  lines.splice(end, 0, ...headerLines(headers).filter((line) => !said.has(nameIn(line))));
  return [...lines, ''].join('\n');
}

function headerLines(headers: IsolationHeaders): string[] {
  return Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
}

/** A rule continues as long as lines are indented. */
function endOfRule(lines: readonly string[], start: number): number {
  let end = start + 1;
  while (/^\s+\S/.test(lines[end] ?? '')) end++;
  return end;
}

function nameIn(line: string): string {
  return line.split(':')[0]?.trim().toLowerCase() ?? '';
}
