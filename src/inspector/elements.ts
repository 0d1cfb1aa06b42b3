/** Makes elements of the display, and the styles that they have. */

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

/** Makes a button. */
export function makeButton(text: string, run: () => void): HTMLButtonElement {
  const button = make('button', '', text);
  button.type = 'button';
  button.addEventListener('click', run);
  return button;
}

/** Makes a named group of controls. */
export function makeGroup(
  className: string,
  name: string,
  ...content: readonly HTMLElement[]
): HTMLElement {
  const group = make('div', className);
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', name);
  group.append(...content);
  return group;
}

/** Sets a text if it differs: otherwise the browser would compute the layout again. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A title as part of a `data-` attribute: lower case, without blanks. */
export const nameOf = (title: string): string => title.toLowerCase().replaceAll(/\W+/g, '-');

/** The styles of the display. They apply in its shadow root only, where the page's styles do not. */
export const STYLES = `
:host {
  all: initial;
  display: block;
  color-scheme: light dark;
}
:host([data-place='parent']) { color-scheme: inherit; pointer-events: inherit; }
:host(:not([data-place='parent'])) {
  position: fixed;
  z-index: 2147483000;
  box-sizing: border-box;
  width: 360px;
  max-width: calc(100vw - 16px);
  max-height: calc(100dvh - 16px);
  overflow: auto;
  padding: 8px 12px;
  border: 1px solid light-dark(rgb(0 0 0 / 16%), rgb(255 255 255 / 14%));
  border-radius: 10px;
  background: light-dark(rgb(255 255 255 / 94%), rgb(17 20 26 / 90%));
}
:host([data-place^='top']) { top: max(8px, env(safe-area-inset-top)); }
:host([data-place^='bottom']) { bottom: max(8px, env(safe-area-inset-bottom)); }
:host([data-place$='left']) { left: max(8px, env(safe-area-inset-left)); }
:host([data-place$='right']) { right: max(8px, env(safe-area-inset-right)); }
:host([data-folded]:not([data-place='parent'])) { width: auto; padding-block: 5px; }

section {
  --text: light-dark(#161a22, #eef1f6);
  --quiet: light-dark(#4b5566, #b3bccb);
  --alarm: light-dark(#b3261e, #ff8577);
  --warn: light-dark(#8a5300, #e8b268);
  --accent: light-dark(#0a5cad, #7cc4ff);
  color: var(--text);
  /* Not of the host, which rules of the page for all elements reach. */
  font: 400 12px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  font-variant-numeric: tabular-nums;
}
[hidden] { display: none !important; }
button, select, input { font: inherit; color: inherit; pointer-events: auto; }
button, select {
  padding: 4px 9px;
  border: 1px solid transparent;
  border-radius: 6px;
  background: light-dark(rgb(0 0 0 / 8%), rgb(255 255 255 / 10%));
  cursor: pointer;
}
select option { color: CanvasText; background: Canvas; }
:disabled { opacity: 0.45; cursor: default; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }

.fold {
  display: block;
  width: 100%;
  margin: 0 0 4px;
  padding: 0;
  background: transparent;
  font-weight: 600;
  text-align: start;
}
.fold::before { margin-right: 6px; content: '▾' / ''; }
.fold[aria-expanded='false'] { margin: 0; }
.fold[aria-expanded='false']::before { content: '▸' / ''; }

.controls, .recordings { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin-bottom: 6px; }
.controls label { margin-inline-start: auto; color: var(--quiet); }
.controls select { color: var(--text); }
.controls button { min-width: 68px; }
.recordings button { flex: 1; }
.seek-bar { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; margin-bottom: 6px; }
.seek-bar output { flex: 1 1 100%; color: var(--quiet); }
.seek-bar input { flex: 1; min-width: 120px; margin: 0; accent-color: var(--accent); }

.numbers { display: grid; grid-template-columns: 1fr 1fr; gap: 1px 12px; margin: 0 0 6px; }
.numbers div { display: flex; gap: 5px; justify-content: space-between; min-width: 0; white-space: nowrap; }
/* The value is never cut off, the label is. */
.numbers dt { overflow: hidden; color: var(--quiet); text-overflow: ellipsis; }
.numbers dd { margin: 0; font-weight: 550; }
/* Inputs and load have the longest texts. */
.numbers .wide, .numbers div:has([data-measure='inputs'], [data-measure='load']) { grid-column: 1 / -1; }
.numbers .wide dd { font-weight: 450; }
.numbers .alarming { color: var(--alarm); }

.plot { margin: 0; padding-top: 5px; color: var(--quiet); }
.plot figcaption { display: flex; justify-content: space-between; height: 18px; overflow: hidden; white-space: nowrap; }
.plot-values { color: var(--text); }
.plot canvas { display: block; width: 100%; height: 53px; }
.plot i { display: none; }
.cool { color: light-dark(#0a5cad, #7cc4ff); }
.warm { color: light-dark(#9a5b00, #e8b268); }
.bound { color: light-dark(#b3261e, #ff8577); }
.plot-switch { display: none; }
/* Two lines, in case that the font is a wide one. */
.counter-line { height: 28px; margin: 7px 0 0; overflow: hidden; color: var(--quiet); font-size: 10.5px; line-height: 14px; text-wrap: balance; }

.log { margin-top: 4px; }
.log header { display: flex; justify-content: space-between; align-items: center; font-weight: 600; }
.log header button { padding: 1px 8px; font-weight: 400; }
.log .lines { max-height: 8.5em; margin: 2px 0 0; padding: 0; overflow: auto; overflow-wrap: anywhere; pointer-events: auto; }
.log p { margin: 0; }
.log .tick { color: var(--quiet); }
.log .error { color: var(--alarm); }
.log .warning { color: var(--warn); }

/* A low window keeps the numbers and one plot at a time; so does a narrow one. */
@media (max-width: 640px), (max-height: 640px) {
  .numbers { gap: 0 16px; margin-bottom: 4px; }
  .plot-switch { display: flex; flex-wrap: wrap; gap: 4px; }
  .plot-switch button { flex: 1 1 auto; padding: 4px 6px; color: var(--quiet); white-space: nowrap; }
  .plot-switch button[aria-pressed='true'] { border-color: var(--accent); color: var(--text); }
  .plot:not(.selected) { display: none; }
  .counter-line { margin-top: 3px; }
}
@media (pointer: coarse) {
  button, select, .seek-bar input { min-height: 44px; }
}
@media (forced-colors: active) {
  button, select { border-color: ButtonText; }
}
`;
