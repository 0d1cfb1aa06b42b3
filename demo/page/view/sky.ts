/** A calm sky, and fog of the colour of its horizon in which the ground ends. */
import {
  BackSide,
  type BufferGeometry,
  Color,
  Float32BufferAttribute,
  Fog,
  Mesh,
  MeshBasicMaterial,
  type Scene,
  SphereGeometry,
} from 'three';
import type { Detail } from '../quality/levels.js';
import { DetailedGeometries } from './detailed-geometries.js';

export const HORIZON = new Color(0xdfe3e2);
const ZENITH = new Color(0x9fb8c6);
const RADIUS = 400;
/** Around the dome, and from its top to its bottom. */
const SEGMENTS: Record<Detail, readonly [around: number, up: number]> = {
  coarse: [12, 12],
  fair: [24, 24],
  fine: [24, 24],
};
/** Metres from the camera where the fog begins, and where it hides everything. */
export const FOG = { near: 45, far: 260 } as const;

export class Sky {
  readonly #geometries: DetailedGeometries;
  readonly #dome: Mesh<BufferGeometry, MeshBasicMaterial>;

  constructor(scene: Scene, detail: Detail) {
    this.#geometries = new DetailedGeometries(detail);
    const material = new MeshBasicMaterial({
      vertexColors: true,
      side: BackSide,
      depthWrite: false,
      fog: false,
    });
    this.#dome = this.#geometries.createMesh(
      createDome,
      (geometry) => new Mesh(geometry, material),
      true,
    );
    this.#dome.frustumCulled = false;
    // Last of the opaque things, so that only uncovered pixels are painted.
    this.#dome.renderOrder = 1;
    this.#dome.onBeforeRender = (_renderer, _scene, camera) => {
      this.#dome.matrixWorld.copyPosition(camera.matrixWorld);
    };
    scene.add(this.#dome);
    scene.fog = new Fog(HORIZON, FOG.near, FOG.far);
  }

  setDetail(detail: Detail): void {
    this.#geometries.setDetail(detail);
  }

  /** Frees what is not drawn now: call it while the context is lost. */
  forgetUnused(): void {
    this.#geometries.forgetUnused();
  }
}

function createDome(detail: Detail): SphereGeometry {
  const geometry = new SphereGeometry(RADIUS, ...SEGMENTS[detail]);
  paint(geometry);
  return geometry;
}

function paint(geometry: SphereGeometry): void {
  const positions = geometry.getAttribute('position');
  const colors = new Float32BufferAttribute(positions.count * 3, 3);
  const color = new Color();
  for (let vertex = 0; vertex < positions.count; vertex++) {
    const height = Math.max(0, positions.getY(vertex) / RADIUS);
    color.lerpColors(HORIZON, ZENITH, height ** 0.6);
    colors.setXYZ(vertex, color.r, color.g, color.b);
  }
  geometry.setAttribute('color', colors);
}
