/** A finger or a mouse as a stick: it is put down anywhere, and dragged. */

/** How far a drag goes, in CSS pixels. */
const REACH_PX = 60;

/** Where the stick is: from −1 to 1 to the right, and down. */
export type Stick = (x: number, y: number, stampMs: number) => void;

const part = (px: number): number => Math.max(-1, Math.min(1, px / REACH_PX));

export function watchFinger(target: HTMLElement, move: Stick): void {
  let down: PointerEvent | undefined;
  target.style.touchAction = 'none';
  target.addEventListener('pointerdown', (event) => (down ??= event));
  addEventListener('pointermove', (event) => {
    if (event.pointerId !== down?.pointerId) return;
    const { clientX, clientY } = down;
    move(part(event.clientX - clientX), part(event.clientY - clientY), event.timeStamp);
  });
  for (const type of ['pointerup', 'pointercancel'] as const) {
    addEventListener(type, ({ pointerId, timeStamp }) => {
      if (pointerId !== down?.pointerId) return;
      down = undefined;
      move(0, 0, timeStamp);
    });
  }
}
