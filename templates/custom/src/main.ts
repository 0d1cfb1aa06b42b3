/** The page: starts the simulation in its worker, sends it inputs, and draws it. */
import { connect } from 'betwixt';
import { pointerSource, toDeviceCoordinates } from 'betwixt/inputs';
import { BodyBinding } from 'betwixt/three';
import type { simulation } from './sim.worker.js';
import { View } from './view.js';

const BIRDS = 400;

declare global {
  /** The simulation, for the browser console and the tests: `sim.stats()`, `sim.recording()`. */
  var sim: Awaited<ReturnType<typeof start>>;
}

const canvas = document.querySelector<HTMLCanvasElement>('#canvas') as HTMLCanvasElement;

try {
  globalThis.sim = await start(new View(canvas, BIRDS));
} catch (error) {
  showError(error);
}

async function start(view: View) {
  const simulated = await connect<typeof simulation>(
    () => new Worker(new URL('./sim.worker.ts', import.meta.url), { type: 'module' }),
    // The simulation spawns the maximum number of birds.
    { tickRateHz: 60, capacity: BIRDS },
  );
  simulated.on('status', (status) => {
    if (status.kind === 'failed') showError(status.error);
  });

  const bodies = new BodyBinding();
  const birds = bodies.instances(view.birds);
  // Called for each body that comes to live: each bird is an instance of one mesh.
  bodies.populate(simulated, () => birds);

  const pointer = pointerSource(simulated.inputs, {
    target: canvas,
    wheel: false,
    // Converts to the simulation's units, so that it need not know the camera.
    coordinates: (event, target) => view.toPlane(toDeviceCoordinates(event, target)),
  });

  // Called in the frame that shows the event.
  const hint = document.querySelector<HTMLElement>('#hint');
  simulated.on('startled', ({ value }) => {
    view.showScare(value.x, value.y);
    if (hint !== null) hint.textContent = `${value.birds} startled`;
  });

  view.onFrame((stampMs) => {
    pointer.flush();
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
