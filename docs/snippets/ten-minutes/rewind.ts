import type { WorldHandle } from 'betwixt/world';

/** Backspace goes back by two seconds, and the run continues from there. */
export function rewindByKey(sim: WorldHandle): void {
  let isSeeking = false;
  document.addEventListener('keydown', async ({ code, repeat }) => {
    // One at a time: while one is under way, the statistics are those from before.
    if (code !== 'Backspace' || repeat || isSeeking || sim.replay !== undefined) return;
    isSeeking = true;
    const { tick } = sim.stats();
    await sim.seek(Math.max(tick - 120, sim.rewindRange.from)).finally(() => (isSeeking = false));
  });
}
