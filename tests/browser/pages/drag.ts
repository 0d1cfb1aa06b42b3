/** A box, a fixed wall and camera controls on one element. Nothing is rendered: not every browser here has WebGL. */
import { BoxGeometry, InstancedMesh, Matrix4, Mesh, PerspectiveCamera, Scene } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { dragBodies, meshPhysics } from '../../../src/three/index.js';
import { PATIENCE } from '../patient.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

const element = document.querySelector<HTMLElement>('#view') as HTMLElement;
const camera = new PerspectiveCamera(90, 1);
camera.position.z = 10;
// Before the drags: their listeners come first all the same.
const controls = new OrbitControls(camera, element);
const touchAction = element.style.touchAction;
controls.enableDamping = false;

const scene = new Scene();
const box = new Mesh(new BoxGeometry(2, 2, 2));
const wall = new Mesh(new BoxGeometry(2, 2, 2));
wall.position.set(-5, 5, 0);
/** In front of the box, and not there. */
const hidden = new Mesh(new BoxGeometry(3, 3, 0.1));
hidden.position.z = 3;
hidden.visible = false;
const instances = new InstancedMesh(new BoxGeometry(2, 2, 2), undefined, 2);
instances.setMatrixAt(0, new Matrix4().makeTranslation(-5, -5, 0));
instances.setMatrixAt(1, new Matrix4().makeTranslation(5, -5, 0));
scene.add(box, wall, hidden, instances);

const physics = await meshPhysics(
  tuned({ gravity: { x: 0, y: 0, z: 0 } }, { ...PATIENCE, startTimeoutMs: 600_000 }),
);
physics.addMesh(box, 1);
physics.addMesh(wall);
physics.addMesh(hidden);
physics.addMesh(instances, 1);
const end = dragBodies(element, camera, scene, physics);
requestAnimationFrame(function draw(stamp) {
  controls.update();
  physics.update(stamp);
  scene.updateMatrixWorld();
  camera.updateMatrixWorld();
  requestAnimationFrame(draw);
});

const matrix = new Matrix4();
const page = {
  end,
  restoresTouch: () => element.style.touchAction === touchAction,
  /** Whether states are drawn. */
  isRunning: () => physics.world.frame.hasState,
  bodies: () => physics.world.bodies.len(),
  joints: () => physics.world.impulseJoints.len(),
  box: () => box.position.toArray(),
  wall: () => wall.position.toArray(),
  instance: (index: number) => {
    instances.getMatrixAt(index, matrix);
    return matrix.elements.slice(12, 15);
  },
  /** Rounded: controls compute the same place in several ways. */
  camera: () => camera.position.toArray().map((value) => Number(value.toFixed(6))),
  removeBox: () => physics.removeMesh(box),
};
declare global {
  var dragged: typeof page;
}
globalThis.dragged = page;
