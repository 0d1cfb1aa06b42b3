/** Pages that may share memory with their worker, and pages that may not. */
import { expect, test } from './library-page.js';
import type { TestPage } from '../browsers/test.js';

/** The transport that `auto` chooses on this page. */
const choose = (page: TestPage) =>
  page.evaluate(async () => {
    await library.start({ transport: 'auto' });
    const { transport } = library.simulation;
    await library.moreTicks(3);
    const counted = library.simulation.stats().transport;
    await library.simulation.dispose();
    return { ...transport, counted };
  });

const said = (page: TestPage) => page.evaluate(() => library.said);

test('an isolated page shares memory silently, and says why if its browser hides SharedArrayBuffer', async ({
  page,
}) => {
  expect(await choose(page)).toMatchObject({ kind: 'shared', counted: 'shared' });
  expect(await said(page)).toEqual([]);
  // As WebKitGTK does.
  await page.evaluate(() => Reflect.deleteProperty(globalThis, 'SharedArrayBuffer'));
  const hidden = await choose(page);
  expect(hidden).toMatchObject({ kind: 'transfer', counted: 'transfer' });
  expect(hidden.reason).toContain('is cross-origin isolated, but');
  expect(await said(page)).toHaveLength(1);
});

for (const missingHeader of ['cross-origin-opener-policy', 'cross-origin-embedder-policy']) {
  test.describe(`without ${missingHeader}`, () => {
    test.use({ missingHeader });
    test(`a page without the header ${missingHeader} runs with messages, says so once, and refuses to share memory`, async ({
      page,
    }) => {
      const sent = await choose(page);
      expect(sent).toMatchObject({ kind: 'transfer', counted: 'transfer' });
      expect(sent.reason).toContain('not cross-origin isolated');
      expect(await choose(page)).toEqual(sent);
      expect(await said(page)).toEqual([expect.stringContaining(`'transfer'. ${sent.reason}`)]);
      const error = await page.evaluate(() => library.failureOf('throws', { transport: 'shared' }));
      expect(error?.name).toBe('NotIsolatedError');
      expect(error?.message.toLowerCase()).toContain(`lacks ${missingHeader}:`);
      expect(error?.message).toContain('/tests/browser/pages/library.html');
    });
  });
}
