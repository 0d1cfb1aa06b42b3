import { OrthographicCamera, PerspectiveCamera, Plane, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { planeCoordinates } from '../../../src/three/index.js';

const target = {
  getBoundingClientRect: () => ({ left: 100, top: 50, width: 400, height: 200 }),
} as HTMLElement;

/** The event of a pointer at a point of the target: −1 to 1 from left to right, and from bottom to top. */
const at = (x: number, y: number) =>
  ({ clientX: 300 + x * 200, clientY: 150 - y * 100 }) as MouseEvent;

function cameraAt(x: number, y: number, z: number): PerspectiveCamera {
  const camera = new PerspectiveCamera(90, 2, 0.1, 1000);
  camera.position.set(x, y, z);
  camera.lookAt(0, 0, 0);
  camera.updateMatrixWorld();
  return camera;
}

type Triple = readonly [number, number, number];

const close = (x: number, y: number) => ({ x: expect.closeTo(x, 6), y: expect.closeTo(y, 6) });

test.each<[string, Triple, Triple, readonly [number, number]]>([
  ['a floor are x and z', [0, 10, 0.0001], [0, 1, 0], [20, -10]],
  ['a wall that faces z are x and y', [0, 0, 10], [0, 0, 1], [20, 10]],
  ['a wall that faces x are z and y', [10, 0, 0], [1, 0, 0], [-20, 10]],
])('the coordinates on %s', (_, position, normal, [x, y]) => {
  const of = planeCoordinates(cameraAt(...position), new Plane(new Vector3(...normal)));
  expect(of(at(0, 0), target)).toEqual({ x: expect.closeTo(0, 3), y: expect.closeTo(0, 3) });
  const corner = of(at(1, 1), target);
  expect(corner).toEqual({ x: expect.closeTo(x, 2), y: expect.closeTo(y, 2) });
});

test('coordinates follow a plane that is moved, also with an orthographic camera', () => {
  const camera = new OrthographicCamera(-4, 4, 2, -2, 0, 100);
  camera.position.set(0, 0, 10);
  camera.updateMatrixWorld();
  const plane = new Plane(new Vector3(0, 0, 1), 0);
  const of = planeCoordinates(camera, plane);
  expect(of(at(0.5, 0.5), target)).toEqual(close(2, 1));
  plane.normal.set(0, 1, 1).normalize();
  expect(of(at(0.5, 0.5), target)).toEqual(close(2, -1));
});

test('coordinates stay where they were when the pointer does not point at the plane', () => {
  const floor = new Plane(new Vector3(0, 1, 0));
  const camera = cameraAt(0, 1, 10);
  const of = planeCoordinates(camera, floor);
  expect(of(at(0, 1), target)).toEqual({ x: 0, y: 0 });
  const before = of(at(0.5, -0.5), target);
  expect(before.x).toBeGreaterThan(0);
  expect(of(at(0, 1), target)).toEqual(before);
});
