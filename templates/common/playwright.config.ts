import { defineConfig } from '@playwright/test';

/** Not Vite's default port, so that `npm start` can run at the same time. */
const port = Number(process.env.PORT ?? 5175);
/** Your own browser instead of Playwright's. */
const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  testDir: 'tests',
  testMatch: '*.spec.ts',
  // Minutes, for busy machines.
  timeout: 300_000,
  expect: { timeout: 120_000 },
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    // Small, because the CPU renders WebGL, with and without a graphics card.
    viewport: { width: 640, height: 360 },
    launchOptions: {
      args: ['--use-gl=angle', '--use-angle=swiftshader-webgl', '--enable-unsafe-swiftshader'],
      ...(executablePath === undefined ? {} : { executablePath }),
    },
  },
  webServer: {
    command: `npx vite --host 127.0.0.1 --port ${port} --strictPort`,
    port,
    timeout: 600_000,
  },
});
