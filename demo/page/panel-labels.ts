/**
 * Gives the panel's controls accessible names: Tweakpane's rows are not labels, and its bars are
 * not sliders.
 */

/** @param root An element with rows of Tweakpane in it, or such a row. */
export function labelControls(root: HTMLElement): void {
  const rows = root.matches('.tp-lblv') ? [root] : root.querySelectorAll<HTMLElement>('.tp-lblv');
  for (const row of rows) {
    const label = row.querySelector('.tp-lblv_l')?.textContent.trim() ?? '';
    if (label === '') continue;
    for (const control of row.querySelectorAll('input, select')) {
      control.setAttribute('aria-label', label);
    }
    for (const track of row.querySelectorAll<HTMLElement>('.tp-sldv_t')) {
      track.setAttribute('aria-label', `${label}, slider: use the arrow keys`);
      announceValue(track, row.querySelector('input'));
    }
  }
  for (const folder of root.querySelectorAll<HTMLElement>('.tp-fldv, .tp-rotv')) {
    announceFolding(folder);
  }
}

/** The bar shows only a proportion; the number is in the field next to it. */
function announceValue(track: HTMLElement, field: HTMLInputElement | null): void {
  const knob = track.querySelector<HTMLElement>('.tp-sldv_k');
  if (knob === null || field === null) return;
  track.setAttribute('role', 'slider');
  track.setAttribute('aria-valuemin', '0');
  track.setAttribute('aria-valuemax', '100');
  const announce = (): void => {
    track.setAttribute('aria-valuenow', String(Math.round(Number.parseFloat(knob.style.width))));
    track.setAttribute('aria-valuetext', field.value);
  };
  // Only after a change has reached the field as well: observers run when all of it is done.
  new MutationObserver(announce).observe(knob, { attributeFilter: ['style'] });
  announce();
}

function announceFolding(folder: HTMLElement): void {
  const button = folder.querySelector('.tp-fldv_b, .tp-rotv_b');
  const expanded = folder.matches('.tp-rotv') ? 'tp-rotv-expanded' : 'tp-fldv-expanded';
  const announce = (): void =>
    button?.setAttribute('aria-expanded', String(folder.classList.contains(expanded)));
  new MutationObserver(announce).observe(folder, { attributeFilter: ['class'] });
  announce();
}
