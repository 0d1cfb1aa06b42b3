/** The few materials that everything shares, in a version for every quality. */
import {
  type DataTexture,
  DoubleSide,
  FrontSide,
  LinearMipmapLinearFilter,
  LinearMipmapNearestFilter,
  type Material,
  type Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
} from 'three';
import type { MaterialKind } from '../quality/levels.js';
import { createGrid, createStripes } from './textures.js';
import { createVertexLitMaterial } from './vertex-lit.js';

interface FinishOptions {
  readonly texture?: 'stripes' | 'grid';
  /** Takes its colours from the vertices; otherwise from each instance. */
  readonly hasVertexColors: boolean;
  readonly isTwoSided?: boolean;
  /** Slightly glossy at high quality; matt when left out. */
  readonly roughness?: number;
}

const FINISHES = {
  /** Instances with edges. */
  plain: { hasVertexColors: false, roughness: 0.7 },
  /** Round instances. */
  striped: { texture: 'stripes', hasVertexColors: false, roughness: 0.5 },
  /** Bodies of several parts. */
  compound: { texture: 'stripes', hasVertexColors: true, roughness: 0.6 },
  /** Bodies that never move. */
  fixed: { hasVertexColors: true },
  /** The same, without thickness. */
  surface: { hasVertexColors: true, isTwoSided: true },
  ground: { texture: 'grid', hasVertexColors: true },
} as const satisfies Record<string, FinishOptions>;

export type Finish = keyof typeof FINISHES;

const ANISOTROPY = 4;

type Textures = Readonly<Record<'stripes' | 'grid', DataTexture>>;

export class Materials {
  /** Smooth ones, and ones that are fast without a graphics card. They share their pixels. */
  readonly #fine: Textures = { stripes: createStripes(), grid: createGrid() };
  readonly #fast: Textures = {
    stripes: this.#fine.stripes.clone(),
    grid: this.#fine.grid.clone(),
  };
  readonly #made = new Map<string, Material>();
  readonly #users = new Map<Mesh, Finish>();
  #kind: MaterialKind;

  constructor(kind: MaterialKind) {
    this.#kind = kind;
    for (const texture of Object.values(this.#fine)) {
      texture.minFilter = LinearMipmapLinearFilter;
      texture.anisotropy = ANISOTROPY;
    }
    for (const texture of Object.values(this.#fast)) texture.minFilter = LinearMipmapNearestFilter;
  }

  /** Gives a mesh its material, and the other versions of it when the quality changes. */
  apply(mesh: Mesh, finish: Finish): void {
    this.#users.set(mesh, finish);
    mesh.material = this.#material(finish);
  }

  /** Forgets a mesh. */
  release(mesh: Mesh): void {
    this.#users.delete(mesh);
  }

  setKind(kind: MaterialKind): void {
    if (kind === this.#kind) return;
    this.#kind = kind;
    for (const [mesh, finish] of this.#users) mesh.material = this.#material(finish);
  }

  #material(finish: Finish): Material {
    const key = `${finish} ${this.#kind}`;
    const found = this.#made.get(key);
    if (found) return found;
    const material = this.#create(FINISHES[finish]);
    this.#made.set(key, material);
    return material;
  }

  #create({ texture, hasVertexColors, isTwoSided, roughness }: FinishOptions): Material {
    const textures = this.#kind === 'fine' ? this.#fine : this.#fast;
    const look = {
      vertexColors: hasVertexColors,
      side: isTwoSided ? DoubleSide : FrontSide,
      ...(texture !== undefined && { map: textures[texture] }),
    };
    if (this.#kind === 'vertex') return createVertexLitMaterial(look);
    return this.#kind === 'fine' && roughness !== undefined
      ? new MeshStandardMaterial({ ...look, roughness })
      : new MeshLambertMaterial(look);
  }
}
