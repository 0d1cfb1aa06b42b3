/** How much room the window has, and what is folded up where there is too little. The style sheets have the same widths. */
import type { Settings } from './settings.js';

/** Here four plots would reach the lower edge: one at a time is shown. */
export const singlePlotWindow = matchMedia('(max-width: 640px), (max-height: 640px)');

/*
 * Between the measurements (336 px and a gap on both sides) and the settings (300 px and as much) 560 px are to be
 * free: enough for any scene to be seen whole. What is folded first is what can be done without.
 */
const tooSmallForHud = matchMedia('(max-width: 1239px), (max-height: 520px)');
const tooSmallForPanel = matchMedia('(max-width: 899px), (max-height: 520px)');
/** In the split view half of that in each half, and the settings lie over one of them. */
const tooSmallForPanelInSplit = matchMedia('(max-width: 1199px), (max-height: 520px)');

/** Whether the measurements are unfolded. Where nobody has said, that follows the window. */
export function isHudShown({ hud }: Settings): boolean {
  return hud ?? !tooSmallForHud.matches;
}

/** The same of the settings. */
export function isPanelShown({ panel, split }: Settings): boolean {
  return panel ?? !(split ? tooSmallForPanelInSplit : tooSmallForPanel).matches;
}

/** @param listener Called when any of this has become different because the window has. */
export function onBreakpointChange(listener: () => void): void {
  for (const query of [tooSmallForHud, tooSmallForPanel, tooSmallForPanelInSplit]) {
    query.addEventListener('change', listener);
  }
}
