import { connect } from 'betwixt';
import { gamepadSource, keyboardSource } from 'betwixt/inputs';
import { decodeRecording, encodeRecording } from 'betwixt/shared';
import type { simulation } from './ship.worker.js';

const sim = await connect<typeof simulation>(
  () => new Worker(new URL('./ship.worker.ts', import.meta.url), { type: 'module' }),
  // A worker that dies or hangs is replaced by one that goes on from the last tick.
  { seed: 7, recovery: 'restart', recording: { rewindSeconds: 30 } },
);

const keyboard = keyboardSource(sim.inputs, { keys: ['ArrowLeft', 'ArrowRight'] });
const gamepad = gamepadSource(sim.inputs);
requestAnimationFrame(function frame(stamp) {
  keyboard.flush();
  gamepad.poll(stamp);
  sim.sample(stamp); // … and draw
  requestAnimationFrame(frame);
});

// When the display shows the tick: sound and sparks meet the picture.
sim.on('turned', ({ tick, value }) => console.log(`turned in tick ${tick} at ${value.x}`));
sim.on('status', (status) => {
  // stalled, restarting, restarted, failed, watchdog, disposed, …
  console.log(status.kind, 'error' in status ? status.error.message : '');
});

// The last five seconds once more, and then on another way.
const { to } = sim.rewindRange;
await sim.seek(Math.max(0, to - 300));

// Everything that decided the run, as a file; and shown from its start, with every hash compared.
const file = encodeRecording(sim.recording());
const replay = await sim.openReplay(decodeRecording(file));
const { differsAt } = await replay.ended;
console.log(differsAt === undefined ? 'the very same' : `differs at tick ${differsAt}`);
// The player goes on from its end.
await replay.close();
await sim.resume();
