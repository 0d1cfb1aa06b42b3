import { connect } from 'betwixt';
import { gamepadSource, keyboardSource } from 'betwixt/inputs';
import { decodeRecording, encodeRecording } from 'betwixt/shared';
import type { simulation } from './ship.worker.js';

const sim = await connect<typeof simulation>(
  () => new Worker(new URL('./ship.worker.ts', import.meta.url), { type: 'module' }),
  // Replace a worker that crashes or hangs, and keep saved states for the last 30 seconds.
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

// Called when the display shows the event's tick, so that sound and picture match.
sim.on('turned', ({ tick, value }) => console.log(`turned in tick ${tick} at ${value.x}`));
sim.on('status', (status) => {
  console.log(status.kind, 'error' in status ? status.error.message : '');
});

await sim.commands.boost(2);
console.log(await sim.queries.speed());

// Go back five seconds and continue from there.
const { to } = sim.rewindRange;
await sim.seek(Math.max(0, to - 300));

// Save the recording as a file, then replay it from its start. Every hash is compared.
const file = encodeRecording(sim.recording());
const replay = await sim.openReplay(decodeRecording(file));
const { differsAt } = await replay.ended;
console.log(differsAt === undefined ? 'identical' : `differs at tick ${differsAt}`);
// Leave the replay. The run continues from its last tick.
await replay.close();
await sim.resume();
