/** The geometries of meshes, in each detail that was needed so far. */
import type { BufferGeometry, Mesh } from 'three';
import type { Detail } from '../quality/levels.js';

interface Detailed {
  readonly create: (detail: Detail) => BufferGeometry;
  readonly made: Map<Detail, BufferGeometry>;
  /** False: it looks the same in each detail, and has one geometry. */
  readonly varies: boolean;
}

export class DetailedGeometries {
  readonly #meshes = new Map<Mesh, Detailed>();
  #detail: Detail;

  constructor(detail: Detail) {
    this.#detail = detail;
  }

  /**
   * Makes a mesh that follows the detail.
   *
   * @param create Makes its geometry.
   * @param varies Whether that depends on the detail.
   */
  createMesh<M extends Mesh>(
    create: (detail: Detail) => BufferGeometry,
    createMesh: (geometry: BufferGeometry) => M,
    varies: boolean,
  ): M {
    const geometry = create(this.#detail);
    const mesh = createMesh(geometry);
    this.#meshes.set(mesh, { create, made: new Map([[this.#detail, geometry]]), varies });
    return mesh;
  }

  setDetail(detail: Detail): void {
    if (detail === this.#detail) return;
    this.#detail = detail;
    for (const [mesh, { create, made, varies }] of this.#meshes) {
      if (!varies) continue;
      mesh.geometry = made.get(detail) ?? create(detail);
      made.set(detail, mesh.geometry);
    }
  }

  /** Frees the geometries that no mesh has now. */
  forgetUnused(): void {
    for (const [mesh, { made }] of this.#meshes) {
      for (const [detail, geometry] of made) {
        if (geometry === mesh.geometry) continue;
        geometry.dispose();
        made.delete(detail);
      }
    }
  }

  dispose(): void {
    for (const { made } of this.#meshes.values()) {
      for (const geometry of made.values()) geometry.dispose();
    }
    this.#meshes.clear();
  }
}
