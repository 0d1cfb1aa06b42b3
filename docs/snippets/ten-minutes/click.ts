import { Ray, type World } from 'betwixt/world';
import { Raycaster, Vector2, type Camera } from 'three';

const raycaster = new Raycaster();

/** Kicks upwards whatever is under the pointer. */
export function kick(world: World, camera: Camera, event: PointerEvent): void {
  const x = (2 * event.clientX) / innerWidth - 1;
  const y = 1 - (2 * event.clientY) / innerHeight;
  raycaster.setFromCamera(new Vector2(x, y), camera);
  const { origin, direction } = raycaster.ray;
  const hit = world.castRay(new Ray(origin, direction), 100, true);
  hit?.collider.parent()?.applyImpulse({ x: 0, y: 3, z: 0 }, true);
}
