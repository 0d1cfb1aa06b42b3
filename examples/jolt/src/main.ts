/** The page: connects to the worker, sends it the ground and the inputs, asks what is pointed at, and draws. */
import { connect } from 'betwixt';
import { keyboardSource, pointerSource, toDeviceCoordinates } from 'betwixt/inputs';
import type { SavedState } from 'betwixt/shared';
import { planeCoordinates, trianglesOf } from 'betwixt/three';
import { Plane, Raycaster, Vector2, Vector3 } from 'three';
import { element, fail } from '../../stage/page.js';
import type { simulation } from './sim.worker.js';
import { createView } from './view.js';

const BOXES = 300;
/** How far is looked for what is pointed at, in m. */
const REACH_M = 100;

const view = createView(BOXES);
const { canvas, camera, scene, bodies, pin } = view;
const sim = await connect<typeof simulation>(
  () => new Worker(new URL('./sim.worker.ts', import.meta.url), { type: 'module' }),
  { capacity: BOXES + 1 },
).catch(fail);
bodies.populate(sim, view.draw, { parent: scene });
sim.on('impact', ({ value }) => view.flash(value.at, value.speed));
sim.on('status', (status) => {
  if (status.kind === 'failed') fail(status.error);
});

// The ground: what is drawn of it.
const { points, indices } = trianglesOf(view.hills);
const assets = await sim.openAssets();
const ground = { points: assets.add(points), indices: assets.add(indices) };
await sim.queries.build(ground).catch(fail);

const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
const keyboard = keyboardSource(sim.inputs, { keys, preventDefault: true });
const pointer = pointerSource(sim.inputs, {
  target: canvas,
  wheel: false,
  coordinates: planeCoordinates(camera, new Plane(new Vector3(0, 1, 0), -0.6)),
});

const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const button = byId<HTMLButtonElement>;
const [save, restore, again] = [button('save'), button('restore'), button('replay')];
const show = (text: string): void => {
  // The same text again would be read aloud again.
  if (element('output').textContent !== text) element('output').textContent = text;
};
let saved: SavedState | undefined;
save.onclick = async () => {
  saved = await sim.save();
  restore.disabled = false;
};
restore.onclick = async () => {
  if (saved !== undefined) await sim.restore(saved);
};
/** Runs again everything since the start, or since the state that was restored, and compares the hashes. */
again.onclick = async () => {
  // A second click ends it.
  if (sim.replay !== undefined) return void sim.replay.seek(sim.replay.recording.lastTick);
  save.disabled = restore.disabled = true;
  again.textContent = 'Stop';
  const replay = await sim.openReplay(sim.recording());
  // Right after a jump the recording has no tick yet.
  if (replay.state !== 'ended') await sim.resume();
  const { hashes, differsAt } = await replay.ended;
  byId('result').textContent =
    differsAt === undefined ? `${hashes} hashes are equal` : `Differs at ${differsAt}`;
  await replay.close();
  await sim.resume();
  again.textContent = 'Replay';
  save.disabled = false;
  restore.disabled = saved === undefined;
};
save.disabled = again.disabled = false;

const caster = new Raycaster();
const aim = new Vector2();
const point = (event: MouseEvent) => aim.copy(toDeviceCoordinates(event, canvas));
canvas.onpointerdown = canvas.onpointermove = point;
let isAsking = false;

/** Asks the engine what is pointed at, one question at a time. */
async function look(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  caster.setFromCamera(aim, camera);
  const { origin, direction } = caster.ray;
  const ray = direction.clone().multiplyScalar(REACH_M);
  const hit = await sim.queries.castRay(origin.toArray(), ray.toArray()).catch(() => undefined);
  isAsking = false;
  pin.visible = hit !== undefined;
  if (hit !== undefined) pin.position.copy(origin).addScaledVector(ray, hit.fraction);
  const { kind, size = [] } = (hit?.id !== undefined && sim.bodies.get(hit.id)) || {};
  if (kind === 'box') show(`A box, ${size.map((side) => side.toFixed(1)).join(' × ')} m`);
  else show(kind === 'platform' ? 'The platform' : hit === undefined ? 'The sky' : 'The ground');
}

view.onFrame((stampMs) => {
  keyboard.flush();
  pointer.flush();
  bodies.update(sim.sample(stampMs));
  void look();
});

/** For the browser's console. */
Object.assign(globalThis, { sim });
