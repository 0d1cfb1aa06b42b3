/** An empty scene in bare three.js that fills the window: what the machine draws without us. */
import { PerspectiveCamera, Scene, WebGLRenderer } from 'three';

declare global {
  /** Pictures that this page has drawn; in the demo, from when somebody counts them. */
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
