import type { WorldHandle } from 'betwixt/world';

/** Backspace goes back by two seconds, and the run continues from there. */
export function rewindByKey(sim: WorldHandle): void {
  document.addEventListener('keydown', async ({ code }) => {
    if (code !== 'Backspace') return;
    const { tick } = sim.stats();
    await sim.seek(Math.max(tick - 120, sim.rewindRange.from));
  });
}
