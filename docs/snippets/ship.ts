import { connect } from 'betwixt';
import { gamepadSource, keyboardSource } from 'betwixt/inputs';
import type { simulation } from './ship.worker.js';

const sim = await connect<typeof simulation>(
  () => new Worker(new URL('./ship.worker.ts', import.meta.url), { type: 'module' }),
);

const keyboard = keyboardSource(sim.inputs, { keys: ['ArrowLeft', 'ArrowRight'] });
const gamepad = gamepadSource(sim.inputs);
requestAnimationFrame(function frame(stamp) {
  keyboard.flush();
  gamepad.poll(stamp);
  sim.sample(stamp); // … and draw
  requestAnimationFrame(frame);
});
