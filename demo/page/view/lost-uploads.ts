/** A scene's uploads to the graphics card, after a lost context. */
import { InstancedMesh, Light, Line, Mesh, Points, type Object3D } from 'three';

/**
 * Makes three.js forget a scene's uploads. Call it while the WebGL context is lost: three starts
 * with empty books when the context comes back, and then uploads everything again. But anything
 * disposed of later would still delete its old buffers, about which the browser complains. A lost
 * context ignores that.
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
