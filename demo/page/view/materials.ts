/** The few materials that everything shares, each in a fine and in a fast version. */
import {
  DoubleSide,
  FrontSide,
  LinearMipmapLinearFilter,
  LinearMipmapNearestFilter,
  type Material,
  type Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
} from 'three';
import { createGrid, createStripes } from './textures.js';

interface FinishOptions {
  readonly texture?: 'stripes' | 'grid';
  /** Takes its colours from the vertices; else from each instance. */
  readonly hasVertexColors: boolean;
  readonly isTwoSided?: boolean;
  /** Shines a little when the picture is to be fine; matt when left out. */
  readonly roughness?: number;
}

const FINISHES = {
  /** Instances with edges. */
  plain: { hasVertexColors: false, roughness: 0.7 },
  /** Round instances. */
  striped: { texture: 'stripes', hasVertexColors: false, roughness: 0.5 },
  /** Bodies of several parts. */
  compound: { texture: 'stripes', hasVertexColors: true, roughness: 0.6 },
  /** What never moves. */
  fixed: { hasVertexColors: true },
  /** The same, without thickness. */
  surface: { hasVertexColors: true, isTwoSided: true },
  ground: { texture: 'grid', hasVertexColors: true },
} as const satisfies Record<string, FinishOptions>;

export type Finish = keyof typeof FINISHES;

const ANISOTROPY = 4;

export class Materials {
  readonly #textures = { stripes: createStripes(), grid: createGrid() };
  readonly #made = new Map<string, Material>();
  readonly #users = new Map<Mesh, Finish>();
  #isFine: boolean;

  /** @param isFine Physically based light and smooth textures; else what is fast without a graphics card. */
  constructor(isFine: boolean) {
    this.#isFine = isFine;
    this.#setFilters();
  }

  get isFine(): boolean {
    return this.#isFine;
  }

  /** Gives a mesh its material, and the other version of it when the quality changes. */
  apply(mesh: Mesh, finish: Finish): void {
    this.#users.set(mesh, finish);
    mesh.material = this.#material(finish);
  }

  /** Forgets a mesh. */
  release(mesh: Mesh): void {
    this.#users.delete(mesh);
  }

  setFine(isFine: boolean): void {
    this.#isFine = isFine;
    this.#setFilters();
    for (const [mesh, finish] of this.#users) mesh.material = this.#material(finish);
  }

  dispose(): void {
    for (const material of this.#made.values()) material.dispose();
    this.#made.clear();
    this.#users.clear();
    for (const texture of Object.values(this.#textures)) texture.dispose();
  }

  #setFilters(): void {
    for (const texture of Object.values(this.#textures)) {
      texture.minFilter = this.#isFine ? LinearMipmapLinearFilter : LinearMipmapNearestFilter;
      texture.anisotropy = this.#isFine ? ANISOTROPY : 1;
      texture.needsUpdate = true;
    }
  }

  #material(finish: Finish): Material {
    const key = `${finish} ${this.#isFine}`;
    const found = this.#made.get(key);
    if (found) return found;
    const material = this.#create(FINISHES[finish]);
    this.#made.set(key, material);
    return material;
  }

  #create({ texture, hasVertexColors, isTwoSided, roughness }: FinishOptions): Material {
    const look = {
      vertexColors: hasVertexColors,
      side: isTwoSided ? DoubleSide : FrontSide,
      ...(texture !== undefined && { map: this.#textures[texture] }),
    };
    return this.#isFine && roughness !== undefined
      ? new MeshStandardMaterial({ ...look, roughness })
      : new MeshLambertMaterial(look);
  }
}
