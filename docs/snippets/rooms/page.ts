import { Client } from '@colyseus/sdk';
import { connectRoom } from 'betwixt/colyseus';
import { keyboardSource } from 'betwixt/inputs';
import { BodyBinding } from 'betwixt/three';
import { showConnection } from './reconnect.js'; // see below
import type { createGame } from './simulation.js';
import { camera, mesh, renderer, scene } from '../scene.js'; // your three.js scene

const room = await new Client('http://localhost:2567').joinOrCreate('game', { name: 'Ada' });
const sim = await connectRoom<ReturnType<typeof createGame>>(room, {
  mode: 'predict',
  createWorker: () =>
    new Worker(new URL('./predict.worker.ts', import.meta.url), { type: 'module' }),
});

showConnection(room, sim, (text) => console.log(text));
const keys = keyboardSource(sim.inputs, { keys: ['ArrowLeft', 'ArrowRight'] });
const bodies = new BodyBinding();
bodies.populate(sim, () => mesh.clone(), { parent: scene });
addEventListener('click', () => void sim.commands.jump());

renderer.setAnimationLoop((stamp) => {
  keys.flush();
  const frame = sim.sample(stamp);
  bodies.update(frame);
  // By seat: the scores of all players, also for those who join later.
  document.title = `Your score: ${frame.newestValues?.[sim.room.seat] ?? 0}`;
  renderer.render(scene, camera);
});
