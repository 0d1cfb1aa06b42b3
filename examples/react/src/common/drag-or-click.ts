/** Tells drags on a canvas from clicks on it. */

/** A finger that moves less has tapped. */
const TAP_PX = 8;

/** @param onDrag Gets each move, in pixels to the right and down. @returns Ends it. */
export function dragOrClick(
  canvas: HTMLCanvasElement,
  onDrag: (right: number, down: number) => void,
  onClick: () => void,
): () => void {
  let [atX, atY, moved] = [0, 0, 0];
  const down = ({ pointerId, clientX, clientY }: PointerEvent): void => {
    canvas.setPointerCapture(pointerId);
    [atX, atY, moved] = [clientX, clientY, 0];
  };
  const move = ({ pointerId, clientX, clientY }: PointerEvent): void => {
    if (!canvas.hasPointerCapture(pointerId)) return;
    const [right, below] = [clientX - atX, clientY - atY];
    onDrag(right, below);
    [atX, atY, moved] = [clientX, clientY, moved + Math.hypot(right, below)];
  };
  const click = (): void => {
    if (moved < TAP_PX) onClick();
  };
  canvas.style.touchAction = 'none';
  canvas.addEventListener('pointerdown', down);
  canvas.addEventListener('pointermove', move);
  canvas.addEventListener('click', click);
  return () => {
    canvas.removeEventListener('pointerdown', down);
    canvas.removeEventListener('pointermove', move);
    canvas.removeEventListener('click', click);
  };
}
