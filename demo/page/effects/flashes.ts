/** Sensors that light up: the mark of a sensor is drawn again, glowing, in the same place. */
import {
  CircleGeometry,
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  Vector3,
  type BufferGeometry,
} from 'three';
import type { SceneDescription, StaticLook } from '../../contract/scene-contract.js';
import { matrixOf } from '../view/compound.js';
import { createUnitGeometry, sidesOf, unitShapeOf } from '../view/geometries.js';

/** Decay of a flash: to a third within this many seconds. */
const FADE_SECONDS = 0.22;
/** Below this it is gone. */
const DARK = 0.02;
/** Height over width below which a mark counts as flat, and how dense the light in it is. */
const FLAT = 0.3;
const VEIL = 0.4;
const LIGHT = new Color(0xffdf70);

interface Flash {
  readonly mesh: Mesh;
  readonly material: MeshBasicMaterial;
  readonly veil: Mesh<BufferGeometry, MeshBasicMaterial> | undefined;
  readonly sensor: number;
  level: number;
}

export class Flashes {
  readonly root = new Group();
  #flashes: readonly Flash[] = [];

  /** Finds the visible sensors of a scene. */
  show({ statics }: SceneDescription): void {
    this.dispose();
    this.#flashes = statics.flatMap((look) =>
      look.sensor === undefined ? [] : [createFlash(look, look.sensor)],
    );
    for (const { mesh } of this.#flashes) this.root.add(mesh);
  }

  /** Sensors that glow now. */
  get lit(): number {
    return this.#flashes.reduce((sum, { level }) => sum + (level > 0 ? 1 : 0), 0);
  }

  /**
   * Makes a sensor flash.
   *
   * @param strength 0 to 1: how brightly.
   * @returns False when the scene shows no such sensor.
   */
  flash(sensor: number, strength: number): boolean {
    let isShown = false;
    for (const flash of this.#flashes) {
      if (flash.sensor !== sensor) continue;
      flash.level = Math.max(flash.level, Math.min(1, strength));
      apply(flash);
      isShown = true;
    }
    return isShown;
  }

  /** @param dt Seconds since the last frame. */
  update(dt: number): void {
    const kept = Math.exp(-dt / FADE_SECONDS);
    for (const flash of this.#flashes) {
      if (flash.level === 0) continue;
      const level = flash.level * kept;
      flash.level = level < DARK ? 0 : level;
      apply(flash);
    }
  }

  clear(): void {
    for (const flash of this.#flashes) {
      flash.level = 0;
      apply(flash);
    }
  }

  dispose(): void {
    for (const { mesh, material, veil } of this.#flashes) {
      mesh.removeFromParent();
      veil?.geometry.dispose();
      veil?.material.dispose();
      mesh.geometry.dispose();
      material.dispose();
    }
    this.#flashes = [];
  }
}

function createFlash(look: StaticLook, sensor: number): Flash {
  const material = new MeshBasicMaterial({
    color: LIGHT,
    transparent: true,
    depthWrite: false,
    // In front of what it lights up.
    polygonOffset: true,
    polygonOffsetFactor: -4,
    polygonOffsetUnits: -4,
  });
  const mesh = new Mesh(createUnitGeometry(look.shape, sidesOf(look.shape, 'fair')), material);
  const matrix = matrixOf(look.position, look.orientation).multiply(
    matrixOf(look.offset, look.rotation),
  );
  matrix.decompose(mesh.position, mesh.quaternion, mesh.scale);
  mesh.renderOrder = 1;
  mesh.scale.set(...unitShapeOf(look.shape).scale);
  const flash = { mesh, material, veil: addVeil(mesh), sensor, level: 0 };
  apply(flash);
  return flash;
}

/** A flat mark, such as a ring about its y axis, is filled with light. */
function addVeil(mesh: Mesh): Mesh<BufferGeometry, MeshBasicMaterial> | undefined {
  mesh.geometry.computeBoundingBox();
  const { x: width = 0, y: height = 0 } = mesh.geometry.boundingBox?.getSize(new Vector3()) ?? {};
  if (height > FLAT * width) return undefined;
  const disc = new CircleGeometry(width / 2, 32).rotateX(Math.PI / 2);
  const veil = new Mesh(
    disc,
    new MeshBasicMaterial({
      color: LIGHT,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
    }),
  );
  veil.renderOrder = 1;
  mesh.add(veil);
  return veil;
}

function apply({ mesh, material, veil, level }: Flash): void {
  mesh.visible = level > 0;
  material.opacity = level;
  if (veil !== undefined) veil.material.opacity = VEIL * level;
}
