/**
 * The report's script: shows the values of a mark that is pointed at or tapped, and marks boxes
 * that scroll. As text, because the report is one file; everything else works without it, and all
 * values are in its tables as well.
 */
export const SCRIPT = `
(() => {
  const tip = document.getElementById('tip');
  const ms = (hundredths) => (hundredths / 100).toFixed(2);
  const tickText = (svg, event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
    const column = Math.floor((x - Number(svg.dataset.left)) / (Number(svg.dataset.column) / 10));
    const tick = svg.dataset.ticks.split(';')[column];
    if (tick === undefined) return '';
    if (tick === '') return 'tick ' + (column + 1) + ': dropped';
    const [late, step, publish] = tick.split(',').map(Number);
    return 'tick ' + (column + 1) + ': woke up ' + ms(late) + ' ms after it was due, step ' + ms(step) +
      ' ms, publication ' + ms(publish) + ' ms';
  };
  const show = (event) => {
    const marked = event.target.closest('[data-tip], [data-ticks]');
    const text = marked === null ? '' : (marked.dataset.tip ?? tickText(marked, event));
    tip.hidden = text === '';
    if (tip.hidden) return;
    tip.textContent = text;
    const half = tip.offsetWidth / 2 + 6;
    const left = Math.min(Math.max(event.clientX, half), document.documentElement.clientWidth - half);
    const above = event.clientY - tip.offsetHeight - 16;
    tip.style.left = left + 'px';
    tip.style.top = (above < 4 ? event.clientY + 20 : above) + 'px';
  };
  const hide = () => {
    tip.hidden = true;
  };
  for (const box of document.querySelectorAll('.scroll')) {
    const hint = document.createElement('p');
    hint.className = 'hint';
    box.before(hint);
    const update = () => {
      const wide = box.scrollWidth > box.clientWidth + 1;
      const long = box.scrollHeight > box.clientHeight + 1;
      hint.hidden = !wide && !long;
      hint.textContent = wide && long ? 'Scroll sideways and down for more \u2198' :
        wide ? 'Scroll sideways for more \u2192' : 'Scroll down for more \u2193';
    };
    new ResizeObserver(update).observe(box);
    update();
  }
  document.addEventListener('pointermove', show);
  document.addEventListener('pointerdown', show);
  document.addEventListener('scroll', hide, { capture: true, passive: true });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
  });
})();
`;
