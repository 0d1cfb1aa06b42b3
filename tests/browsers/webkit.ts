/** WebKitGTK's own small browser, driven by classic WebDriver. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleLine, DrivenBrowser } from './driven-page.js';
import type { MouseButton } from './test-page.js';
import { freePort } from '../fixtures/free-port.js';
import { WebDriverSession } from './webdriver-session.js';

const START_LIMIT_MS = 120_000;
const POLL_MS = 50;
const SCRIPT_LIMIT_MS = 600_000;

const WHEEL = { type: 'wheel', id: 'wheel' } as const;

const WANTED = {
  'webkitgtk:browserOptions': {
    // No back/forward cache: it would keep pages of earlier tests, and their workers.
    args: ['--automation', '--enable-page-cache=false'],
  },
};

// The driver remembers one key and one button of a source: each has a separate source.
const keySource = (key: string, action: object) => ({
  type: 'key',
  id: `key ${key}`,
  actions: [action],
});
const mouseSource = (button: MouseButton, action: object) => ({
  type: 'pointer',
  id: `mouse ${button}`,
  parameters: { pointerType: 'mouse' },
  actions: [action],
});

/** Starts a browser on the display that the environment names. @param driverPath Command of WebKitWebDriver. */
export async function startWebKit(driverPath: string): Promise<DrivenBrowser> {
  const port = await freePort();
  const driver = spawn(driverPath, [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      GDK_BACKEND: 'x11',
      // WebKitGTK isolates pages as required, but hides SharedArrayBuffer from all of them unless
      // this is set.
      JSC_useSharedArrayBuffer: '1',
      // WebKit's WebAssembly compilers, while they run in parallel with the code they compile,
      // occasionally miscompile it: docs/browsers.md has the count.
      JSC_useConcurrentJIT: '0',
      // If the system has no language, WebKitGTK reports "C" to pages, which is not valid either.
      LANG: 'en_US.UTF-8',
      LANGUAGE: 'en_US',
    },
  });
  try {
    const session = await openSession(driver, `http://127.0.0.1:${port}`);
    await session.post('timeouts', { script: SCRIPT_LIMIT_MS, pageLoad: SCRIPT_LIMIT_MS });
    return drive(session, driver);
  } catch (error) {
    await end(driver);
    throw error;
  }
}

function drive(session: WebDriverSession, driver: ChildProcess): DrivenBrowser {
  const script = async (body: string): Promise<string> =>
    String(await session.post('execute/async', { script: body, args: [] }));
  const run = (expression: string): Promise<string> =>
    script(`const done = arguments[0]; ${expression}.then(done, (error) => done(String(error)))`);
  const listen = (): Promise<string> =>
    run(`(${listenToConsole.toString()})()`).catch((error: unknown) => {
      // The document was replaced before it answered.
      if (String(error).includes('unload')) return 'unloaded';
      throw error;
    });
  const { browserName, browserVersion } = session.capabilities;
  return {
    version: `${String(browserName)} ${String(browserVersion)}`,
    async load(address) {
      await run(`(${leave.toString()})()`);
      await session.post('url', { url: address });
      // The driver answers while the page still loads, sometimes before it has replaced the last one.
      while ((await listen()) !== 'complete') await sleep(POLL_MS);
    },
    run,
    async takeConsole() {
      return JSON.parse(await run(`(${takeLines.toString()})()`)) as ConsoleLine[];
    },
    key: (action, key) =>
      session.act([keySource(key, { type: action === 'down' ? 'keyDown' : 'keyUp', value: key })]),
    mouse: (action, button) =>
      session.act([
        mouseSource(button, {
          type: action === 'down' ? 'pointerDown' : 'pointerUp',
          button: button === 'left' ? 0 : 2,
        }),
      ]),
    mouseMove(x, y) {
      const action = { type: 'pointerMove', x, y, duration: 0 };
      return session.act([mouseSource('left', action), mouseSource('right', action)]);
    },
    wheel: (x, y, deltaX, deltaY) =>
      session.act([{ ...WHEEL, actions: [{ type: 'scroll', x, y, deltaX, deltaY, duration: 0 }] }]),
    async close() {
      await session.close();
      await end(driver);
    },
  };
}

/** Marks a page that another one is about to replace. Runs in the page. */
async function leave(): Promise<void> {
  Object.assign(globalThis, { isLeft: true });
}

/**
 * Console output of the page: the protocol has no console. Begins while the page loads. Runs in the page.
 *
 * @returns How far the page is loaded.
 */
async function listenToConsole(): Promise<string> {
  if ('isLeft' in globalThis) return 'left';
  if ('consoleLines' in globalThis) return document.readyState;
  const lines: { type: string; text: string }[] = [];
  Object.assign(globalThis, { consoleLines: lines });
  for (const [name, type] of [
    ['warn', 'warning'],
    ['error', 'error'],
  ] as const) {
    console[name] = (...parts: unknown[]) =>
      lines.push({ type, text: parts.map(String).join(' ') });
  }
  // Last, on the window: a test's own listener may have handled it.
  const note = (event: Event, text: string) => {
    if (!event.defaultPrevented) lines.push({ type: 'thrown', text });
  };
  addEventListener('error', (event) => setTimeout(note, 0, event, event.message));
  addEventListener('unhandledrejection', (event) =>
    setTimeout(note, 0, event, String(event.reason)),
  );
  return document.readyState;
}

/** Runs in the page. */
async function takeLines(): Promise<string> {
  const { consoleLines = [] } = globalThis as { consoleLines?: object[] };
  return JSON.stringify(consoleLines.splice(0));
}

async function openSession(driver: ChildProcess, address: string): Promise<WebDriverSession> {
  const limitMs = performance.now() + START_LIMIT_MS;
  for (;;) {
    try {
      return await WebDriverSession.open(address, WANTED);
    } catch (error) {
      // Refused connections: the driver does not listen yet.
      const isStarting = error instanceof TypeError && driver.exitCode === null;
      if (!isStarting || performance.now() > limitMs) throw error;
      await sleep(POLL_MS);
    }
  }
}

async function end(driver: ChildProcess): Promise<void> {
  if (driver.exitCode !== null || driver.signalCode !== null) return;
  driver.kill();
  await once(driver, 'exit');
}
