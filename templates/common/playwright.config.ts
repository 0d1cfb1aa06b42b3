import { defineConfig } from '@playwright/test';

/** Not Vite's own port, so that `npm start` may run at the same time. */
const port = Number(process.env.PORT ?? 5175);
/** A browser of your own in place of Playwright's. */
const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  testDir: 'tests',
  testMatch: '*.spec.ts',
  // Minutes: for machines that have something else to do.
  timeout: 300_000,
  expect: { timeout: 120_000 },
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    // Small, because WebGL is drawn by the processor: the same with and without a graphics card.
    viewport: { width: 640, height: 360 },
    launchOptions: {
      args: ['--use-gl=angle', '--use-angle=swiftshader-webgl', '--enable-unsafe-swiftshader'],
      ...(executablePath === undefined ? {} : { executablePath }),
    },
  },
  webServer: {
    command: `npx vite --host 127.0.0.1 --port ${port} --strictPort`,
    port,
    timeout: 120_000,
  },
});
