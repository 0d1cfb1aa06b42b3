/** Distinguishes keys for the scene from keys for the page around it. */

/** Any key may be for the page here. */
const TYPING =
  'input:not([type="checkbox"], [type="radio"], [type="range"], [type="button"]), textarea, select, ' +
  'dialog, [contenteditable]:not([contenteditable="false"])';
/** Pressed and moved by the keys below. */
const OPERATED = 'button, a, summary, input, [role="button"], [tabindex]:not(canvas)';
const OPERATING = /^(?:Space|Arrow.*)$/;

/**
 * The key goes to a field or a dialog, operates a button or slider, or is a shortcut of the browser.
 */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const { target } = event;
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPING) !== null) return true;
  return OPERATING.test(event.code) && target.closest(OPERATED) !== null;
}
