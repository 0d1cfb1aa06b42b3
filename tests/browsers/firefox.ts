/** A stock Firefox, driven by WebDriver BiDi. */
import { launch, type Page } from 'puppeteer-core';
import type { ConsoleLine, DrivenBrowser } from './driven-page.js';

/** For its start, and for each request: only ends what would wait forever. */
const LIMIT_MS = 600_000;

/**
 * Starts a Firefox.
 *
 * @param executablePath Its command.
 * @param hasWindow Whether it has a window, and with it WebGL. It then needs a display.
 */
export async function startFirefox(
  executablePath: string,
  hasWindow = false,
): Promise<DrivenBrowser> {
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: !hasWindow,
    timeout: LIMIT_MS,
    protocolTimeout: LIMIT_MS,
    defaultViewport: { width: 1280, height: 720 },
  });
  const [first] = await browser.pages();
  const page = first ?? (await browser.newPage());
  const lines = collectConsole(page);
  return {
    version: await browser.version(),
    async load(address) {
      await page.goto(address, { timeout: LIMIT_MS });
    },
    async run(expression) {
      return String(await page.evaluate(expression));
    },
    takeConsole: () => Promise.resolve(lines.splice(0)),
    async key(action, key) {
      await page.keyboard[action](key as 'a');
    },
    async mouse(action, button) {
      await page.mouse[action]({ button });
    },
    async mouseMove(x, y) {
      await page.mouse.move(x, y);
    },
    async wheel(_x, _y, deltaX, deltaY) {
      await page.mouse.wheel({ deltaX, deltaY });
    },
    close: () => browser.close(),
  };
}

function collectConsole(page: Page): ConsoleLine[] {
  const lines: ConsoleLine[] = [];
  page.on('console', (message) => {
    const type = message.type() === 'warn' ? 'warning' : message.type();
    lines.push({ type, text: message.text() });
  });
  page.on('pageerror', (error) => lines.push({ type: 'thrown', text: String(error) }));
  return lines;
}
