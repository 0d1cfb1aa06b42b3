/** Where a pointer is over an element, how far a wheel turned, and which bit stands for a button. */

/** Gives an input's x and y. */
export type ToCoordinates = (
  event: MouseEvent,
  target: HTMLElement,
) => { readonly x: number; readonly y: number };

/** Browsers name six buttons; more would be of no use to anybody. */
export const MAX_BUTTONS = 16;

/** What wheels that count in lines mean by one, in CSS pixels: the usual text, unscaled. */
const LINE_PX = 16;

/**
 * Normalised device coordinates: −1 to 1 from the left edge of the target to the right one and from the bottom
 * to the top; beyond that outside of it. 0 for a target without size.
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
  // The numbers of WheelEvent.DOM_DELTA_PIXEL, _LINE and _PAGE.
  const unitPx = [1, LINE_PX, target.clientHeight][deltaMode] ?? 1;
  return [deltaX * unitPx, deltaY * unitPx, deltaZ * unitPx];
}

/**
 * The bit of a button in `MouseEvent.buttons`, where the second button of a mouse is the middle one and the
 * second bit the right one. 0 for no button.
 */
export function bitOf(button: number): number {
  if (button < 0 || button >= MAX_BUTTONS) return 0;
  if (button === 1) return 4;
  return button === 2 ? 2 : 1 << button;
}
