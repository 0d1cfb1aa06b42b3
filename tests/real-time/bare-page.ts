/** Opens the page without the library, which is the reference for each test here. */
import { expect, test, type TestPage } from '../browsers/test.js';

export async function openBare(page: TestPage): Promise<void> {
  await page.goto('/tests/real-time/pages/bare.html');
  await page.waitForFunction(() => 'bare' in globalThis);
}

/** Skips the test on a machine that cannot do without the library what is tested with it. */
export function skipUnless(isAble: boolean, measured: string): void {
  console.log(`Without the library: ${measured}.`);
  test.skip(!isAble, `This machine cannot do it without the library either: ${measured}.`);
}

export { expect, test };
