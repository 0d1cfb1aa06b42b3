/** Names that test run, configuration and specs must agree on to test in other browsers than Chromium. */

export type BrowserName = 'chromium' | 'firefox' | 'webkit';

/** Environment variable that names the browser of the tests; without it they run in Chromium. */
export const browserVariable = 'BETWIXT_BROWSER';

/** Environment variable with the command of that browser, or of its driver. */
export const commandVariable = 'BETWIXT_BROWSER_COMMAND';

/** Environment variable that is set if there is a display for windows. */
export const windowVariable = 'BETWIXT_BROWSER_WINDOW';

export const browserName: BrowserName = readName(process.env[browserVariable]);

/**
 * The specs of `tests/browser` that run in every browser: they need no more of a page than
 * `TestPage` has.
 */
export const drivenSpecs: readonly string[] = [
  'drag',
  'examples',
  'golden',
  'input-sources',
  'isolation',
  'offscreen',
  'page-life',
  'react',
  'transports',
  'workers',
].map((name) => `${name}.spec.ts`);

function readName(text = 'chromium'): BrowserName {
  if (text === 'chromium' || text === 'firefox' || text === 'webkit') return text;
  throw new RangeError(
    `${browserVariable} is "${text}": it has to be chromium, firefox or webkit.`,
  );
}
