/** One suite over the renderers of three.js: what they draw of bodies. */
import { launchOptions } from '../../scripts/test/playwright-options.js';
import { chromiumTest as test, expect } from '../browsers/test.js';
import type {} from './pages/renderers.js';

test.use({
  launchOptions: {
    ...launchOptions,
    // WebGPU on the CPU; without a window, Chromium has it only with these. The page must be drawn the same way, or the
    // device is lost with its first frame on a canvas.
    args: [
      ...launchOptions.args.filter((flag) => !flag.startsWith('--use-angle')),
      '--use-angle=swiftshader',
      '--use-vulkan=swiftshader',
      '--enable-unsafe-webgpu',
      '--use-webgpu-adapter=swiftshader',
      '--enable-features=Vulkan',
    ],
  },
});

const NOTHING = '000';

for (const renderer of ['webgl', 'webgpu', 'fallback'] as const) {
  test(`the renderer ${renderer} draws bodies and instances where they are, and moves them`, async ({
    page,
  }) => {
    await page.goto('/tests/browser/pages/blank.html');
    const hasAdapter = await page.evaluate(
      async () => 'gpu' in navigator && (await navigator.gpu.requestAdapter()) !== null,
    );
    test.skip(
      renderer === 'webgpu' && !hasAdapter,
      'this Chromium has no WebGPU adapter: it needs SwiftShader for Vulkan, which Chrome and Chromium bring along since 113',
    );
    await page.goto(`/tests/browser/pages/renderers.html?renderer=${renderer}`);
    await page.waitForFunction(() => 'drawn' in globalThis);
    // Otherwise the suite would test the same renderer twice.
    expect(await page.evaluate(() => drawn.name)).toBe(renderer);
    const picture = () => page.evaluate(() => drawn.picture());
    const low = {
      attached: `100 ${NOTHING}`,
      few: `001 ${NOTHING}`,
      many: `110 ${NOTHING}`,
    };
    const none = `${NOTHING} ${NOTHING}`;
    await expect.poll(picture).toEqual({ ...low, dense: none, helper: none });
    await page.evaluate(() => drawn.addOthers());
    const others = { dense: `101 ${NOTHING}` };
    const violet: unknown = expect.stringMatching(/^1.. 000$/);
    await expect.poll(picture).toMatchObject({ ...low, ...others, helper: violet });
    await page.evaluate(() => drawn.move());
    await expect.poll(picture).toMatchObject({
      attached: `${NOTHING} 100`,
      few: `${NOTHING} 001`,
      many: `${NOTHING} 110`,
      ...others,
      helper: expect.stringMatching(/^000 1..$/),
    });
  });
}
