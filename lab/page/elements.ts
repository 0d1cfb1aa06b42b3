/** Finds and makes the page's elements. */

/**
 * @param id Id of an element that the page has.
 * @param type Its class, for example `HTMLCanvasElement`.
 * @throws Error if the page does not have it: then `lab.html` and the scripts do not belong together.
 */
export function elementById<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`lab.html has no ${type.name} with id "${id}"`);
  return element;
}

/** Makes an element with a class and a text. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  text = '',
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

/** Sets a text if it differs: setting it anyway would make the browser lay the page out again. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Gives a canvas as many pixels as it covers on the screen.
 *
 * @returns Its context, in CSS pixels, and its size in them.
 */
export function fitCanvas(canvas: HTMLCanvasElement): {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
} {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = Math.max(1, devicePixelRatio);
  const pixelWidth = Math.round(width * scale);
  const pixelHeight = Math.round(height * scale);
  // Setting a size, even the same one, clears the canvas and costs an allocation.
  if (canvas.width !== pixelWidth) canvas.width = pixelWidth;
  if (canvas.height !== pixelHeight) canvas.height = pixelHeight;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser draws no 2D canvas');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return { context, width, height };
}
