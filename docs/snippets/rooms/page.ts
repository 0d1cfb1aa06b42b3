import { Client } from '@colyseus/sdk';
import { connectRoom } from 'betwixt/colyseus';
import { keyboardSource } from 'betwixt/inputs';
import { BodyBinding } from 'betwixt/three';
import type { createGame } from './simulation.js';
import { camera, mesh, renderer, scene } from '../scene.js'; // your three.js scene

const room = await new Client('http://localhost:2567').joinOrCreate('game', { name: 'Ada' });
const sim = await connectRoom<ReturnType<typeof createGame>>(room, {
  mode: 'predict',
  createWorker: () =>
    new Worker(new URL('./predict.worker.ts', import.meta.url), { type: 'module' }),
});

const keys = keyboardSource(sim.inputs, { keys: ['ArrowRight'] });
const bodies = new BodyBinding();
bodies.populate(sim, () => mesh.clone(), { parent: scene });
addEventListener('click', () => void sim.commands.jump());

renderer.setAnimationLoop((stamp) => {
  keys.flush();
  bodies.update(sim.sample(stamp));
  renderer.render(scene, camera);
});
