/** An empty scene in bare three.js that fills the window: what the machine draws without us. */
import { PerspectiveCamera, Scene, WebGLRenderer } from 'three';

declare global {
  /** Frames that were drawn. */
  var bareFrames: number;
}

const ratio = Number(new URLSearchParams(location.search).get('ratio') ?? 1);
const renderer = new WebGLRenderer();
renderer.setPixelRatio(ratio);
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const scene = new Scene();
const camera = new PerspectiveCamera(45, innerWidth / innerHeight, 0.1, 900);

globalThis.bareFrames = 0;
renderer.setAnimationLoop(() => {
  renderer.render(scene, camera);
  globalThis.bareFrames += 1;
});
