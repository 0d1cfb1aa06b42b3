/** What a scene has on the graphics card, when that is gone. */
import { InstancedMesh, Light, Line, Mesh, Points, type Object3D } from 'three';

/**
 * Has three.js forget what it had uploaded of a scene. Call it while the WebGL context is lost: three starts with empty
 * books when the context comes back, and then uploads everything anew, but each thing that is disposed of later would
 * still have its buffers of before deleted, about which the browser complains. A context that is lost ignores that.
 */
export function forgetUploads(scene: Object3D): void {
  scene.traverse((object) => {
    if (object instanceof InstancedMesh) object.dispose();
    if (object instanceof Mesh || object instanceof Line || object instanceof Points) {
      object.geometry.dispose();
    }
    if (object instanceof Light) object.dispose();
  });
}
