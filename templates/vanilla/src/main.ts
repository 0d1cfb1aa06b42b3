/** The page: starts the simulation in its worker, sends it inputs, and draws it. */
import { connect } from 'betwixt';
import { keyboardSource, pointerSource } from 'betwixt/inputs';
import { BodyBinding } from 'betwixt/three';
import type { simulation } from './sim.worker.js';
import { View } from './view.js';

declare global {
  /** The simulation, for the browser console and the tests: `sim.stats()`, `sim.recording()`. */
  var sim: Awaited<ReturnType<typeof start>>;
}

const canvas = document.querySelector<HTMLCanvasElement>('#canvas') as HTMLCanvasElement;

try {
  globalThis.sim = await start(new View(canvas));
} catch (error) {
  showError(error);
}

async function start(view: View) {
  const simulated = await connect<typeof simulation>(
    () => new Worker(new URL('./sim.worker.ts', import.meta.url), { type: 'module' }),
    { tickRateHz: 60, capacity: 16 },
  );
  simulated.on('status', (status) => {
    if (status.kind === 'failed') showError(status.error);
    // A seek or a replay leads to another score without an event.
    if (status.kind === 'jumped') simulated.queries.score().then(view.showScore, showError);
  });

  // A body's tag is the index of its mesh.
  const bodies = new BodyBinding();
  bodies.populate(simulated, (index) => view.meshes[index]);

  const sources = [
    keyboardSource(simulated.inputs, { keys: ['Space'], preventDefault: true }),
    pointerSource(simulated.inputs, { target: canvas, moves: 'none', wheel: false }),
  ];

  // Called in the frame that shows the contact.
  simulated.on('contact', ({ phase, a, b }) => {
    if (phase !== 'begin') return;
    for (const id of [a, b]) {
      const index = id === undefined ? undefined : simulated.bodies.get(id);
      if (index !== undefined) view.flash(index);
    }
  });
  simulated.on('score', ({ value }) => view.showScore(value));

  view.onFrame((stampMs) => {
    for (const source of sources) source.flush();
    bodies.update(simulated.sample(stampMs));
    view.render(stampMs);
  });
  return simulated;
}

function showError(error: unknown): void {
  const message = document.querySelector<HTMLElement>('#message');
  if (message === null) return;
  message.textContent = error instanceof Error ? error.message : String(error);
  message.hidden = false;
}
