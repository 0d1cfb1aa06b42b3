/**
 * The machine without the library, to compare: the same number of boxes in three.js, the same canvas,
 * light and ground as in the demo, next to a worker that wakes up in `Atomics.wait` at the demo's
 * tick rate and does nothing.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { isolationHeaders } from '../../src/vite/index.js';

const ADDRESS = 'http://localhost/bare';
const THREE_FOLDER = dirname(createRequire(import.meta.url).resolve('three'));

export interface BareScene {
  readonly bodies: number;
  readonly width: number;
  readonly height: number;
  readonly tickHz: number;
}

export interface BareFrames {
  readonly frames: number;
  /** From the first of them to the last, by their timestamps. */
  readonly passedMs: number;
  readonly medianMs: number;
  /** The worker's beats that were due, and those that began before the next one was. */
  readonly due: number;
  readonly inTime: number;
}

/** Draws for this long. Leaves the page on its own address. */
export async function measureBareThree(
  page: Page,
  scene: BareScene,
  seconds: number,
): Promise<BareFrames> {
  await page.route(`${ADDRESS}/**`, (route) => {
    const name = route
      .request()
      .url()
      .slice(ADDRESS.length + 1);
    const headers = { ...isolationHeaders() };
    if (name.endsWith('.js')) {
      return route.fulfill({ headers, path: join(THREE_FOLDER, '..', 'build', name) });
    }
    return route.fulfill({ headers, contentType: 'text/html', body: PAGE });
  });
  await page.goto(`${ADDRESS}/`);
  await page.waitForFunction(() => 'drawBare' in globalThis);
  return page.evaluate(([given, durationSeconds]) => globalThis.drawBare(given, durationSeconds), [
    scene,
    seconds,
  ] as const);
}

declare global {
  var drawBare: (scene: BareScene, seconds: number) => Promise<BareFrames>;
}

const WORKER = `
onmessage = ({ data: { words, periodMs } }) => {
  const startMs = performance.now();
  for (let due = 1, inTime = 0; ; due++) {
    const dueMs = startMs + due * periodMs;
    for (let leftMs; (leftMs = dueMs - performance.now()) > 0; ) Atomics.wait(words, 0, 0, leftMs);
    if (performance.now() - dueMs < periodMs) inTime++;
    if (Atomics.load(words, 0) !== 0) return postMessage({ due, inTime });
  }
};`;

const PAGE = `<!doctype html><style>body { margin: 0; background: #223 }</style>
<script type="module">
import * as THREE from './three.module.js';

globalThis.drawBare = async ({ bodies, width, height, tickHz }, seconds) => {
  const renderer = new THREE.WebGLRenderer({ antialias: false });
  renderer.setSize(width, height);
  document.body.append(renderer.domElement);
  const scene = new THREE.Scene();
  scene.add(new THREE.HemisphereLight(0xffffff, 0x998877, 1.4), new THREE.DirectionalLight(0xffffff, 2));
  const sky = new THREE.Mesh(
    new THREE.SphereGeometry(150, 32, 16),
    new THREE.MeshBasicMaterial({ color: 0x8899aa, side: THREE.BackSide }),
  );
  const squares = new THREE.DataTexture(
    Uint8Array.from({ length: 256 * 256 * 4 }, (_, at) => ((at >> 6) ^ (at >> 14)) & 1 ? 200 : 120),
    256,
    256,
  );
  squares.wrapS = squares.wrapT = THREE.RepeatWrapping;
  squares.repeat.set(20, 20);
  squares.generateMipmaps = true;
  squares.minFilter = THREE.LinearMipmapNearestFilter;
  squares.needsUpdate = true;
  const ground = new THREE.Mesh(
    new THREE.PlaneGeometry(90, 90).rotateX(-Math.PI / 2),
    new THREE.MeshLambertMaterial({ map: squares }),
  );
  const boxes = new THREE.InstancedMesh(
    new THREE.BoxGeometry(), new THREE.MeshLambertMaterial({ color: 0xcc7744 }), bodies);
  scene.add(sky, ground, boxes);
  const camera = new THREE.PerspectiveCamera(50, width / height, 0.1, 200);
  camera.position.set(3, 6, 12);
  camera.lookAt(0, 1, 0);

  const words = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(WORKER)}])));
  const beats = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
  worker.postMessage({ words, periodMs: 1000 / tickHz });

  const matrix = new THREE.Matrix4();
  const stamps = [];
  const nextFrame = () => new Promise(requestAnimationFrame);
  const draw = (ms) => {
    for (let index = 0; index < bodies; index++) {
      matrix.makeRotationY(ms / 500 + index);
      matrix.setPosition(2 * (index % 4) - 3, 0.5, 2 * Math.floor(index / 4) - 3);
      boxes.setMatrixAt(index, matrix);
    }
    boxes.instanceMatrix.needsUpdate = true;
    renderer.render(scene, camera);
  };
  // A page starts unevenly.
  for (const startMs = performance.now(); performance.now() < startMs + 1000; ) draw(await nextFrame());
  do {
    stamps.push(await nextFrame());
    draw(stamps.at(-1));
  } while (stamps.at(-1) - stamps[0] < seconds * 1000);
  Atomics.store(words, 0, 1);
  Atomics.notify(words, 0);
  const { due, inTime } = await beats;
  renderer.dispose();
  const deltas = stamps.map((stamp, index) => stamp - stamps[index - 1]).filter((delta) => !Number.isNaN(delta));
  const medianMs = deltas.toSorted((a, b) => a - b)[deltas.length >> 1];
  return { frames: deltas.length, passedMs: stamps.at(-1) - stamps[0], medianMs, due, inTime };
};
</script>`;
