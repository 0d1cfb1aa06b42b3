/** The browser tests' interface to a page: small enough for every browser's remote control. */
import type { Page } from '@playwright/test';

/** The part of Playwright's `Page`, with its names, that the driven browsers have too. */
export interface TestPage {
  /** @param address Absolute, or a path of the test server. */
  goto(address: string): Promise<unknown>;
  evaluate: Page['evaluate'];
  waitForFunction<Arg>(isSo: (arg: Arg) => unknown, arg: Arg): Promise<unknown>;
  waitForFunction(isSo: () => unknown): Promise<unknown>;
  waitForTimeout(durationMs: number): Promise<void>;
  /** One entry for each worker that runs. */
  workers(): readonly unknown[];
  on(event: 'console', listener: (message: ConsoleMessage) => void): unknown;
  on(event: 'pageerror', listener: (error: Error) => void): unknown;
  readonly keyboard: TestKeyboard;
  readonly mouse: TestMouse;
  locator(selector: string): { focus(): Promise<void> };
}

export interface ConsoleMessage {
  /** `warning`, `error` and others. */
  type(): string;
  text(): string;
}

export interface TestKeyboard {
  /** @param code As `KeyboardEvent.code`. */
  down(code: string): Promise<void>;
  up(code: string): Promise<void>;
  press(code: string): Promise<void>;
}

export type MouseButton = 'left' | 'right';

export interface TestMouse {
  /** To a place in the viewport, in CSS pixels. */
  move(x: number, y: number): Promise<void>;
  down(options?: { readonly button: MouseButton }): Promise<void>;
  up(options?: { readonly button: MouseButton }): Promise<void>;
  wheel(deltaX: number, deltaY: number): Promise<void>;
}
