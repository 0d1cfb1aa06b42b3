/**
 * Command-line flags for every Chromium that the project starts. Playwright itself adds
 * `--no-sandbox` and the flags that keep timers and hidden windows at full speed.
 */
export const chromiumFlags: readonly string[] = [
  // Tests talk to this machine only: no update checks, no synchronisation, no QUIC attempts.
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // WebGL on the CPU, the same on every machine, with or without a graphics card. Not plain
  // `swiftshader`: that draws the window with it as well, at 60 Hz whatever the display.
  '--use-gl=angle',
  '--use-angle=swiftshader-webgl',
  '--enable-unsafe-swiftshader',
];
