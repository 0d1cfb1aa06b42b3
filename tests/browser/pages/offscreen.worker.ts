/// <reference lib="webworker" />
/** Draws the page's canvas: a box that turns with a body of a simulation that it has started itself. */
import { expose, proxy } from 'comlink';
import {
  BoxGeometry,
  Color,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { connect, type SimulationHandle } from '../../../src/render-main/index.js';
import { pointerSource, toDeviceCoordinates } from '../../../src/inputs/index.js';
import { receiveCanvas, type CanvasSize } from '../../../src/offscreen/worker.js';
import type { Toy, ToyEvents } from '../../fixtures/toy-simulation.js';
import { WORDS } from './offscreen-words.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';
import { PATIENCE } from '../patient.js';

// Later than the first turn: the page waits for the call.
await Promise.resolve();
const { canvas, element, onResize, connectInputs } = await receiveCanvas();
const renderer = new WebGLRenderer({ canvas });
const camera = new PerspectiveCamera(90, 2);
camera.position.z = 5;
const controls = new OrbitControls(camera, element);
controls.enableDamping = false;
const scene = new Scene();
scene.background = new Color(0x0000ff);
const box = new Mesh(new BoxGeometry(2, 2, 2), new MeshBasicMaterial({ color: 0xff0000 }));
scene.add(box);
const sizes: CanvasSize[] = [];
onResize((size) => {
  sizes.push(size);
  renderer.setPixelRatio(size.pixelRatio);
  renderer.setSize(size.width, size.height, false);
  camera.aspect = size.width / size.height;
  camera.updateProjectionMatrix();
});

/** Whether a press has hit the box. */
const hits: boolean[] = [];
const raycaster = new Raycaster();
element.addEventListener('pointerdown', (event) => {
  const { x, y } = toDeviceCoordinates(event, element);
  raycaster.setFromCamera(new Vector2(x, y), camera);
  hits.push(raycaster.intersectObject(box).length > 0);
});

let simulation:
  | SimulationHandle<NonNullable<Toy['commands']>, ToyEvents, NonNullable<Toy['queries']>>
  | undefined;
const words = new Int32Array(
  typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(8) : new SharedArrayBuffer(8),
);
/** Ticks of events, each with the tick that was shown when it was delivered. */
const delivered: (readonly [of: number, shown: number])[] = [];

function draw(stamp: number): void {
  const frame = simulation?.sample(stamp);
  if (frame?.hasState === true) Atomics.store(words, WORDS.tick, frame.tick);
  box.rotation.y = stamp / 1000;
  renderer.render(scene, camera);
  Atomics.add(words, WORDS.frames, 1);
  requestAnimationFrame(draw);
}
requestAnimationFrame(draw);

const loseContext = renderer.getContext().getExtension('WEBGL_lose_context');

const drawing = {
  async start() {
    simulation = await connect<Toy>(
      () => new Worker(new URL('./toy.worker.ts', import.meta.url), { type: 'module' }),
      tuned({}, PATIENCE),
    );
    connectInputs(simulation.inputs);
    pointerSource(simulation.inputs, { target: element });
    simulation.on('tenth', ({ tick }) => {
      delivered.push([tick, Atomics.load(words, WORDS.tick)]);
    });
    return simulation.transport.kind;
  },
  words: () => words,
  state: () => simulation?.state,
  sizes: () => sizes,
  bufferSize: () => [canvas.width, canvas.height],
  hits: () => hits,
  camera: () => camera.position.toArray().map((value) => Number(value.toFixed(3))),
  delivered: () => delivered,
  /** Kinds and codes of the inputs that the simulation was given. */
  inputs: () =>
    simulation
      ?.recording()
      .entries.flatMap((entry) =>
        entry.kind === 'input' ? [[entry.input.kind, entry.input.code]] : [],
      ),
  loseContext: () => loseContext?.loseContext(),
  /** The color in the middle of a fresh frame. */
  middle() {
    renderer.render(scene, camera);
    const pixel = new Uint8Array(4);
    const context = renderer.getContext();
    const [x, y] = [canvas.width >> 1, canvas.height >> 1];
    context.readPixels(x, y, 1, 1, context.RGBA, context.UNSIGNED_BYTE, pixel);
    return [...pixel.subarray(0, 3)];
  },
  restoreContext: () => loseContext?.restoreContext(),
  reject: (message: string) => void Promise.reject(new RangeError(message)),
  throwLater: (message: string) =>
    void setTimeout(() => {
      throw new Error(message);
    }),
};
export type Drawing = typeof drawing;
expose(proxy(drawing));
// Only now: what is exposed has to be there before the page calls it.
postMessage('exposed');
