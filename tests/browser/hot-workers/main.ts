/** An app that is edited while it runs. */
import { connect } from 'betwixt';
import { SHARED } from './shared.js';
import type { simulation } from './sim.worker.js';

const sim = await connect<typeof simulation>(
  () => new Worker(new URL('./sim.worker.ts', import.meta.url), { type: 'module' }),
  { capacity: 4 },
);
import.meta.hot?.accept();
import.meta.hot?.dispose(() => sim.dispose());
const replaced: boolean[] = [];
sim.on('status', (status) => {
  if (status.kind === 'replaced') replaced.push(status.restoreError === undefined);
});

let frames = 0;
requestAnimationFrame(function draw(stamp) {
  if (sim.state === 'disposed' || globalThis.app?.sim !== sim) return;
  frames += 1;
  sim.sample(stamp);
  requestAnimationFrame(draw);
});

declare global {
  var app: {
    readonly shared: number;
    readonly sim: typeof sim;
    readonly frames: () => number;
    /** For each worker that took over, whether it continued the run. */
    readonly replaced: readonly boolean[];
  };
}
globalThis.app = { shared: SHARED, sim, frames: () => frames, replaced };
