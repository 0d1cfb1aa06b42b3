/** Tells assistive technology what the panel's controls are: Tweakpane's rows are not labels. */

/** @param root An element with rows of Tweakpane in it, or such a row. */
export function labelControls(root: HTMLElement): void {
  const rows = root.matches('.tp-lblv') ? [root] : root.querySelectorAll<HTMLElement>('.tp-lblv');
  for (const row of rows) {
    const label = row.querySelector('.tp-lblv_l')?.textContent.trim() ?? '';
    if (label === '') continue;
    for (const control of row.querySelectorAll('input, select')) {
      control.setAttribute('aria-label', label);
    }
    // The track can be moved by arrow keys; the text field beside it tells its value.
    for (const track of row.querySelectorAll('.tp-sldv_t')) {
      track.setAttribute('role', 'group');
      track.setAttribute('aria-label', `${label}, slider: use the arrow keys`);
    }
  }
}
