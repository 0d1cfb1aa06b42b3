/** Where a pointer points in the scene, as coordinates of its inputs. */
import { type Camera, type Plane, Raycaster, Vector2, Vector3 } from 'three';
import { toDeviceCoordinates, type ToCoordinates } from '../inputs/pointer-geometry.js';

/**
 * Coordinates on a plane in the scene, for the option `coordinates` of `pointerSource`: the simulation then receives
 * where the pointer points, and needs no camera.
 *
 * They are the two world coordinates in which the plane extends most: x and z on a floor (normal along y), x and y on a
 * wall that faces z, and z and y on a wall that faces x. A pointer that does not point at the plane, such as at the sky
 * above a floor, keeps its last coordinates, which are 0 and 0 at first.
 *
 * @param camera As it was rendered last. It may move.
 * @param plane In world coordinates, in the units of the scene. It may move.
 * @returns Allocates one small object per pointer event.
 */
export function planeCoordinates(camera: Camera, plane: Plane): ToCoordinates {
  const raycaster = new Raycaster();
  const pointer = new Vector2();
  const point = new Vector3();
  return (event, target) => {
    const { x, y } = toDeviceCoordinates(event, target);
    raycaster.setFromCamera(pointer.set(x, y), camera);
    // Leaves the point as it was if there is none.
    raycaster.ray.intersectPlane(plane, point);
    const { x: nx, y: ny, z: nz } = plane.normal;
    const facesY = Math.abs(ny) >= Math.abs(nx) && Math.abs(ny) >= Math.abs(nz);
    if (facesY) return { x: point.x, y: point.z };
    return { x: Math.abs(nx) > Math.abs(nz) ? point.z : point.x, y: point.y };
  };
}
