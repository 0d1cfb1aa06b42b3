/** The page: a world with the game, its score and clock, and buttons that go back in time. */
import { BodyBinding } from 'betwixt/three';
import { createWorld } from 'betwixt/world';
import { Mesh } from 'three';
import { createAim } from './aim.js';
import { createGame, type Look } from './game.js';
import { createTable } from './table-view.js';

const element = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const show = (id: string, text: string) => {
  // The same text again would be read aloud again.
  if (element(id).textContent !== text) element(id).textContent = text;
};
const showError = (error: unknown) => show('message', `The game failed: ${String(error)}`);
addEventListener('error', ({ error }) => showError(error));
addEventListener('unhandledrejection', ({ reason }) => showError(reason));

const world = createWorld({ capacity: 16 });
const game = createGame(world);
const sim = await world.ready;
// For the browser's console: `sim.stats()`.
Object.assign(globalThis, { world, sim });

const canvas = element<HTMLCanvasElement>('canvas');
const table = createTable(canvas);
let whiteMesh = new Mesh();
const meshOf = (handle: number) => {
  const body = world.getRigidBody(handle);
  const mesh = table.draw(body?.userData as Look);
  if (body === game.white) whiteMesh = mesh;
  return mesh;
};
const bodies = new BodyBinding();
bodies.populate(sim, meshOf, { parent: table.scene });
for (const body of world.bodies.getAll().filter((other) => other.isFixed())) {
  const mesh = table.draw(body.userData as Look);
  mesh.position.copy(body.translation());
  table.scene.add(mesh);
}

const drawAim = createAim(canvas, table, (x, z) => {
  // A replay has its own shots.
  if (sim.replay === undefined) game.shoot(x, z);
});

table.onFrame((stampMs) => {
  const frame = world.sample(stampMs);
  bodies.update(frame);
  drawAim(whiteMesh.position, sim.replay === undefined);
  const left = game.ballsLeft();
  show('score', left === 0 ? 'All pocketed!' : `${left} left`);
  // The time at which the last ball was pocketed stays.
  const seconds = Math.floor(frame.tick / 60);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  if (left > 0) show('clock', clock);
});

const [buttons, stop] = [element<HTMLFieldSetElement>('buttons'), element('stop')];
// A click leaves the keys to the table.
buttons.onmousedown = (event) => event.preventDefault();
const onClick = (id: string, jump: () => Promise<unknown>) => {
  element(id).onclick = async () => {
    buttons.disabled = true;
    await jump().finally(() => (buttons.disabled = false));
    await sim.resume();
  };
};
onClick('new-game', () => sim.seek(1));
onClick('rewind', () => sim.seek(Math.max(1, sim.stats().tick - 180)));
onClick('replay', async () => {
  const replay = await sim.openReplay(sim.recording(), { tick: 1 });
  stop.hidden = false;
  await replay.ended;
  stop.hidden = true;
  await replay.close();
});
// Not `close`, which would continue from the tick that is shown.
stop.onclick = () => sim.replay?.seek(sim.replay.recording.lastTick);
