/**
 * How much room the window has, and which panels start folded if there is too little. The style
 * sheets use the same widths.
 */
import type { Settings } from './settings.js';

/* Between the measurements (336 px and a gap on both sides) and the settings (300 px and the same
   gaps) 560 px should stay free: enough to see any scene whole. The less important panel folds
   first. */
const tooSmallForHud = matchMedia('(max-width: 1239px), (max-height: 520px)');
const tooSmallForPanel = matchMedia('(max-width: 899px), (max-height: 520px)');
/** The split view halves that room, and the settings cover one half. */
const tooSmallForPanelInSplit = matchMedia('(max-width: 1199px), (max-height: 520px)');

/** Whether the measurements are unfolded. Follows the window until the user chooses. */
export function isHudShown({ hud }: Settings): boolean {
  return hud ?? !tooSmallForHud.matches;
}

/** The same for the settings. */
export function isPanelShown({ panel, split }: Settings): boolean {
  return panel ?? !(split ? tooSmallForPanelInSplit : tooSmallForPanel).matches;
}

/** @param listener Called when the window's size has changed any of this. */
export function onBreakpointChange(listener: () => void): void {
  for (const query of [tooSmallForHud, tooSmallForPanel, tooSmallForPanelInSplit]) {
    query.addEventListener('change', listener);
  }
}
