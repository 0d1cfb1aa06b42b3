/**
 * A page of a browser that Playwright cannot drive, with Playwright's names for the calls of the
 * tests.
 */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { test, type Page } from '@playwright/test';
import { answerOf, callSource } from './page-values.js';
import { canReadProcesses, workerThreadTicks } from './processes.js';
import type { MouseButton, TestKeyboard, TestMouse, TestPage } from './test-page.js';

/** A browser with one window, as its protocol drives it. */
export interface DrivenBrowser {
  /** Name and version, for the log. */
  readonly version: string;
  /** Loads an absolute address and waits for its `load` event. */
  load(address: string): Promise<void>;
  /** @returns The result of the promise of which `expression` is the source. */
  run(expression: string): Promise<string>;
  /** Console messages since the last call, including uncaught errors. */
  takeConsole(): Promise<readonly ConsoleLine[]>;
  /** @param key The character that the key types. */
  key(action: 'down' | 'up', key: string): Promise<void>;
  mouse(action: 'down' | 'up', button: MouseButton): Promise<void>;
  mouseMove(x: number, y: number): Promise<void>;
  /** Turns the wheel at the mouse's position. */
  wheel(x: number, y: number, deltaX: number, deltaY: number): Promise<void>;
  close(): Promise<void>;
}

export interface ConsoleLine {
  /** `warning`, `error`, another of the console's, or `thrown`. */
  readonly type: string;
  readonly text: string;
}

const POLL_MS = 30;
/** Only ends what would wait forever. */
const WAIT_LIMIT_MS = 300_000;

export class DrivenPage implements TestPage {
  readonly #browser: DrivenBrowser;
  readonly #baseUrl: string;
  readonly #events = new EventEmitter();
  #mouse = { x: 0, y: 0 };

  constructor(browser: DrivenBrowser, baseUrl: string) {
    this.#browser = browser;
    this.#baseUrl = baseUrl;
  }

  readonly evaluate = (async (pageFunction: unknown, arg?: unknown) =>
    answerOf(await this.#browser.run(callSource(pageFunction, arg)))) as Page['evaluate'];

  readonly keyboard: TestKeyboard = {
    down: (code) => this.#browser.key('down', keyOf(code)),
    up: (code) => this.#browser.key('up', keyOf(code)),
    press: async (code) => {
      await this.keyboard.down(code);
      await this.keyboard.up(code);
    },
  };

  readonly mouse: TestMouse = {
    move: async (x, y) => {
      this.#mouse = { x, y };
      await this.#browser.mouseMove(x, y);
    },
    down: ({ button } = { button: 'left' }) => this.#browser.mouse('down', button),
    up: ({ button } = { button: 'left' }) => this.#browser.mouse('up', button),
    wheel: (deltaX, deltaY) => this.#browser.wheel(this.#mouse.x, this.#mouse.y, deltaX, deltaY),
  };

  async goto(address: string): Promise<void> {
    await this.reportConsole();
    await this.#browser.load(new URL(address, this.#baseUrl).href);
  }

  /** Polls from here: a page that is stopped or reloaded in between does no harm. */
  async waitForFunction(isSo: unknown, arg?: unknown): Promise<void> {
    const limitMs = performance.now() + WAIT_LIMIT_MS;
    while (!(await this.evaluate(`(arg) => (${String(isSo)})(arg)`, arg))) {
      if (performance.now() > limitMs) throw new Error(`Timed out waiting for: ${String(isSo)}`);
      await sleep(POLL_MS);
    }
  }

  async waitForTimeout(durationMs: number): Promise<void> {
    await sleep(durationMs);
  }

  /** By their threads: WebDriver has no workers, and BiDi's list keeps those of closed pages. */
  workers(): readonly unknown[] {
    test.skip(!canReadProcesses, 'only Linux reports which threads run');
    return workerThreadTicks();
  }

  on(event: 'console' | 'pageerror', listener: (about: never) => void): void {
    this.#events.on(event, listener as (about: unknown) => void);
  }

  locator(selector: string): { focus(): Promise<void> } {
    return {
      focus: () =>
        this.evaluate((wanted) => document.querySelector<HTMLElement>(wanted)?.focus(), selector),
    };
  }

  /** Passes the console's messages to the listeners. */
  async reportConsole(): Promise<void> {
    for (const { type, text } of await this.#browser.takeConsole()) {
      if (type === 'thrown') this.#events.emit('pageerror', new Error(text));
      else this.#events.emit('console', { type: () => type, text: () => text });
    }
  }
}

/** @throws {RangeError} for keys that no test has needed so far. */
function keyOf(code: string): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter === undefined) throw new RangeError(`Driven browsers know no key "${code}" yet.`);
  return letter.toLowerCase();
}
