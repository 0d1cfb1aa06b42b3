/** A calm sky, and fog of the colour of its horizon in which the ground ends. */
import {
  BackSide,
  Color,
  Float32BufferAttribute,
  Fog,
  Mesh,
  MeshBasicMaterial,
  type Scene,
  SphereGeometry,
} from 'three';

const HORIZON = new Color(0xdfe3e2);
const ZENITH = new Color(0x9fb8c6);
const DOME = { radius: 400, around: 24, up: 24 } as const;
/** Metres from the camera where the fog begins and where nothing else is left. */
const FOG = { near: 45, far: 260 } as const;

export class Sky {
  readonly #dome: Mesh<SphereGeometry, MeshBasicMaterial>;

  constructor(scene: Scene) {
    const geometry = new SphereGeometry(DOME.radius, DOME.around, DOME.up);
    paint(geometry);
    const material = new MeshBasicMaterial({
      vertexColors: true,
      side: BackSide,
      depthWrite: false,
      fog: false,
    });
    this.#dome = new Mesh(geometry, material);
    this.#dome.frustumCulled = false;
    // Last of the opaque things, so that only what they leave of it is painted.
    this.#dome.renderOrder = 1;
    this.#dome.onBeforeRender = (_renderer, _scene, camera) => {
      this.#dome.matrixWorld.copyPosition(camera.matrixWorld);
    };
    scene.add(this.#dome);
    scene.fog = new Fog(HORIZON, FOG.near, FOG.far);
  }

  dispose(): void {
    this.#dome.geometry.dispose();
    this.#dome.material.dispose();
  }
}

function paint(geometry: SphereGeometry): void {
  const positions = geometry.getAttribute('position');
  const colors = new Float32BufferAttribute(positions.count * 3, 3);
  const color = new Color();
  for (let vertex = 0; vertex < positions.count; vertex++) {
    const height = Math.max(0, positions.getY(vertex) / DOME.radius);
    color.lerpColors(HORIZON, ZENITH, height ** 0.6);
    colors.setXYZ(vertex, color.r, color.g, color.b);
  }
  geometry.setAttribute('color', colors);
}
