/** What covers the window's edges: the unfolded head-up display and panel. */
import type { Covered } from './view/framing.js';

/** An overlay lower than this share of the window covers nothing important, */
const MIN_HEIGHT = 0.25;
/** and one wider than this share lies across the window. */
const MIN_WIDTH = 0.6;

/** Reports the covered part, now and whenever it changes. */
export function followCoveredPart(onChange: (covered: Covered) => void): void {
  const hud = document.getElementById('hud');
  const panel = document.getElementById('panel');
  let last = '';
  const measure = (): void => {
    const covered = coveredBy([hud, panel].flatMap((element) => boundsOf(element)));
    const key = Object.values(covered).join(' ');
    if (key === last) return;
    last = key;
    onChange(covered);
  };
  const observer = new ResizeObserver(measure);
  for (const element of [hud, panel]) if (element !== null) observer.observe(element);
  addEventListener('resize', measure);
  measure();
}

function coveredBy(boxes: readonly DOMRect[]): Covered {
  let [left, right, top] = [0, 0, 0];
  for (const box of boxes) {
    if (box.width >= MIN_WIDTH * innerWidth) top = Math.max(top, box.bottom);
    else if (box.left < innerWidth - box.right) left = Math.max(left, box.right);
    else right = Math.max(right, innerWidth - box.left);
  }
  return { left, right, top };
}

function boundsOf(element: HTMLElement | null): DOMRect[] {
  const bounds = element?.getBoundingClientRect();
  const counts = bounds !== undefined && bounds.height >= MIN_HEIGHT * innerHeight;
  return counts ? [bounds] : [];
}
