/** Where the player aims, by pointer or keys. Dots lead there from the white ball. */
import { planeCoordinates } from 'betwixt/three';
import * as THREE from 'three';
import { type createTable, isUpright } from './table-view.js';

const UP = new THREE.Vector3(0, 1, 0);
/** How far a key moves the aim, in m. */
const STEP = 0.04;
const KEYS: Readonly<Record<string, readonly [right: number, up: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** @param shoot Called with the point of the table at which the player shoots. */
export function createAim(
  canvas: HTMLCanvasElement,
  { scene, camera, draw }: ReturnType<typeof createTable>,
  shoot: (x: number, z: number) => void,
) {
  const aim = new THREE.Vector3();
  const pointOn = planeCoordinates(camera, new THREE.Plane(UP));
  const point = (event: PointerEvent) => {
    const { x, y } = pointOn(event, canvas);
    aim.set(x, 0, y);
  };
  canvas.onpointerdown = canvas.onpointermove = point;
  canvas.onpointerup = () => shoot(aim.x, aim.z);

  document.onkeydown = (event) => {
    if (event.target instanceof HTMLButtonElement) return;
    const [right, up] = KEYS[event.code] ?? [0, 0];
    // As the player sees the table.
    aim.x += STEP * (isUpright() ? up : right);
    aim.z += STEP * (isUpright() ? right : -up);
    if (event.code === 'Space' && !event.repeat) shoot(aim.x, aim.z);
    // The page does not scroll.
    if (event.code in KEYS || event.code === 'Space') event.preventDefault();
  };

  const dots = [1, 2, 3, 4, 5, 6].map(() =>
    draw({ shape: 'ball', size: [0.01, 0.01, 0.01], color: 'white' }),
  );
  scene.add(...dots);
  /** @param from Where the white ball is drawn. */
  return (from: THREE.Vector3, isVisible: boolean) => {
    for (const [index, mesh] of dots.entries()) {
      mesh.position.lerpVectors(from, aim, (index + 1) / dots.length);
      mesh.visible = isVisible;
    }
  };
}
