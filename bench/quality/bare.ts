/** An empty scene in bare three.js that fills the window: the machine's baseline. */
import { PerspectiveCamera, Scene, WebGLRenderer } from 'three';

declare global {
  /** Frames that this page has drawn; in the demo, since the counter was installed. */
  var picturesDrawn: number;
}

const renderer = new WebGLRenderer();
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const scene = new Scene();
const camera = new PerspectiveCamera(45, innerWidth / innerHeight, 0.1, 900);

globalThis.picturesDrawn = 0;
renderer.setAnimationLoop(() => {
  renderer.render(scene, camera);
  globalThis.picturesDrawn += 1;
});
