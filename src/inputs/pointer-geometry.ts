/** Pointer coordinates over an element, wheel distances, and the bits of buttons. */

/** Computes an input's x and y. */
export type ToCoordinates = (
  event: MouseEvent,
  target: HTMLElement,
) => { readonly x: number; readonly y: number };

/** Browsers define six buttons; this leaves room for more. */
export const MAX_BUTTONS = 16;

/** Height of a line for wheels that scroll by lines, in CSS pixels: that of unscaled default text. */
const LINE_PX = 16;

/**
 * Normalised device coordinates: −1 to 1 from the left edge of the target to the right one and from the bottom to the
 * top, exceeding that range outside the target. 0 for a target without size.
 */
export const toDeviceCoordinates: ToCoordinates = ({ clientX, clientY }, target) => {
  const { left, top, width, height } = target.getBoundingClientRect();
  return {
    x: width > 0 ? ((clientX - left) / width) * 2 - 1 : 0,
    y: height > 0 ? 1 - ((clientY - top) / height) * 2 : 0,
  };
};

/** How far to scroll, in CSS pixels, along x, y and z. A page is the height of the target. */
export function wheelPixels(
  { deltaMode, deltaX, deltaY, deltaZ }: WheelEvent,
  target: HTMLElement,
): readonly [number, number, number] {
  // Indexed by WheelEvent.DOM_DELTA_PIXEL, _LINE and _PAGE.
  const unitPx = [1, LINE_PX, target.clientHeight][deltaMode] ?? 1;
  return [deltaX * unitPx, deltaY * unitPx, deltaZ * unitPx];
}

/**
 * The bit of a button in `MouseEvent.buttons`, where a mouse's second button is the middle one but the second bit is
 * the right one. 0 for no button.
 */
export function bitOf(button: number): number {
  if (button < 0 || button >= MAX_BUTTONS) return 0;
  if (button === 1) return 4;
  return button === 2 ? 2 : 1 << button;
}
