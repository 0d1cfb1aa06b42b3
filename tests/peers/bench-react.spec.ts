/** The comparison of applications of React Three Fiber, in short: both libraries mount, draw and unmount the same. */
import { expect } from '@playwright/test';
import { startProductionServer, type PageServer } from '../../bench/peers/production-browser.js';
import { settledScene } from '../../bench/peers/scene/settled-scene.js';
import { LIBRARIES } from '../../bench/react/figures.js';
import { REACT_PAGE, runOnPage } from '../../bench/react/run-in-browser.js';
import { test } from '../browsers/shared-page.js';

let served: PageServer;

test.beforeAll(async () => {
  served = await startProductionServer(REACT_PAGE);
});

test.afterAll(() => served.close());

// One test: from one to the next the browser keeps its process, and its compiled code.
test('bench:react: the same application runs on both libraries', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  const scene = await settledScene(6, 1);
  for (const kind of ['meshes', 'instances', 'rays'] as const) {
    for (const library of LIBRARIES) {
      await test.step(`${library}, ${kind}`, async () => {
        await page.goto(served.address);
        const rays = kind === 'rays' ? { rays: 2 } : {};
        const request = { library, kind, bodies: 6, scene, ...rays };
        const options = { seconds: 0.5, warmUpSeconds: 0, mounts: 1 };
        const figures = await runOnPage(page, request, options);
        expect(figures.frameMs.p95).toBeGreaterThan(0);
        expect(figures.engineBytes).toBeGreaterThan(0);
        if (kind !== 'rays') {
          expect(figures.mounts?.mountMs).toBeGreaterThan(0);
          expect(figures.mounts?.unmountMs).toBeGreaterThan(0);
          expect(figures.mounts?.heapGrowth).toBeGreaterThan(0);
        }
        expect(errors).toEqual([]);
      });
    }
  }
});
