/** An app that is edited while it runs. */
import { connect } from 'betwixt';
import { followChanges } from '../../../docs/snippets/hot-reload.js';
import type { simulation } from './sim.worker.js';

/** Changed by the test. */
const VERSION = 1;

const sim = await connect<typeof simulation>(
  () => new Worker(new URL('./sim.worker.ts', import.meta.url), { type: 'module' }),
  { capacity: 4 },
);
followChanges(sim, import.meta.hot);
import.meta.hot?.accept();
import.meta.hot?.dispose(() => sim.dispose());

let frames = 0;
requestAnimationFrame(function draw(stamp) {
  if (sim.state === 'disposed' || globalThis.app?.sim !== sim) return;
  frames += 1;
  sim.sample(stamp);
  requestAnimationFrame(draw);
});

declare global {
  var app: { version: number; sim: typeof sim; frames: () => number };
}
globalThis.app = { version: VERSION, sim, frames: () => frames };
