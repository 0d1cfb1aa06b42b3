/** The chart's pointer, wheel and keys. */
import { msAt, pixelsPerMs } from './chart-layout.js';
import type { Chart } from './chart.js';
import { elementById } from '../../site/common/elements.js';
import { panned, zoomed, type ViewRange } from './view-range.js';

export interface ChartActions {
  readonly range: () => ViewRange;
  readonly endMs: () => number;
  readonly atMs: () => number;
  /** Moves the range, at the reader's request. */
  readonly look: (range: ViewRange) => void;
  readonly seek: (ms: number) => void;
  readonly stepFrame: (direction: 1 | -1) => void;
}

/** A press that moved no further is a click, in pixels. */
const CLICK_DISTANCE = 4;
const ZOOM_STEP = 0.7;
/** Share of the range that an arrow key moves it by. */
const PAN_STEP = 0.15;
/** A notch of a wheel is some 100 pixels. */
const WHEEL_ZOOM = 0.0022;
const PIXELS_PER_LINE = 16;

interface Contact {
  x: number;
  y: number;
}

export class ChartInput {
  readonly #chart: Chart;
  readonly #actions: ChartActions;
  readonly #contacts = new Map<number, Contact>();
  readonly #tooltip = elementById('tooltip', HTMLDivElement);
  #travel = 0;
  #hovered: Contact | undefined;
  /** Where the pointer is over the timeline, in ms. */
  pointerMs: number | undefined;

  constructor(chart: Chart, actions: ChartActions) {
    this.#chart = chart;
    this.#actions = actions;
    const { canvas } = chart;
    canvas.addEventListener('pointerdown', (event) => this.#down(event));
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    canvas.addEventListener('pointerup', (event) => this.#up(event));
    canvas.addEventListener('pointercancel', (event) => this.#contacts.delete(event.pointerId));
    canvas.addEventListener('pointerleave', (event) => {
      // A finger leaves with every tap; its tooltip stays to be read.
      if (event.pointerType !== 'touch') this.#leave();
    });
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener('keydown', (event) => this.#key(event));
    canvas.addEventListener('blur', () => this.#leave());
    elementById('zoom-in', HTMLButtonElement).addEventListener('click', () => this.#zoom(0.5));
    elementById('zoom-out', HTMLButtonElement).addEventListener('click', () => this.#zoom(2));
    elementById('zoom-all', HTMLButtonElement).addEventListener('click', () => this.#lookAtAll());
  }

  /** Updates the tooltip after the timeline moved under the pointer. */
  refresh(): void {
    if (this.#hovered !== undefined) this.#hover(this.#hovered.x, this.#hovered.y);
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    if (event.pointerType === 'touch') this.#leave();
    this.#chart.canvas.setPointerCapture(event.pointerId);
    this.#contacts.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.#contacts.size === 1) this.#travel = 0;
  }

  #move(event: PointerEvent): void {
    const { offsetX: x, offsetY: y } = event;
    const contact = this.#contacts.get(event.pointerId);
    if (contact === undefined) return this.#hover(x, y);
    const spread = this.#spread();
    const moved = x - contact.x;
    this.#travel += Math.abs(moved) + Math.abs(y - contact.y);
    contact.x = x;
    contact.y = y;
    if (this.#travel < CLICK_DISTANCE) return;
    this.#leave();
    const { layout } = this.#chart;
    const { range, endMs, look } = this.#actions;
    const share = 1 / this.#contacts.size;
    let next = panned(range(), (-moved * share) / pixelsPerMs(layout), endMs());
    const spreadNow = this.#spread();
    if (spread !== undefined && spreadNow !== undefined) {
      const anchorMs = msAt({ ...layout, range: next }, spreadNow.middle);
      next = zoomed(next, spread.size / spreadNow.size, anchorMs, endMs());
    }
    look(next);
  }

  #up(event: PointerEvent): void {
    const isClick = this.#contacts.size === 1 && this.#travel < CLICK_DISTANCE;
    if (!this.#contacts.delete(event.pointerId) || !isClick) return;
    const { layout } = this.#chart;
    if (event.offsetX >= layout.left) this.#actions.seek(msAt(layout, event.offsetX));
    // A finger does not hover: its tap shows the tooltip.
    this.#hover(event.offsetX, event.offsetY);
  }

  /** Distance and middle of two fingers; undefined for any other number. */
  #spread(): { readonly size: number; readonly middle: number } | undefined {
    const [first, second] = [...this.#contacts.values()];
    if (first === undefined || second === undefined) return undefined;
    const size = Math.max(20, Math.abs(first.x - second.x));
    return { size, middle: (first.x + second.x) / 2 };
  }

  #hover(x: number, y: number): void {
    this.#hovered = { x, y };
    const { layout, canvas } = this.#chart;
    this.pointerMs = x < layout.left ? undefined : msAt(layout, x);
    const text = this.#chart.describeAt(x, y);
    this.#tooltip.hidden = text === undefined;
    if (text === undefined) return;
    this.#tooltip.textContent = text;
    const { clientWidth } = canvas;
    const { offsetWidth, offsetHeight } = this.#tooltip;
    const left = Math.min(Math.max(0, x - offsetWidth / 2), clientWidth - offsetWidth);
    const above = y - offsetHeight - 14;
    const top = above >= 0 ? above : y + 22;
    this.#tooltip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  #leave(): void {
    this.pointerMs = undefined;
    this.#hideTooltip();
  }

  #hideTooltip(): void {
    this.#hovered = undefined;
    this.#tooltip.hidden = true;
  }

  #wheel(event: WheelEvent): void {
    const { range, endMs, look } = this.#actions;
    const { layout } = this.#chart;
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? PIXELS_PER_LINE : 1;
    const sideways = (event.shiftKey ? event.deltaX + event.deltaY : event.deltaX) * unit;
    const isZoom = !event.shiftKey && Math.abs(event.deltaY) > Math.abs(event.deltaX);
    const next = isZoom
      ? zoomed(
          range(),
          Math.exp(event.deltaY * unit * (event.ctrlKey ? 4 : 1) * WHEEL_ZOOM),
          msAt(layout, Math.max(layout.left, event.offsetX)),
          endMs(),
        )
      : panned(range(), sideways / pixelsPerMs(layout), endMs());
    // When fully zoomed out, the wheel scrolls the page again.
    if (next.fromMs === range().fromMs && next.toMs === range().toMs) return;
    event.preventDefault();
    look(next);
    this.#hover(event.offsetX, event.offsetY);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    // The tooltip of the pointer would cover what the keys affect.
    this.#hideTooltip();
    const { range, endMs, look, stepFrame } = this.#actions;
    const { fromMs, toMs } = range();
    const pan = (byMs: number): void => look(panned(range(), byMs, endMs()));
    const step = (toMs - fromMs) * PAN_STEP;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => pan(-step),
      ArrowRight: () => pan(step),
      ArrowUp: () => this.#zoom(ZOOM_STEP),
      ArrowDown: () => this.#zoom(1 / ZOOM_STEP),
      '+': () => this.#zoom(ZOOM_STEP),
      '=': () => this.#zoom(ZOOM_STEP),
      '-': () => this.#zoom(1 / ZOOM_STEP),
      Home: () => pan(-endMs()),
      End: () => pan(endMs()),
      '0': () => this.#lookAtAll(),
      ',': () => stepFrame(-1),
      '.': () => stepFrame(1),
    };
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  /** Around the cursor if it is visible, otherwise around the middle. */
  #zoom(factor: number): void {
    const { range, endMs, atMs, look } = this.#actions;
    const { fromMs, toMs } = range();
    const isSeen = atMs() >= fromMs && atMs() <= toMs;
    look(zoomed(range(), factor, isSeen ? atMs() : (fromMs + toMs) / 2, endMs()));
  }

  #lookAtAll(): void {
    this.#actions.look({ fromMs: 0, toMs: this.#actions.endMs() });
  }
}
