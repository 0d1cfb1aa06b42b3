/**
 * How the display tests know which display to use: `scripts/browsers/virtual-display.ts` opens one
 * and sets these environment variables, `playwright.config.ts` and the tests read them.
 */

/** An X display such as `:7`, or `native` for the display that this machine's windows open on. */
export const displayVariable = 'BETWIXT_DISPLAY';

/** The refresh rate of that display in Hz, a whole number. */
export const displayRateVariable = 'BETWIXT_DISPLAY_HZ';

export const nativeDisplay = 'native';

/** Refresh rate of the virtual display, and of any unknown display. */
export const virtualDisplayHz = 144;

type Environment = Readonly<Record<string, string | undefined>>;

/** The refresh rate that the display tests expect. */
export function expectedDisplayHz(env: Environment): number {
  return Number(env[displayRateVariable] ?? virtualDisplayHz);
}

/** Additional flags of Chromium, and its whole environment, to open it on the chosen display. */
export function fastDisplayLaunch(env: Environment): {
  args: string[];
  env: Record<string, string | undefined>;
} {
  const display = env[displayVariable];
  if (display === undefined || display === nativeDisplay) return { args: [], env: { ...env } };
  return {
    // A desktop's Wayland session would otherwise win over DISPLAY.
    args: ['--ozone-platform=x11', '--window-position=0,0'],
    env: { ...env, DISPLAY: display },
  };
}
