/** Whether the head-up display is unfolded. */
import { smallWindow } from '../elements.js';
import type { Settings } from '../settings.js';

/** Where nobody has said, it follows the window: on a phone it would cover what there is to be seen. */
export function isHudShown({ hud }: Settings): boolean {
  return hud ?? !smallWindow.matches;
}
